"""The late part of a route: where it begins, and which chains of cells it has."""

import numpy as np

from puzzles import Puzzle, load
from solvers.construct.late_part import ACROSS, ALONG, REACH, Late, make_late
from solvers.construct.route import NONE, make_route


def late_part(puzzle: Puzzle, path: str, rows: float, pins: str = "none") -> tuple[list[int], Late]:
    """The cells of a route, and its late part."""
    hints = puzzle.pinned_hints(pins)
    route, _ = make_route(puzzle, path, hints)
    return route.cells.tolist(), make_late(puzzle, route, rows, path, hints)


def test_the_last_rows_have_the_rest_of_the_column_and_the_next_cells_of_their_first_row() -> None:
    cells, late = late_part(load("eternity2"), "rows_columns", 4)
    assert cells[late.first] == 12 * 16
    lengths = late.links[:, :, 1] - late.links[:, :, 0]
    for step, (row, col) in enumerate(divmod(cell, 16) for cell in cells):
        if row < 12:
            assert lengths[step].tolist() == [0, 0]
            continue
        assert lengths[step, ALONG] == (15 - row if col else 0)  # nothing is known of the first column
        assert lengths[step, ACROSS] == (min(REACH, 15 - col) if row == 12 else 0)
        assert late.kept[step] == (row > 12 and col < 15)


def test_a_pinned_tile_does_not_shift_the_late_part() -> None:
    puzzle = load("eternity2")
    for pins in ("mandatory", "all"):
        cells, late = late_part(puzzle, "rows_columns", 4, pins)
        assert cells[late.first] == 12 * 16


def test_a_chain_ends_at_a_pinned_tile_whose_colour_is_known() -> None:
    puzzle = load("eternity2")
    pinned = {hint.row * 16 + hint.col for hint in puzzle.hints}
    cells, late = late_part(puzzle, "row", 4, "all")
    ended = 0
    for step in range(late.first, len(cells)):
        first, last = late.links[step, ALONG]
        beyond = cells[step] + 1 + last - first
        assert (late.behind[step, ALONG] != NONE) == (last > first and beyond in pinned)
        ended += late.behind[step, ALONG] != NONE
    assert ended == 1 + REACH  # in row 13, from the cell two before column 2, and from 2 to 6 before column 13


def test_other_paths_have_what_chains_there_are() -> None:
    puzzle = load("eternity2")
    cells, late = late_part(puzzle, "row", 2.5)
    assert late.first == 256 - 40 == cells[late.first]
    assert (late.side[late.first :, ALONG] != NONE).sum() == 40 - 3  # all but the last cell of a row
    assert (late.side[:, ACROSS] == NONE).all()
    assert late_part(puzzle, "row", 0)[1].first == 256
    assert late_part(puzzle, "row", 99)[1].first == 0


def test_slots_hold_the_colours_of_the_frontier() -> None:
    puzzle = load("eternity2")
    for path in ("rows_columns", "spiral_in", "diagonal"):
        route, _ = make_route(puzzle, path)
        late = make_late(puzzle, route, 4, path)
        filled = np.zeros((18, 18), dtype=bool)
        filled[0] = filled[-1] = filled[:, 0] = filled[:, -1] = True
        for step, cell in enumerate(route.cells.tolist()):
            inside = filled[1:-1, 1:-1]
            open_sides = (inside[:, 1:] != inside[:, :-1]).sum() + (inside[1:] != inside[:-1]).sum()
            assert late.holds[step].sum() == open_sides
            filled[1 + cell // 16, 1 + cell % 16] = True
