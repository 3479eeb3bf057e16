"""The estimate of a search tree against counted trees: their mean over shuffled sides, and an enumerator's nodes."""

from collections.abc import Sequence
from math import factorial, log10

import numpy as np
import pytest
from numpy.typing import NDArray

from operators import PATHS
from operators.paths import make_path
from puzzles import GREY, Hint, Puzzle, generate, load
from puzzles.tiles import border_sides
from solvers import SolverError
from solvers.exact.backtracker import Backtracker
from solvers.exact.tree_size import tree_size


def boards_by_depth(
    puzzle: Puzzle, path: str | Sequence[int], breaks: Sequence[int], per_tile: int, pins: Sequence[Hint] = ()
) -> list[int]:
    """The number of boards with each number of tiles, from the pinned ones on, by trying everything."""
    rows, cols = puzzle.shape
    held = {pin.row * cols + pin.col: 4 * pin.tile + pin.rotation for pin in pins}
    order = [cell for cell in make_path(path, rows, cols).tolist() if cell not in held]
    counts = [0] * (len(order) + 1)
    steps = ((-1, 0), (0, 1), (1, 0), (0, -1))
    near = {cell: [near_cell(cell, step, rows, cols) for step in steps] for cell in range(rows * cols)}
    sides = puzzle.sides.T.tolist()
    fitting = {
        cell: [
            value
            for value, shown in enumerate(sides)
            if not puzzle.framed or [colour == GREY for colour in shown] == [one is None for one in near[cell]]
        ]
        for cell in order
    }

    def lay(step: int, mismatches: int) -> None:
        counts[step] += 1
        if step == len(order):
            return
        cell, used = order[step], {value >> 2 for value in held.values()}
        budget = min(per_tile, sum(start <= len(held) + 1 for start in breaks) - mismatches)
        known = [(side, sides[held[one]][(side + 2) % 4]) for side, one in enumerate(near[cell]) if one in held]
        for value in fitting[cell]:
            own = sum(colour == GREY or sides[value][side] != colour for side, colour in known)
            if own <= budget and value >> 2 not in used:
                held[cell] = value
                lay(step + 1, mismatches + own)
                del held[cell]

    lay(0, 0)
    return counts


def near_cell(cell: int, step: tuple[int, int], rows: int, cols: int) -> int | None:
    row, col = cell // cols + step[0], cell % cols + step[1]
    return row * cols + col if 0 <= row < rows and 0 <= col < cols else None


def shuffled(puzzle: Puzzle, rng: np.random.Generator, fixed: Sequence[int] = ()) -> Puzzle:
    """The same tiles with the colours of each class of sides shuffled; those of the fixed tiles stay."""
    tiles = puzzle.tiles.copy()
    grey = (tiles == GREY) & puzzle.framed
    after, before = np.roll(grey, 1, axis=1), np.roll(grey, -1, axis=1)
    inward = np.roll(grey, 2, axis=1) & ~border_sides(tiles) & puzzle.framed
    frame = border_sides(tiles) & puzzle.framed
    for where in (frame & after & ~grey, frame & before & ~grey, inward & ~grey, ~frame & ~inward & ~grey):
        free = where.copy()
        free[list(fixed)] = False
        tiles[free] = rng.permutation(tiles[free])
    return Puzzle(*puzzle.shape, tiles, (), "shuffled", strict=False)


