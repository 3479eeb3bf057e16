import numpy as np
import pytest

from operators import PATHS, OperatorError, knowledge_boards, make_path, random_boards
from puzzles import Board, Puzzle, generate, score_population


@pytest.mark.parametrize("name", sorted(PATHS))
@pytest.mark.parametrize("shape", [(1, 1), (1, 5), (5, 1), (2, 3), (4, 4), (5, 7)])
def test_paths_visit_every_cell_once(name: str, shape: tuple[int, int]) -> None:
    assert sorted(make_path(name, *shape).tolist()) == list(range(shape[0] * shape[1]))


def test_paths_go_where_their_names_say() -> None:
    assert make_path("row", 2, 3).tolist() == [0, 1, 2, 3, 4, 5]
    assert make_path("column", 2, 3).tolist() == [0, 3, 1, 4, 2, 5]
    assert make_path("zigzag", 2, 3).tolist() == [0, 1, 2, 5, 4, 3]
    assert make_path("rows_columns", 6, 2).tolist() == [0, 1, 2, 3, 4, 6, 8, 10, 5, 7, 9, 11]
    blocks = make_path("blocks", 16, 16).tolist()
    assert blocks[:176] == list(range(176))
    assert blocks[176:182] == [176, 177, 178, 179, 180, 192]
    assert blocks[201:207] == [181, 197, 213, 229, 245, 182]
    assert blocks[236:242] == [188, 189, 190, 191, 207, 223]
    assert make_path("diagonal", 2, 3).tolist() == [0, 1, 3, 2, 4, 5]
    assert make_path("spiral_in", 3, 3).tolist() == [0, 1, 2, 5, 8, 7, 6, 3, 4]
    assert make_path("spiral_out", 3, 3).tolist() == [4, 3, 6, 7, 8, 5, 2, 1, 0]
    assert make_path("spiral_out", 16, 16)[0] == 8 * 16 + 7  # the cell of Eternity II's mandatory piece
    assert make_path([3, 1, 0, 2], 2, 2).tolist() == [3, 1, 0, 2]
    for wrong in ([0, 1], [0, 1, 2, 2], [0, 1, 2, 4]):
        with pytest.raises(OperatorError, match=r"each of the cells 0..3 exactly once"):
            make_path(wrong, 2, 2)
    with pytest.raises(OperatorError, match="path 'maze' is not one of row"):
        make_path("maze", 2, 2)


def test_random_boards_are_uniform() -> None:
    puzzle, _ = generate(2, 3, 3, 2, 1, style="benoist")
    boards = random_boards(np.random.default_rng(1), puzzle, 24_000)
    for cell in boards.reshape(-1, 6).T:
        counts = np.bincount(cell, minlength=24)
        assert float(((counts - 1000) ** 2 / 1000).sum()) < 49.7  # 23 degrees of freedom, p = 0.001


def test_knowledge_boards_of_eternity2_score_as_the_paper_says(eternity2: Puzzle) -> None:
    boards = knowledge_boards(np.random.default_rng(1), eternity2, 10_000)
    scores = score_population(eternity2.sides, boards)[:, 0]
    assert abs(scores.mean() - 301.9) < 2


def test_random_boards_of_eternity2_score_as_the_colours_predict(eternity2: Puzzle) -> None:
    scores = score_population(eternity2.sides, random_boards(np.random.default_rng(1), eternity2, 10_000))[:, 0]
    assert abs(scores.mean() - 19.886) < 0.2


def test_knowledge_follows_the_path_and_fills_blanks_last() -> None:
    puzzle, _ = generate(6, 7, 3, 5, 1)
    for path in ("row", "spiral_in", "spiral_out"):
        for seed in range(20):
            [cells] = knowledge_boards(np.random.default_rng(seed), puzzle, 1, path=path)
            _check_board(Board(puzzle, cells), make_path(path, 6, 7))


def _check_board(board: Board, path: np.ndarray) -> None:
    """A cell that was filled in its turn matches all neighbours filled before it; blanks only where nothing fitted."""
    puzzle, cols = board.puzzle, board.puzzle.cols
    fitted: dict[int, int] = {}
    for cell in path.tolist():
        row, col = divmod(cell, cols)
        here = int(board.cells[row, col])
        if _fits(puzzle, fitted, cell, here):
            fitted[cell] = here
    for cell in set(path.tolist()) - set(fitted):  # a blank: no tile that was then left fits, and it was left itself
        before = path.tolist()[: path.tolist().index(cell)]
        placed = {other: fitted[other] for other in before if other in fitted}
        left = set(range(puzzle.size)) - {tile // 4 for tile in placed.values()}
        assert not any(_fits(puzzle, placed, cell, tile * 4 + turn) for tile in left for turn in range(4))


def _fits(puzzle: Puzzle, placed: dict[int, int], cell: int, oriented: int) -> bool:
    row, col = divmod(cell, puzzle.cols)
    for side, (step_row, step_col) in enumerate(((-1, 0), (0, 1), (1, 0), (0, -1))):
        colour = int(puzzle.sides[side, oriented])
        r, c = row + step_row, col + step_col
        if not (0 <= r < puzzle.rows and 0 <= c < puzzle.cols):
            if colour != 0:
                return False
        elif colour == 0 or (
            r * puzzle.cols + c in placed and puzzle.sides[(side + 2) % 4, placed[r * puzzle.cols + c]] != colour
        ):
            return False
    return True


def test_without_the_frame_rule_grey_may_lie_anywhere(eternity2: Puzzle) -> None:
    rng = np.random.default_rng(1)
    framed = knowledge_boards(rng, eternity2, 50)
    free = knowledge_boards(rng, eternity2, 50, framed=False)
    assert (
        score_population(eternity2.sides, free)[:, 0].mean()
        < score_population(eternity2.sides, framed)[:, 0].mean() - 30
    )
