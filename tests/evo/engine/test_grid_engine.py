"""Evolution on Sudoku and Battleship: both engines, DEAP's own loops, and operators of the user's own."""

import itertools
import warnings

import numpy as np
import pytest
from deap import algorithms as deap_algorithms
from deap import tools

import evo
from evo.engine.deap_engine import DeapEngine
from evo.engine.evolution_search import evolve
from evo.engine.grid_engine import GridEngine
from evo.engine.grid_problem import make_grid_problem
from evo.engine.toolbox import toolbox_of
from evo.errors import ConfigError
from evo.settings.pencil import PENCIL_AIEA, PENCIL_GA, PencilEvolution
from operators import OperatorError
from puzzles.pencil import PencilTask, Sudoku
from solvers import Progress
from solvers.pencil import generate

SUDOKU = PencilTask(generate("sudoku", 3, clues=26))
TASKS = [SUDOKU, PencilTask(generate("battleship", 2, side=8))]
GA = PENCIL_GA(population=20, crossover=10, mutation=8, elite=2, evaluations=120)
SETTINGS = [GA, PENCIL_AIEA(population=15, evaluations=90, most_mutations=4)]


def essence(progress: Progress) -> tuple[object, ...]:
    return *progress[:2], progress.best_cells.tobytes(), *progress[3:5]


@pytest.mark.parametrize("settings", SETTINGS, ids=["GA", "AIEA"])
@pytest.mark.parametrize("task", TASKS, ids=["sudoku", "battleship"])
def test_both_engines_give_the_same_boards(task: PencilTask, settings: PencilEvolution) -> None:
    problem = make_grid_problem(task, settings)
    native = GridEngine(problem, np.random.default_rng(7))
    deap = DeapEngine(toolbox_of(problem, np.random.default_rng(7)))
    for one, other in itertools.zip_longest(evolve(native, settings), evolve(deap, settings)):
        assert essence(one) == essence(other)
        assert (native.population.cells == deap.population.cells).all()
        assert (native.population.fitness == deap.population.fitness).all()
        assert one.board.score == one.best_score
    state = deap.state()
    again = GridEngine(problem, np.random.default_rng(1))
    again.restore(state)
    assert all((state[name] == again.state()[name]).all() for name in state)


def test_a_toolbox_works_in_deaps_own_loop() -> None:
    toolbox = evo.make_toolbox(SUDOKU, GA, np.random.default_rng(2))
    best = tools.HallOfFame(1)
    _, log = deap_algorithms.eaSimple(toolbox.population(), toolbox, 0.5, 0.5, 4, halloffame=best, verbose=False)
    assert len(log) == 5
    assert SUDOKU.board(best[0].board).score == SUDOKU.max_score - best[0].fitness.values[0]


def test_an_operator_of_the_users_own_runs_in_the_deap_engine() -> None:
    toolbox = evo.make_toolbox(SUDOKU, GA, np.random.default_rng(2))

    def reverse_a_box(individual):  # type: ignore[no-untyped-def]
        free = [(i, j) for i in range(3) for j in range(3) if not SUDOKU.puzzle.clues[i][j]]
        individual.board[tuple(zip(*free, strict=True))] = [individual.board[cell] for cell in reversed(free)]
        return (individual,)

    toolbox.register("mutate", reverse_a_box)
    with pytest.warns(UserWarning, match="the native engine cannot run this mutate"):
        result = evo.run(SUDOKU, GA, toolbox=toolbox).result()
    assert 100 < result.evaluations <= 120
    assert result.board.score == result.score
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert evo.run(SUDOKU, GA, toolbox=evo.make_toolbox(SUDOKU, GA)).result().trace["best"].is_monotonic_increasing


def test_a_broken_board_is_refused() -> None:
    toolbox = evo.make_toolbox(SUDOKU, GA)
    individual = toolbox.individual()
    individual.board[0, 0] = individual.board[0, 1] = 1
    with pytest.raises(OperatorError, match="break the rules"):
        toolbox.evaluate(individual)


def test_settings_and_puzzles_must_be_of_the_same_kind() -> None:
    with pytest.raises(
        ConfigError, match="eternity2: PENCIL_GA solves a Sudoku or Battleship puzzle, which this is not"
    ):
        evo.make_toolbox(evo.load("eternity2"), GA)
    with pytest.raises(ConfigError, match="sudoku: GA solves an edge-matching puzzle, which this is not"):
        evo.run(SUDOKU, evo.GA())
    twice = PencilTask(Sudoku(((1, 1, 0, 0), (0,) * 4, (0,) * 4, (0,) * 4), (2, 2)))
    with pytest.raises(ConfigError, match="has the clue 1 twice"):
        evo.run(twice, GA)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"population": 10}, r"population: 10 is not crossover \+ mutation \+ elite"),
        ({"tournament": 21}, "tournament: 21 individuals cannot be drawn from 20"),
        ({"evaluations": 19}, "evaluations: 19 do not suffice"),
        ({"crossover": 0, "mutation": 0, "elite": 20}, "elite: a generation that is all elite"),
        ({"pins": "all"}, "pins: "),
        ({"fewest_mutations": 20}, "most_mutations: the minimum, 20, is greater than the maximum, 10"),
    ],
)
def test_bad_settings_are_one_line(values: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError, match=message) as caught:
        PENCIL_GA(**{**GA.model_dump(exclude={"algorithm"}), **values})
    assert "\n" not in str(caught.value)
