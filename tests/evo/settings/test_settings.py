import pytest
from pydantic import ValidationError

import evo
from evo.engine.problem import make_problem
from evo.errors import ConfigError
from evo.settings.paper import TABLE_1, TABLE_2
from evo.settings.registry import make_settings
from operators import make_path
from puzzles import Puzzle, PuzzleError, generate

GA = {"algorithm": "GA"}
AIEA = {"algorithm": "AIEA"}
SMALL = {"algorithm": "GA", "population": 10, "crossover": 8, "mutation": 1, "elite": 1}

WRONG = [
    (
        {},
        "algorithm: is missing; expected one of AIEA, BACKTRACK, BACKTRACKER, BEAM, COLOUR_PAIRS",
    ),
    (
        {"algorithm": "PSO"},
        "algorithm: 'PSO' is not one of AIEA, BACKTRACK, BACKTRACKER, BEAM, COLOUR_PAIRS",
    ),
    ({"algorithm": 3}, "algorithm: 3 is not one of AIEA"),
    (GA | {"populaton": 5}, "populaton: there is no such setting"),
    (GA | {"population": 100}, r"population: 100 is not crossover \+ mutation \+ elite \(9000 \+ 999 \+ 1 = 10000\)"),
    (GA | {"population": "10000"}, "population: input should be a valid integer; found '10000'"),
    (GA | {"population": 1e4}, "population: input should be a valid integer; found 10000.0"),
    (GA | {"population": True}, "population: input should be a valid integer; found True"),
    (GA | {"population": 0}, "population: input should be greater than or equal to 2; found 0"),
    (GA | {"population": 10**9}, "population: input should be less than or equal to 10000000"),
    (GA | {"crossover": -1}, "crossover: input should be greater than or equal to 0; found -1"),
    (GA | {"elite": 2}, "population: 10000 is not"),
    (GA | {"mutation": None}, "mutation: input should be a valid integer; found None"),
    (SMALL | {"crossover": 0, "mutation": 0, "elite": 10}, "elite: a generation that is all elite never changes"),
    (SMALL | {"tournament": 11}, "tournament: 11 individuals cannot be drawn from 10"),
    (SMALL | {"tournament": 0}, "tournament: input should be greater than or equal to 1"),
    (SMALL | {"mutant_tournament": 0}, "mutant_tournament: input should be greater than or equal to 1"),
    (SMALL | {"partner_tournament": 11}, "partner_tournament: 11 is more than the population"),
    (SMALL | {"mutant_tournament": 11}, "mutant_tournament: 11 is more than the population"),
    (GA | {"fitness": "best"}, "fitness: input should be 'normal' or 'combined'; found 'best'"),
    (GA | {"init": "smart"}, "init: input should be 'random', 'knowledge' or 'search'; found 'smart'"),
    (GA | {"refill": True}, "refill: input should be 'random' or 'kept'"),
    (GA | {"turns": "half"}, "turns: input should be 'any' or 'quarter'"),
    (GA | {"path": "maze"}, "path: 'maze' is not one of row, column"),
    (GA | {"path": 5}, "path: expected a list; found 5$"),
    (SMALL | {"evaluations": 9}, "evaluations: 9 do not suffice for a population of 10"),
    (
        SMALL | {"tournament": 10, "replacement": False, "distinct_parents": True},
        "distinct_parents: a tournament of all",
    ),
    (AIEA | {"tournament": 101, "replacement": False}, "tournament: without replacement at most 100 are drawn"),
    (AIEA | {"fewest_mutations": 0}, "fewest_mutations: input should be greater than or equal to 1"),
    ({"algorithm": "MOEA", "fitness": "normal"}, "fitness: there is no such setting"),
    ([1], "settings are names and values; found list"),
    (GA | {"framed": "yes"}, "framed: input should be a valid boolean"),
    (GA | {"crossover_sizes": [8, 2]}, "crossover_sizes: the minimum, 8, is greater than the maximum, 2"),
    (GA | {"crossover_sizes": [2]}, "crossover_sizes"),
    (GA | {"crossover_sizes": 8}, "crossover_sizes: expected two numbers, the minimum and the maximum; found 8"),
    (GA | {"mutation_sizes": [0, 10]}, "mutation_sizes.0: input should be greater than or equal to 1"),
    (GA | {"mutation_sizes": [10, 1]}, "mutation_sizes: the minimum, 10, is greater than the maximum"),
    (GA | {"evaluations": 0}, "evaluations: input should be greater than or equal to 1"),
    (GA | {"seed": -1}, "seed: input should be greater than or equal to 0"),
    (GA | {"pins": "some"}, "pins: input should be 'none', 'mandatory' or 'all'"),
    (GA | {"most_mutations": 3}, "most_mutations: there is no such setting"),
    (AIEA | {"crossover": 5}, "crossover: there is no such setting"),
    (AIEA | {"fewest_mutations": 9, "most_mutations": 3}, "fewest_mutations: 9 is more than most_mutations"),
    (AIEA | {"most_mutations": 0}, "most_mutations: input should be greater than or equal to 1"),
    ({"algorithm": "RAND", "population": 5}, "population: there is no such setting"),
    ({"algorithm": "ES", "refill": "no"}, "refill: input should be a valid boolean"),
    (GA | {"edges": "450"}, "edges: input should be 'all' or 'paper'; found '450'"),
    (AIEA | {"edges": 450}, "edges: input should be 'all' or 'paper'; found 450"),
    ({"algorithm": "MOEA", "edges": None}, "edges: input should be 'all' or 'paper'; found None"),
    ({"algorithm": "RAND", "edges": ""}, "edges: input should be 'all' or 'paper'; found ''"),
    ({"algorithm": "ES", "edges": ["all"]}, "edges: input should be 'all' or 'paper'"),
    ({"algorithm": "VLNS", "edges": "all"}, "edges: there is no such setting"),
    (GA | {"reported": "last"}, "reported: input should be 'best' or 'final'; found 'last'"),
    ({"algorithm": "RAND", "reported": "best"}, "reported: there is no such setting"),
    (GA | {"populaton": 5, "seed": -1}, "seed: .*; populaton: there is no such setting"),
]


