"""How fast the commands answer about a large experiment: `python -m benchmarks.answers DIR`.

The experiment that the figures in the docs are of: `evo run table2 --evaluations 100000 --out DIR`, 300 runs.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

ROUNDS = 3


def main(directory: str) -> None:
    """Time every command about results, each as a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        picture = str(Path(folder) / "picture.png")
        kinds = ("convergence", "distributions", "variants", "ecdf", "pareto", "diversity", "board")
        commands = {
            "status": ["status", directory],
            "results": ["results", directory],
            "results --json": ["results", directory, "--json"],
            "compare": ["compare", directory],
            "compare --by setting": ["compare", directory, "--by", "setting"],
            "conclusions": ["conclusions", directory],
            **{f"plot {kind}": ["plot", kind, directory, "--force", "-o", picture] for kind in kinds},
            "report": ["report", directory],
        }
        times: dict[str, list[float]] = {name: [] for name in commands}
        for _ in range(ROUNDS):
            for name, arguments in commands.items():
                start = time.perf_counter()
                subprocess.run(
                    [sys.executable, "-c", "from evo.cli import main; main()", *arguments],
                    check=True,
                    stdout=subprocess.DEVNULL,
                )
                times[name].append(time.perf_counter() - start)
    for name, of_one in times.items():
        print(f"  {name:22} {median(of_one):5.2f} s")


if __name__ == "__main__":
    main(sys.argv[1])
