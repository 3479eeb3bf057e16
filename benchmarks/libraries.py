"""The portfolio against SAT and CP-SAT: `python -m benchmarks.libraries FILE --boards NAME...`.

FILE is that of `benchmarks.known_boards`, which are counted by each. A library that needs longer than `--seconds` for a
board is stopped there, and the board is left out of its sum. Time is that of the processor, and the last column is the
ratio of the sums over the boards that both finished.
"""

from __future__ import annotations

import argparse
import multiprocessing
import time
from collections.abc import Callable
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from benchmarks.enumerate import measure
from benchmarks.known_boards import KnownBoard, known_boards
from evo.experiments.enumerating import settings_of
from evo.experiments.warmup import warm
from puzzles import Puzzle
from solvers import cp_sat_solutions, sat_solutions

_SMALL = Puzzle(1, 1, [[0, 0, 0, 0]], strict=False)
LIBRARIES: dict[str, Callable[..., list[Any]]] = {"sat": sat_solutions, "cp-sat": cp_sat_solutions}


def main() -> None:
    """Count the same boards by all, board by board."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--boards", nargs="*", help="names of boards; by default all")
    parser.add_argument("--seconds", type=float, default=60.0, help="the longest time of a library on a board")
    given = parser.parse_args()
    boards = [board for board in known_boards(given.file) if not given.boards or board.puzzle.name in given.boards]
    settings = settings_of("portfolio", limit=0, hints="all", fix_corner=False, seed=1)
    warm(boards[0].puzzle, settings)
    sums = {name: [0, 0.0, 0.0] for name in LIBRARIES}
    for board in boards:
        tally, own = measure(board.puzzle, settings)
        check(board, tally.solutions)
        line = f"{board.puzzle.name:16} {tally.solutions:6} solutions  portfolio {own:8.3f} s"
        for name in LIBRARIES:
            seconds = measured(board, name, given.seconds)
            line += f"  {name} {seconds:8.3f} s" if seconds is not None else f"  {name} not finished"
            if seconds is not None:
                sums[name] = [sums[name][0] + 1, sums[name][1] + own, sums[name][2] + seconds]
        print(line, flush=True)
    for name, (count, own, seconds) in sums.items():
        ratio = seconds / own if own else float("nan")
        print(f"{name}: {count} of {len(boards)} boards, {seconds:.1f} s; portfolio {own:.2f} s: {ratio:.0f} times")


def check(board: KnownBoard, solutions: int) -> None:
    """Refuse a wrong count: it would make the comparison worthless."""
    if solutions != board.solutions:
        raise SystemExit(f"{board.puzzle.name}: {solutions} solutions counted; {board.solutions} are known")


def measured(board: KnownBoard, library: str, limit: float) -> float | None:
    """Return the processor seconds that a library needs, in a process of its own; None if it was stopped."""
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=partial(_count, library, board, sender))
    process.start()
    answer: tuple[int, float] | None = receiver.recv() if receiver.poll(limit + 10) else None
    process.terminate()
    process.join()
    if answer is None or answer[1] > limit:
        return None
    check(board, answer[0])
    return answer[1]


def _count(library: str, board: KnownBoard, sender: Connection) -> None:
    run = LIBRARIES[library]
    run(_SMALL, ())  # imports the library, which is not to be counted
    start = time.process_time()
    found = run(board.puzzle, board.puzzle.hints)
    sender.send((len(found), time.process_time() - start))


if __name__ == "__main__":
    main()
