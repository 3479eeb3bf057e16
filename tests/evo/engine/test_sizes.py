"""Sizes that no region of a board can have are refused with their key; others and defaults are cut to the board."""

from typing import Any

import pytest

from evo.engine.problem import make_problem
from evo.errors import ConfigError
from evo.settings.registry import make_settings
from puzzles import Puzzle, generate

FEW = {"population": 4, "evaluations": 40}
KINDS: dict[str, dict[str, Any]] = {
    "GA": {"crossover": 2, "mutation": 1, "elite": 1},
    "MOEA": {"crossover": 2, "mutation": 1, "elite": 1},
    "AIEA": {},
    "MEMETIC": {"rebuild": {"cells": (2, 2)}},
}
REGIONS = {"kind": "regions", "when": "elite", "share": 0.5}


def check(puzzle: Puzzle, name: str, values: dict[str, Any]) -> None:
    make_problem(puzzle, make_settings(FEW | KINDS[name] | {"algorithm": name} | values))


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize(
    ("values", "message"),
    [
        (
            {"mutation_sizes": (3, 3)},
            "mutation_sizes: no two regions of size 3 fit on a 4x4 board without overlapping; expected a least size of"
            " at most 2",
        ),
        ({"mutation_sizes": (5, 9)}, "mutation_sizes: no two regions of size 5 fit on a 4x4 board"),
        (
            {"crossover_sizes": (5, 8)},
            "crossover_sizes: no region of size 5 fits on a 4x4 board; expected a least size of at most 4",
        ),
        ({"repair": {"size": 17}}, "repair.size: expected at most 8, as no two cells .* the 4x4 board; found 17"),
        (
            {"repair": REGIONS | {"region": (5, 2)}},
            "repair.region: expected at most the 4x4 cells of the board; found 5x2",
        ),
        ({"repair": REGIONS | {"region": (2, 5)}}, "repair.region: .*; found 2x5"),
        (
            {"init": {"kind": "regions", "region": (5, 1)}},
            "init.region: expected at most the 4x4 cells of the board; found 5x1",
        ),
        ({"init": {"kind": "regions", "region": (1, 5)}}, "init.region: .*; found 1x5"),
        (
            {"mutate": {"rebuild": 1.0}, "rebuild": {"cells": (17, 20)}},
            "rebuild.cells: regions of 17 to 20 cells: expected .* the 16 cells of a 4x4 board",
        ),
    ],
)
def test_a_size_larger_than_the_board_is_refused_in_one_line(name: str, values: dict[str, Any], message: str) -> None:
    if name == "AIEA" and "crossover_sizes" in values:
        pytest.skip("AIEA has no crossover")
    with pytest.raises(ConfigError, match=f"^{message}") as caught:
        check(generate(4, 4, 3, 4, 1)[0], name, values)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "values",
    [
        {"mutation_sizes": (2, 9), "crossover_sizes": (4, 16)},
        {"repair": {"size": 8}},
        {"repair": REGIONS | {"region": (4, 4)}},
        {"init": {"kind": "regions", "region": (1, 4)}},
        {"init": {"kind": "regions", "region": (4, 1)}},
        {"init": {"kind": "regions", "region": (2, 0)}},
        {"mutate": {"rebuild": 1.0}, "rebuild": {"cells": (16, 16)}},
    ],
    ids=str,
)
def test_a_greatest_size_may_be_larger_and_any_other_as_large_as_the_board(values: dict[str, Any]) -> None:
    check(generate(4, 4, 3, 4, 1)[0], "GA", values)


@pytest.mark.parametrize("shape", [(1, 2), (2, 2), (3, 3), (2, 9), (9, 2)], ids=str)
@pytest.mark.parametrize("name", KINDS)
def test_the_defaults_serve_small_boards(name: str, shape: tuple[int, int]) -> None:
    puzzle = generate(*shape, 2, 1, 1, style="benoist")[0]
    for values in ({}, {"repair": {}}, {"repair": REGIONS}, {"init": {"kind": "regions"}}):
        check(puzzle, name, values)


def test_along_its_shorter_side_a_board_cuts_regions() -> None:
    narrow = generate(2, 9, 4, 4, 1)[0]
    check(narrow, "GA", {"mutation_sizes": (4, 4), "crossover_sizes": (9, 9)})
    with pytest.raises(ConfigError, match=r"^mutation_sizes: no two regions of size 5 fit on a 2x9 board"):
        check(narrow, "GA", {"mutation_sizes": (5, 5)})
    with pytest.raises(ConfigError, match=r"^crossover_sizes: no region of size 10 fits on a 2x9 board"):
        check(narrow, "GA", {"crossover_sizes": (10, 10)})