@pytest.mark.parametrize(("values", "message"), WRONG)
def test_a_wrong_setting_is_named(values: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError, match=message) as caught:
        make_settings(values)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (GA | {"mutation_sizes": [9, 9]}, "^mutation_sizes: no two regions of size 9 fit on a 16x16 board"),
        (GA | {"path": [10**30]}, "eternity2: a path must be a name or a list of integers"),
        (
            GA | {"path": [0, 1, 2]},
            r"eternity2: a path of a 16x16 board must have each of the cells 0..255 exactly once",
        ),
    ],
)
def test_settings_that_do_not_fit_the_board_are_named(
    eternity2: Puzzle, values: dict[str, object], message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        make_problem(eternity2, make_settings(values))


def test_pins_need_hints(eternity2: Puzzle) -> None:
    assert [hint.tile for hint in eternity2.pinned_hints("mandatory")] == [138]
    assert len(eternity2.pinned_hints("all")) == 5
    assert eternity2.pinned_hints("none") == ()
    plain, _ = generate(4, 4, 3, 4, 1)
    with pytest.raises(PuzzleError, match="has no mandatory hint to pin"):
        plain.pinned_hints("mandatory")


def test_the_defaults_are_the_first_rows_of_table_1() -> None:
    for name, model in (("GA_1", evo.GA), ("AIEA_1", evo.AIEA), ("MOEA_1", evo.MOEA)):
        assert make_settings(TABLE_1[name]) == model()
    assert evo.GA().evaluations == 50_000_000
    assert evo.GA().crossover_sizes == (2, 8)
    assert evo.GA().mutation_sizes == (1, 10)
    for kind in (evo.GA, evo.AIEA, evo.MOEA, evo.RAND, evo.ES):
        assert kind().edges == "all"  # what the paper describes


def test_every_row_of_table_2_has_its_settings() -> None:
    assert len(TABLE_2) == 30
    for row in TABLE_2:
        assert row.setting in TABLE_1 or row.setting in ("RAND", "ES")
        assert row.min <= row.mean <= row.max or row.min == 383  # the paper's misprint
    for values in TABLE_1.values():
        make_settings(values)


def test_settings_cannot_be_changed_and_take_lists_for_tuples() -> None:
    settings = make_settings(GA | {"crossover_sizes": [3, 4], "path": list(range(256))[::-1]})
    assert settings.crossover_sizes == (3, 4)
    with pytest.raises(ValidationError):
        settings.seed = 2
    assert make_path(settings.path, 16, 16)[0] == 255
