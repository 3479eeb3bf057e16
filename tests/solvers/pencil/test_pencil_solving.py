"""All models and engines against brute force on small puzzles, and against each other and the given solutions."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from puzzles.pencil import Battleship, Circuit, Clue, Sudoku, Zebra, check, load, parse
from puzzles.pencil.battleship import UNKNOWN
from puzzles.pencil.zebra import LIFE_1962
from solvers.errors import SolverError
from solvers.pencil import ENGINES, MODELS, Search, make_model, solve, solve_many
from tests.puzzles.pencil.samples import SAMPLES
from tests.solvers.pencil import brute_force


def small(kind: str, seed: int) -> Any:
    rng = np.random.default_rng(seed)
    if kind == "sudoku":
        return SAMPLES["sudoku"](rng, (2, 2), 0.3)[0]
    if kind == "battleship":
        puzzle = SAMPLES["battleship"](rng, 4, 4, 0.0)[0]
        return replace(puzzle, row_counts=(UNKNOWN,) * 4) if seed % 2 else puzzle
    if kind == "circuit":
        return SAMPLES["circuit"](rng, 4, 0.4)[0]
    if kind == "hashi":
        return SAMPLES["hashi"](rng, 4, 6)[0]
    while True:
        puzzle = SAMPLES["zebra"](rng, 6)[0]
        if puzzle.houses <= 4 and len(puzzle.attributes) <= 3:
            return puzzle


def models_of(puzzle: Any) -> list[str]:
    if puzzle.kind == "circuit":
        return ["cm3"] if puzzle.ends else ["cm1", "cm2"]
    return list(MODELS[puzzle.kind])


@pytest.mark.parametrize("kind", MODELS)
@pytest.mark.parametrize("engine", [None, *ENGINES])
def test_every_model_and_engine_finds_exactly_the_solutions_of_brute_force(kind: str, engine: str | None) -> None:
    several = 0
    for seed in range(6):
        puzzle = small(kind, seed)
        expected = brute_force.solutions(puzzle)
        several += len(expected) > 1
        for name in models_of(puzzle):
            if name == "search" and engine is not None:
                continue
            if engine not in (None, "scipy", "scip") and not (name == "search" or make_model(puzzle, name).binary_only):
                with pytest.raises(SolverError, match="continuous variables"):
                    solve(puzzle, model=name, engine=engine)
                continue
            answer = solve(puzzle, model=name, engine=engine, solutions=len(expected) + 1)
            assert answer.complete
            assert answer.status == "solved"
            assert set(answer.solutions) == expected, (seed, name)
            assert len(answer.solutions) == len(expected)
            assert answer.unique == (len(expected) == 1)
    assert several


@pytest.mark.parametrize("engine", ENGINES)
def test_contradictions_are_proved(engine: str) -> None:
    clash = Sudoku(((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 0, 0), (0, 0, 0, 0)), (2, 2))
    false = Zebra(LIFE_1962.attributes, (*LIFE_1962.clues, Clue("same", "Norwegian", "Zebra")))
    board = Circuit((2, 3), given=frozenset({((0, 0), (0, 1)), ((0, 0), (1, 0))}))
    for puzzle, name in ((clash, "ip"), (false, "ip"), (board, "cm1")):
        answer = solve(puzzle, model=name, engine=engine)
        assert (answer.status, answer.solution, answer.unique) == ("infeasible", None, None)
    assert solve(clash).status == "infeasible"


def test_the_zebra_lives_where_table_7_4_says() -> None:
    for engine in ENGINES:
        answer = solve(LIFE_1962, engine=engine)
        assert answer.unique
        assert answer.solution[4] == ("Fox", "Horse", "Snails", "Dog", "Zebra")
        assert answer.solution[1] == ("Norwegian", "Ukrainian", "Englishman", "Spaniard", "Japanese")


def test_every_clue_of_the_zebra_is_needed() -> None:
    for k in range(14):
        fewer = Zebra(LIFE_1962.attributes, LIFE_1962.clues[:k] + LIFE_1962.clues[k + 1 :])
        assert solve(fewer).unique is False


def test_a_limit_of_no_time_is_told() -> None:
    puzzle = Circuit((8, 8))
    for engine in ENGINES:
        answer = solve(puzzle, engine=engine, seconds=0.0)
        assert answer.status == "limit"
        assert answer.solution is None
        assert answer.bound == 63


def test_an_interrupt_gives_what_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    original = Search.feasible
    calls = []

    def interrupted(self: Search) -> Any:
        calls.append(1)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return original(self)

    monkeypatch.setattr(Search, "feasible", interrupted)
    puzzle, _ = SAMPLES["circuit"](np.random.default_rng(3), 7, 0.0)
    answer = solve(Circuit(puzzle.shape, puzzle.black), solutions=9)
    assert (answer.status, len(answer.solutions), answer.complete) == ("solved", 2, False)
    assert answer.interrupted
    calls[:] = [1, 1]
    stopped = list(solve_many([Circuit(puzzle.shape, puzzle.black)] * 3))
    assert [answer.status for answer in stopped] == ["limit"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"model": "cm9"}, "unknown model 'cm9' of circuit"),
        ({"engine": "gurobi"}, "unknown engine 'gurobi'"),
        ({"model": "cm3"}, "two ends"),
        ({"solutions": 0}, "at least 1"),
    ],
)
def test_bad_arguments_are_told(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(SolverError, match=message):
        solve(Circuit((2, 2)), **arguments)


@pytest.mark.parametrize(
    ("name", "step"),
    [
        ("battleship_janko_sample.jsonl", 5),
        ("battleship_csplib014.pl", 75),
        ("hashi_janko_sample.jsonl", 3),
        ("hashi_coelho2019_sample.txt", 10),
        ("sudoku_17_clues_sample.txt", 1),
        ("sudoku_hardest_sample.txt", 1),
        ("sudoku_janko_sample.jsonl", 2),
    ],
)
def test_real_instances_have_their_solutions(instances: Path, name: str, step: int) -> None:
    for puzzle, _, solution in load(instances / "pencil" / name)[::step]:
        answer = solve(puzzle)
        assert answer.status == "solved"
        assert check(puzzle, answer.solution) is None
        assert answer.unique is not None
        if solution is not None:
            assert answer.unique
            assert answer.solution == solution


def test_the_figures_of_the_paper() -> None:
    [sudoku] = parse("3..4..9......7..65.976......8.23.5...7.....9...2.97.8......573.74..8..5...5..1..8")
    answer = solve(sudoku.puzzle)
    assert answer.unique
    assert answer.solution[0] == (3, 6, 8, 4, 5, 2, 9, 1, 7)  # Figure 3.2
    [clues] = parse(
        "." * 9
        + ".......12"
        + "..3.45..."
        + "." * 9
        + ".6....3.7"
        + "42...1..."
        + "...1.8..."
        + "...26...."
        + "..7...4.."
    )
    assert clues.puzzle.given == 17  # Figure 8.1
    for model in ("search", "ip"):
        assert solve(clues.puzzle, model=model).unique
    assert solve(clues.puzzle).solution[0] == (8, 7, 6, 9, 1, 2, 5, 3, 4)


def test_the_board_of_figure_4_1_has_a_triangle_in_the_wrong_column() -> None:
    signs = {"~": 0, "<": 1, ">": 2, "^": 3, "v": 4, "#": 5, "o": 6}
    printed = (
        "^~~~~<>~~~ #~~~~~~~~~ v~~o~<##>~ ~~~~~~~~~~ ~~~~~~~~~^ o~<#>~~~v~ ~~~~~~~~~~ ~~~~~~o~~~ ~~^~~~~~~~ o~v~~~~~~~"
    )
    rows, columns = (3, 1, 6, 0, 1, 5, 0, 1, 1, 2), (5, 0, 3, 2, 1, 2, 3, 1, 3, 0)
    puzzle = Battleship(rows, columns, ((1, 4), (2, 3), (3, 2), (4, 1)), ((UNKNOWN,) * 10,) * 10)
    sea = [[signs[sign] for sign in row] for row in printed.split()]
    assert str(check(puzzle, sea)).startswith("column 9: has 2 cells")
    sea[4][8], sea[4][9] = sea[4][9], sea[4][8]
    assert check(puzzle, sea) is None
