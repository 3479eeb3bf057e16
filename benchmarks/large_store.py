"""What the commands cost on a large experiment: `python -m benchmarks.large_store [--runs N] [--record FILE]`.

The experiment is synthetic, as if made by `evo run table2 --runs N`: each of the 30 rows of Table II has N runs, with
traces of some 120 rows, records and boards; the last hundred runs are not done. Nothing of it was computed. Each
command is a process of its own, of which the processor seconds and the most memory are measured; of the live page,
those of the server until it has answered for its first page, and for the page of the experiment with its pictures.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import re
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from dataclasses import asdict
from html import unescape
from pathlib import Path
from typing import Any

import numpy as np
import psutil

from evo.experiments import trace
from evo.experiments.machine import machine, versions
from evo.experiments.plan import make_plan
from evo.experiments.store import Record, Store, now
from evo.experiments.tasks import encoded
from evo.experiments.trace import Point
from puzzles import Board

EVO = [sys.executable, "-c", "from evo.cli import main; main()"]
_TIMED = """
import os, resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print([used.ru_utime + used.ru_stime, used.ru_maxrss])
"""
"""A small process that measures a command: a process begins with the memory of the one that starts it."""
_ROWS, _UNDONE, _BUDGET = 120, 100, 50_000_000


def make(directory: Path, runs: int) -> Store:
    """Write such an experiment, and return its store."""
    store = Store.create(directory, make_plan(["table2"], runs=runs))
    rng = np.random.default_rng(1)
    board = Board(store.puzzle, (rng.permutation(256) * 4).reshape(16, 16))  # type: ignore[arg-type]
    content, link = encoded(board), board.to_url()
    for number, run in enumerate(store.runs):
        undone = number >= len(store.runs) - _UNDONE
        spent = np.unique(np.geomspace(1, _BUDGET // (1 + undone), _ROWS).astype(np.int64))
        best = np.sort(rng.integers(100, 420, len(spent)))
        record = Record("interrupted" if undone else "done", now(), now(), int(spent[-1]), int(best[-1]), int(best[-1]))
        record.seconds, record.board_url, record.versions, record.machine = 30.0, link, versions(), machine()
        record.front = [[int(best[-1]), 20, 40]] if run.algorithm == "MOEA" else []
        lines = [
            Point(int(at), 30.0 * at / _BUDGET, int(score), score * 0.9, int(score) - 60, 0.5).line()
            for at, score in zip(spent, best, strict=True)
        ]
        store.file(run, "").mkdir()
        store.file(run, "run.json").write_text(json.dumps(asdict(record), indent=1))
        store.file(run, "trace.csv").write_text(trace.HEADER + "".join(lines))
        store.file(run, "board.json").write_bytes(content)
    return store


def costs(directory: Path, folder: Path) -> Iterator[tuple[str, float, float]]:
    """Yield the name of each command, its processor seconds and its most memory in MB.

    Args:
        directory: The experiment.
        folder: A folder for what the commands write.
    """
    picture = ["--force", "-o", str(folder / "picture.png")]
    commands = {
        "status": ["status"],
        "results": ["results"],
        "results --json": ["results", "--json"],
        "compare": ["compare"],
        "conclusions": ["conclusions"],
        **{f"plot {kind}": ["plot", kind, *picture] for kind in ("convergence", "distributions", "ecdf", "pareto")},
        "report": ["report", "--force", "-o", str(folder / "report.html")],
    }
    for name, words in commands.items():
        yield name, *_cost([*words, str(directory)])
    yield from _live_costs(directory)


def _cost(arguments: list[str]) -> tuple[float, float]:
    timed = subprocess.run(
        [sys.executable, "-I", "-S", "-c", _TIMED, *EVO, *arguments], check=True, stdout=subprocess.PIPE
    )
    seconds, kilobytes = json.loads(timed.stdout)
    return seconds, kilobytes / 1024


def _live_costs(directory: Path) -> Iterator[tuple[str, float, float]]:
    command = [*EVO, "serve", str(directory), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            [address] = re.findall(r"http://[^\s/]+", server.stdout.readline())
            [page, *_] = re.findall(r'href="(/experiments/\w+)"', _answer(address + "/"))
            yield "live page: all experiments", *_so_far(server.pid)
            for source in re.findall(r'data-live src="([^"]+)"', _answer(address + page)):
                _answer(address + unescape(source))
            yield "live page: the experiment", *_so_far(server.pid)
        finally:
            server.terminate()


def _answer(address: str) -> str:
    with urllib.request.urlopen(address, timeout=600) as answer:
        content: bytes = answer.read()
    return content.decode("utf-8", "replace")


def _so_far(process: int) -> tuple[float, float]:
    """Return the processor seconds and the most memory of a living process, and of the processes that it started."""
    here = psutil.Process(process)
    family = [here, *here.children(recursive=True)]
    seconds = sum(sum(one.cpu_times()[:2]) for one in family)
    memory = [re.findall(r"VmHWM:\s+(\d+)", Path(f"/proc/{one.pid}/status").read_text())[0] for one in family]
    return seconds, sum(map(int, memory)) / 1024


def main() -> None:
    """Make an experiment, and measure all commands."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1000, help="the runs of each of the 30 rows")
    parser.add_argument("--record", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        store = make(Path(name) / "large", options.runs)
        head = {"version": versions()["evo"], "runs": len(store.runs)}
        for command, seconds, memory in costs(store.path, Path(name)):
            found: dict[str, Any] = {"command": command, "cpu_seconds": round(seconds, 2), "memory_mb": round(memory)}
            with contextlib.nullcontext(sys.stdout) if options.record is None else open(options.record, "a") as stream:
                print(json.dumps(head | found), file=stream, flush=True)


if __name__ == "__main__":
    main()
