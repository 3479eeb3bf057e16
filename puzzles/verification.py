"""Verification of claimed boards: false records are common, so a report lists everything that can be wrong."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from puzzles.board import Board
from puzzles.tiles import DOWN, GREY, LEFT, RIGHT, UP


@dataclass(frozen=True)
class Report:
    """The result of `Board.verify`. Pieces, rows and columns count from 1."""

    name: str
    puzzle: str
    rows: int
    cols: int
    score: int
    max_score: int
    blocks: int
    complete: int
    mismatches: int
    pieces: int
    """The number of pieces of the puzzle."""
    placed: int
    """The number of cells that hold a piece."""
    duplicates: tuple[int, ...]
    """The pieces that lie on more than one cell."""
    frame: bool | None
    """Whether grey lies all along the rim and nowhere else, as far as tiles are placed; None without a frame."""
    frame_errors: tuple[tuple[int, int], ...]
    """The cells (row, column) that violate this."""
    hints_honoured: int
    hints: int
    notes: tuple[str, ...]
    """Assumptions made about the puzzle."""

    @property
    def valid(self) -> bool:
        """Whether no piece occurs twice and no grey side is out of place; empty cells and mismatches are allowed."""
        return not self.duplicates and self.frame is not False

    @property
    def solved(self) -> bool:
        """Whether the board is valid, complete and without mismatches."""
        return self.valid and self.placed == self.pieces and self.score == self.max_score

    def as_dict(self) -> dict[str, Any]:
        """Return the report as plain values, for JSON."""
        return {"valid": self.valid, "solved": self.solved, **asdict(self)}

    def __str__(self) -> str:
        lines = [
            f"{self.name or 'board'} ({self.puzzle}, {self.rows}x{self.cols})",
            f"  score       {self.score} of {self.max_score}, {self.mismatches} mismatched edges",
            f"  pieces      {self.placed} of {self.pieces} placed, {_duplicates(self.duplicates)}",
            f"  frame       {self._frame_line()}",
            f"  hints       {self.hints_honoured} of {self.hints} honoured",
            f"  2x2 blocks  {self.blocks} of {(self.rows - 1) * (self.cols - 1)} matched",
            f"  tiles       {self.complete} of {self.pieces} complete",
            f"  verdict     {'solved' if self.solved else 'valid' if self.valid else 'NOT VALID'}",
        ]
        return "\n".join(lines)

    def _frame_line(self) -> str:
        if self.frame is None:
            return "none in this puzzle"
        if self.frame:
            return "right"
        shown = ", ".join(f"row {row} column {col}" for row, col in self.frame_errors[:3])
        more = f" and {len(self.frame_errors) - 3} more" if len(self.frame_errors) > 3 else ""
        return f"WRONG at {shown}{more}"


def verify(board: Board) -> Report:
    """Return a report on a board, counted from its cells."""
    puzzle = board.puzzle
    errors = _frame_errors(board) if puzzle.framed else ()
    count = Counter((board.cells[board.placed] // 4).tolist())
    honoured = sum(board.cells[hint.row, hint.col] == hint.tile * 4 + hint.rotation for hint in puzzle.hints)
    return Report(
        name=board.name,
        puzzle=puzzle.name,
        rows=puzzle.rows,
        cols=puzzle.cols,
        score=board.score,
        max_score=puzzle.max_score,
        blocks=board.objectives.blocks,
        complete=board.objectives.complete,
        mismatches=len(board.mismatches),
        pieces=puzzle.size,
        placed=int(board.placed.sum()),
        duplicates=tuple(sorted(tile + 1 for tile, times in count.items() if times > 1)),
        frame=not errors if puzzle.framed else None,
        frame_errors=errors,
        hints_honoured=int(honoured),
        hints=len(puzzle.hints),
        notes=puzzle.notes,
    )


def _frame_errors(board: Board) -> tuple[tuple[int, int], ...]:
    """Return the cells with a coloured side on the rim or a grey side inside, counted from 1."""
    rim: NDArray[np.bool_] = np.zeros(board.sides.shape, dtype=np.bool_)
    rim[UP, 0, :] = rim[RIGHT, :, -1] = rim[DOWN, -1, :] = rim[LEFT, :, 0] = True
    wrong = ((board.sides == GREY) != rim).any(axis=0) & board.placed
    return tuple((row + 1, col + 1) for row, col in np.argwhere(wrong).tolist())


def _duplicates(pieces: tuple[int, ...]) -> str:
    if not pieces:
        return "no duplicates"
    shown = ", ".join(map(str, pieces[:6])) + (", ..." if len(pieces) > 6 else "")
    return f"{len(pieces)} DUPLICATED: {shown}"
