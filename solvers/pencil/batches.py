"""Solving many puzzles on several cores."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Any

from puzzles.pencil import PencilPuzzle
from solvers.pencil.solving import Answer, solve

_CHUNK = 64  # puzzles that a process gets at once, at most


def solve_many(puzzles: Sequence[PencilPuzzle], jobs: int = 1, **options: Any) -> Iterator[Answer]:
    """Yield the answers of many puzzles, in their order; one that Ctrl-C ended is the last.

    Args:
        puzzles: The puzzles.
        jobs: The number of processes.
        **options: The options of `solve`.
    """
    if jobs <= 1 or len(puzzles) <= 1:
        for puzzle in puzzles:
            answer = solve(puzzle, **options)
            yield answer
            if answer.interrupted:
                return
        return
    size = max(1, min(_CHUNK, len(puzzles) // (4 * jobs)))
    chunks = [(puzzles[k : k + size], options) for k in range(0, len(puzzles), size)]
    # Processes are started afresh: a copy of this one would have its threads' locks, but not its threads.
    with ProcessPoolExecutor(min(jobs, len(chunks)), mp_context=multiprocessing.get_context("spawn")) as pool:
        try:
            for answers in pool.map(_solve_chunk, chunks):
                yield from answers
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _solve_chunk(work: tuple[Sequence[PencilPuzzle], dict[str, Any]]) -> list[Answer]:
    puzzles, options = work
    return [solve(puzzle, **options) for puzzle in puzzles]
