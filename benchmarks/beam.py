"""Beam search, compiled, in plain Python and in hand-written C: `python -m benchmarks.beam`."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from statistics import mean, median

import numpy as np

import puzzles
from benchmarks.plain_beam import plain_beam
from operators import make_path
from solvers.construct.beam import Beam, BeamOptions
from solvers.construct.route import DEFAULT_PATH

WIDTHS = (1_024, 16_384)
ROUNDS = 5
PLAIN_SIZE, PLAIN_WIDTH = 8, 16
_NUMBERS, _EARLY, _NONE_FITS, _ONE_FITS = 55, (20, 21, 22), 30, 31
"""The C program's settings: how many there are, and which are not 0 here."""
_EARLY_WIDTH = 0.1
"""What the C program was tuned with; it has no late value, so ours is off in this comparison."""


def main() -> None:
    """Measure boards of Eternity II, in turns with the others; and how many children are evaluated a second."""
    puzzle = puzzles.load("eternity2")
    reference = Yardstick(source) if (source := yardstick_source()) else None
    print("boards of Eternity II by beam search")
    for width in WIDTHS:
        beam = Beam(puzzle, options=BeamOptions(width=width, early_width=_EARLY_WIDTH, late_rows=0))
        beam.construct(np.random.default_rng(0))
        seconds, children, scores, others, their_scores = [], [], [], [], []
        for seed in range(1, ROUNDS + 1):
            begun = time.perf_counter()
            built = beam.construct(np.random.default_rng(seed))
            seconds.append(time.perf_counter() - begun)
            children.append(built.evaluated)
            scores.append(puzzle.max_score - built.mismatches)
            if reference is not None:
                score, other = reference.board(width, seed)
                others.append(other)
                their_scores.append(score)
        speed = sum(children) / sum(seconds) / 1e6
        print(
            f"  width {width:7,}  {median(seconds):6.3f} s  {speed:5.1f} million children/s  score {mean(scores):.1f}"
        )
        if reference is not None:
            ratio = median(seconds) / median(others)
            print(
                f"    hand-written C {median(others):6.3f} s: ours takes {ratio:.2f}x; score {mean(their_scores):.1f}"
            )
    _beside_plain()


def _beside_plain() -> None:
    puzzle, _ = puzzles.generate(PLAIN_SIZE, PLAIN_SIZE, 5, 12, 1)
    options = BeamOptions(width=PLAIN_WIDTH, noise=0.0)
    beam = Beam(puzzle, options=options)
    beam.construct(np.random.default_rng(0))
    begun = time.perf_counter()
    built = beam.construct(np.random.default_rng(0))
    ours = time.perf_counter() - begun
    path = make_path(DEFAULT_PATH, *puzzle.shape).tolist()
    begun = time.perf_counter()
    cells, _ = plain_beam(puzzle, options, path, (), beam.widths.tolist())
    plain = time.perf_counter() - begun
    same = "the same board" if (cells == built.cells).all() else "another board"
    ratio = f"{1e3 * ours:.1f} ms; in plain Python {plain:.1f} s, {plain / ours:,.0f}x"
    print(f"  {PLAIN_SIZE}x{PLAIN_SIZE}, width {PLAIN_WIDTH}: {ratio}: {same}")


def yardstick_source() -> Path | None:
    """Where the C source is: EVO_BEAM_REFERENCE, or beside the project; None when it or gcc is missing."""
    default = Path(__file__).parents[2] / "shared" / "bench" / "beam" / "beam.c"
    source = Path(os.environ.get("EVO_BEAM_REFERENCE", default))
    return source if source.is_file() and shutil.which("gcc") else None


class Yardstick:
    """The C program, compiled on the spot."""

    def __init__(self, source: Path) -> None:
        self.folder = tempfile.TemporaryDirectory()
        program = Path(self.folder.name) / "beam"
        pieces = puzzles.save(puzzles.load("eternity2"), Path(self.folder.name) / "pieces.csv")
        subprocess.run(["gcc", "-O3", "-march=native", str(source), "-o", str(program), "-lm"], check=True)
        self._process = subprocess.Popen(
            [str(program)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env={"PIECES": str(pieces)}
        )
        self.board(WIDTHS[0], 0)

    def board(self, width: int, seed: int) -> tuple[int, float]:
        """The score of a board, and the seconds that it took."""
        numbers = [0.0] * _NUMBERS
        for place in _EARLY:
            numbers[place] = float(np.log(_EARLY_WIDTH))
        numbers[_NONE_FITS], numbers[_ONE_FITS] = 0.2, 0.04
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{width} {seed} - x {' '.join(map(str, numbers))}\n")
        self._process.stdin.flush()
        score, _, seconds, _ = self._process.stdout.readline().split()
        return int(score), float(seconds)


if __name__ == "__main__":
    main()