def mean_tree(
    puzzle: Puzzle, path: str, pins: Sequence[Hint] = (), times: int = 200
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The mean number of boards at each depth over shuffles, and its standard error."""
    rng = np.random.default_rng(1)
    fixed = [pin.tile for pin in pins]
    trees = np.array([boards_by_depth(shuffled(puzzle, rng, fixed), path, (), 0, pins) for _ in range(times)])
    return trees.mean(axis=0), trees.std(axis=0) / np.sqrt(times)


@pytest.mark.parametrize(
    ("rows", "cols", "path"), [(3, 3, "row"), (3, 3, "spiral_out"), (2, 4, "column"), (3, 4, "zigzag")]
)
def test_without_mismatches_it_is_the_mean_over_shuffled_sides(rows: int, cols: int, path: str) -> None:
    puzzle, _ = generate(rows, cols, 3, 3, 5)
    mean, error = mean_tree(puzzle, path)
    expected = 10 ** tree_size(puzzle, path).log10_boards
    assert (np.abs(expected - mean) <= 4 * error + 1e-9).all()


def test_a_board_without_a_frame() -> None:
    tiles = np.random.default_rng(3).integers(1, 6, (6, 4))
    puzzle = Puzzle(2, 3, tiles, (), "plain", strict=False)
    mean, error = mean_tree(puzzle, "row", times=12)
    assert (np.abs(10 ** tree_size(puzzle).log10_boards - mean) <= 4 * error + 1e-9).all()


def test_pinned_tiles_ask_for_their_colours() -> None:
    puzzle, solved = generate(3, 3, 2, 3, 5)
    cells = solved.cells
    pins = [Hint(int(cells[at]) >> 2, *at, int(cells[at]) & 3, True) for at in ((1, 1), (0, 0))]
    mean, error = mean_tree(puzzle, "row", pins)
    found = tree_size(puzzle, "row", pins=pins)
    assert found.tiles.tolist() == list(range(2, 10))
    assert (np.abs(10**found.log10_boards - mean) <= 4 * error + 1e-9).all()


def test_if_every_edge_may_differ_every_board_counts() -> None:
    puzzle, _ = generate(4, 4, 2, 3, 1)
    found = tree_size(puzzle, "row", [1] * puzzle.max_score, per_tile=4)
    assert found.log10_solutions == pytest.approx(log10(factorial(4) * factorial(8) * factorial(4) * 4**4))


@pytest.mark.parametrize("per_tile", [1, 2])
def test_with_mismatches_it_is_close_to_the_mean(per_tile: int) -> None:
    puzzle, _ = generate(3, 3, 2, 4, 7)
    rng = np.random.default_rng(2)
    breaks = (7, 9)
    trees = [boards_by_depth(shuffled(puzzle, rng), "row", breaks, per_tile) for _ in range(60)]
    found = 10 ** tree_size(puzzle, "row", breaks, per_tile=per_tile).log10_boards
    assert found == pytest.approx(np.mean(trees, axis=0), rel=0.35)


def test_an_enumerator_visits_about_as_many_nodes() -> None:
    ratios = []
    for seed in range(6):
        puzzle, _ = generate(6, 6, 4, 8, seed)
        search = Backtracker(puzzle, np.random.default_rng(1), 20_000_000)
        for _ in search.reports():
            pass
        ratios.append(search.tally().nodes / 10 ** tree_size(puzzle, "row").log10_nodes)
    assert 0.7 < np.exp(np.mean(np.log(ratios))) < 1.4


def test_the_number_of_solutions_does_not_depend_on_the_path() -> None:
    puzzle = load("eternity2")
    found = [tree_size(puzzle, path) for path in PATHS]
    assert [one.log10_solutions for one in found] == pytest.approx([found[0].log10_solutions] * len(PATHS))
    assert len({round(one.log10_nodes, 6) for one in found}) > 4


def test_eternity_ii_is_expected_to_have_solutions_with_its_mandatory_hint_but_none_other_with_all_hints() -> None:
    """Community estimates for the mandatory hint are of the order of 15,000."""
    puzzle = load("eternity2")
    assert 10_000 < 10 ** tree_size(puzzle, pins=puzzle.pinned_hints("mandatory")).log10_solutions < 25_000
    assert tree_size(puzzle, pins=puzzle.pinned_hints("all")).log10_solutions < -5


@pytest.mark.parametrize(
    ("options", "message"),
    [({"breaks": [0]}, "expected 1 to 16"), ({"breaks": [3, 17]}, "expected 1 to 16"), ({"path": "snake"}, "snake")],
)
def test_options_out_of_range(options: dict[str, object], message: str) -> None:
    puzzle, _ = generate(4, 4, 2, 3, 1)
    with pytest.raises(ValueError, match=message):
        tree_size(puzzle, **options)  # type: ignore[arg-type]  # the test is about wrong arguments


def test_boards_that_cannot_be_estimated() -> None:
    thin, _ = generate(1, 5, 2, 3, 1, style="benoist")
    with pytest.raises(SolverError, match="too thin"):
        tree_size(thin)
    loose = Puzzle(3, 3, np.arange(36).reshape(9, 4) % 5, (), "loose", strict=False)
    with pytest.raises(SolverError, match="cannot frame"):
        tree_size(loose)
