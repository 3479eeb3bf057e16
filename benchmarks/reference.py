"""The hand-optimised C reference of GA_1, compiled on the spot when gcc and its source are there."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import puzzles


def reference_source() -> Path | None:
    """Where the C source is: EVO_GA_REFERENCE, or beside the project; None when it or gcc is missing."""
    default = Path(__file__).parents[2] / "shared" / "bench" / "ga_reference.c"
    source = Path(os.environ.get("EVO_GA_REFERENCE", default))
    return source if source.is_file() and shutil.which("gcc") else None


class Reference:
    """The compiled reference."""

    def __init__(self, source: Path) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.program = Path(self.folder.name) / "reference"
        self.pieces = puzzles.save(puzzles.load("eternity2"), Path(self.folder.name) / "pieces.csv")
        subprocess.run(["gcc", "-O3", "-march=native", str(source), "-o", str(self.program)], check=True)

    def evaluations_per_second(self, generations: int, seed: int) -> float:
        """How fast so many generations of GA_1 go."""
        command = [str(self.program), str(generations), str(seed), str(self.pieces)]
        printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        found = re.search(r"evaluations_per_second (\d+)", printed)
        if found is None:
            raise RuntimeError(f"the reference printed {printed!r}")
        return float(found[1])
