"""A synthetic experiment of many runs: `python -m benchmarks.large_store DIR N`, as `evo run table2 --runs N`.

Each of the 30 rows of Table II has N runs, with traces of some 120 rows, records and boards; the last hundred runs are
not done. Nothing of it was computed. N = 1,000 makes the 30,000 runs of the figures in docs/scale.md.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path

import numpy as np

from evo.experiments import trace
from evo.experiments.machine import machine, versions
from evo.experiments.plan import make_plan
from evo.experiments.store import Record, Store, now
from evo.experiments.tasks import encoded
from evo.experiments.trace import Point
from puzzles import Board

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


if __name__ == "__main__":
    make(Path(sys.argv[1]), int(sys.argv[2]))
