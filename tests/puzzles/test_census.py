from itertools import permutations, product

import pytest

from puzzles import Board, Puzzle, PuzzleError, census, generate
from tests.oracle import shown


def _brute_force(puzzle: Puzzle, size: int, grey_top: bool, grey_left: bool) -> int:
    """Every way to lay distinct oriented tiles on the block, checked one by one."""
    shows = {
        cell: shown(Board(Puzzle(1, 1, puzzle.tiles[cell // 4, None], strict=False), [[cell % 4]]), 0, 0)
        for cell in range(4 * puzzle.size)
    }
    count = 0
    for tiles in permutations(range(puzzle.size), size * size):
        for turns in product(range(4), repeat=size * size):
            block = [shows[tile * 4 + turn] for tile, turn in zip(tiles, turns, strict=True)]
            count += _is_block(block, size, grey_top, grey_left)
    return count


def _is_block(block: list[list[int]], size: int, grey_top: bool, grey_left: bool) -> bool:
    for cell, (up, right, down, left) in enumerate(block):
        row, col = divmod(cell, size)
        if right == 0 or down == 0 or (up == 0) != (grey_top and row == 0) or (left == 0) != (grey_left and col == 0):
            return False
        if col > 0 and block[cell - 1][1] != left:
            return False
        if row > 0 and block[cell - size][2] != up:
            return False
    return True


@pytest.mark.parametrize(("rows", "cols", "colours"), [(3, 3, (1, 1)), (2, 4, (2, 2)), (3, 2, (1, 2))])
def test_two_by_two_blocks_equal_brute_force(rows: int, cols: int, colours: tuple[int, int]) -> None:
    puzzle, _ = generate(rows, cols, *colours, 5, style="benoist")
    small = Puzzle(1, 6, puzzle.tiles[:6], strict=False)
    counts = census(small)
    assert counts.corner_2x2 == _brute_force(small, 2, True, True)
    assert counts.edge_2x2 == _brute_force(small, 2, True, False)
    assert counts.inner_2x2 == _brute_force(small, 2, False, False)


def test_eternity2_has_the_counts_the_community_knows(eternity2: Puzzle) -> None:
    counts = census(eternity2)
    assert (counts.corner_2x2, counts.edge_2x2, counts.corner_3x3) == (1_312, 73_003, 2_633_221)
    assert counts.inner_2x2 % 4 == 0


def test_one_wrong_side_changes_the_counts(eternity2: Puzzle) -> None:
    tiles = eternity2.tiles.copy()
    tiles[200, 0] = tiles[200, 0] % 22 + 1
    assert census(Puzzle(16, 16, tiles, strict=False)) != census(eternity2)


def test_pieces_without_blocks_have_none() -> None:
    assert census(Puzzle(1, 1, [[1, 2, 3, 4]], strict=False)) == (0, 0, 0, 0)
    assert census(Puzzle(1, 1, [[0, 0, 0, 0]])) == (0, 0, 0, 0)


def test_three_by_three_corners_equal_a_slow_count() -> None:
    puzzle, _ = generate(4, 4, 2, 3, 2)
    shows = dict(enumerate(puzzle.sides.T.tolist()))

    def ways(block: list[int]) -> int:
        if block and not _is_block_so_far([shows[cell] for cell in block]):
            return 0
        if len(block) == 9:
            return 1
        taken = {cell // 4 for cell in block}
        return sum(ways([*block, cell]) for cell in shows if cell // 4 not in taken)

    assert census(puzzle).corner_3x3 == ways([]) > 0


def _is_block_so_far(block: list[list[int]]) -> bool:
    row, col = divmod(len(block) - 1, 3)
    up, right, down, left = block[-1]
    above = 0 if row == 0 else block[-4][2]
    before = 0 if col == 0 else block[-2][1]
    return up == above and left == before and right != 0 and down != 0


def test_a_census_that_would_never_end_says_so() -> None:
    puzzle, _ = generate(12, 12, 1, 1, 1, style="benoist")
    with pytest.raises(PuzzleError, match="too many 2x2 blocks: stopped after trying 1,000,000 pieces"):
        census(puzzle, limit=1_000_000)
    assert census(generate(3, 3, 2, 3, 1)[0], limit=2**70).corner_2x2 > 0
