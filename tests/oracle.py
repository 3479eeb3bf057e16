"""Scoring as one would explain it to a child: slow, and independent of the project's tables and kernels."""

from puzzles import DOWN, EMPTY, LEFT, RIGHT, UP, Board


def shown(board: Board, row: int, col: int) -> list[int] | None:
    """The four colours that a cell shows, its tile turned by hand; None when it is empty."""
    cell = int(board.cells[row, col])
    if cell == EMPTY:
        return None
    sides = [int(colour) for colour in board.puzzle.tiles[cell // 4]]
    for _ in range(cell % 4):
        up, right, down, left = sides
        sides = [left, up, right, down]
    return sides


def side_is_right(board: Board, row: int, col: int, side: int) -> bool:
    """Whether a tile's side matches its neighbour, or is grey on the rim."""
    here = shown(board, row, col)
    if here is None:
        return False
    step_row, step_col = {UP: (-1, 0), RIGHT: (0, 1), DOWN: (1, 0), LEFT: (0, -1)}[side]
    row, col = row + step_row, col + step_col
    if not (0 <= row < board.puzzle.rows and 0 <= col < board.puzzle.cols):
        return here[side] == 0
    there = shown(board, row, col)
    return there is not None and here[side] != 0 and here[side] == there[(side + 2) % 4]


def objectives(board: Board) -> tuple[int, int, int]:
    """Score, 2x2 blocks and complete tiles."""
    rows, cols = board.puzzle.shape
    right = {(r, c): side_is_right(board, r, c, RIGHT) for r in range(rows) for c in range(cols - 1)}
    down = {(r, c): side_is_right(board, r, c, DOWN) for r in range(rows - 1) for c in range(cols)}
    blocks = [
        right[r, c] and right[r + 1, c] and down[r, c] and down[r, c + 1]
        for r in range(rows - 1)
        for c in range(cols - 1)
    ]
    complete = [
        all(side_is_right(board, r, c, side) for side in (UP, RIGHT, DOWN, LEFT))
        for r in range(rows)
        for c in range(cols)
    ]
    return sum(right.values()) + sum(down.values()), sum(blocks), sum(complete)


def counted_score(board: Board, edges: str = "paper") -> int:
    """Matching edges among those that count: of the paper's, for each cell but the last ones, those right and below."""
    rows, cols = board.puzzle.shape
    found = 0
    for row in range(rows):
        for col in range(cols):
            counts_right = edges == "all" or row < rows - 1
            counts_down = edges == "all" or col < cols - 1
            found += col < cols - 1 and counts_right and side_is_right(board, row, col, RIGHT)
            found += row < rows - 1 and counts_down and side_is_right(board, row, col, DOWN)
    return found
