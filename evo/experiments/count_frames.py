"""Data frames of experiments whose runs count solutions: one line per run, of one puzzle or of many.

Runs that count are compared by what they need until they have proved a count: nodes and seconds. Unlike scores, these
can be put side by side for different puzzles, the instances of a benchmark.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from evo.errors import ConfigError
from evo.experiments.several import Source
from evo.experiments.store import Store

COUNT_COLUMNS = ["puzzle", "setting", "algorithm", "run", "solutions", "proved", "nodes", "seconds", "state"]
"""The columns of a frame of counts, in order."""


def counts(directories: Source | Sequence[Source]) -> pd.DataFrame:
    """Return one line per run of experiments that count solutions.

    Args:
        directories: The directory of an experiment, or several such directories, about any puzzles.

    Returns:
        The columns of `COUNT_COLUMNS`. A count that is not proved is the number of solutions found so far.

    Raises:
        StoreError: A directory does not hold an experiment, or the experiment is damaged.
        ConfigError: A run does not count solutions; two runs on a puzzle proved different counts; or two
            experiments have a run of the same setting on the same puzzle.
    """
    sources = (
        [directories] if isinstance(directories, str | Store) or not isinstance(directories, Sequence) else directories
    )
    lines: list[list[object]] = []
    seen: dict[tuple[str, str, int], Path] = {}
    for source in sources:
        store = source if isinstance(source, Store) else Store(source)
        for run, record in store.records():
            if record.solutions < 0 and record.state != "pending":
                raise ConfigError(f"{store.path}: {run.setting} looks for a good board; it does not count solutions")
            identity = (store.puzzle.name, run.setting, run.run)
            if identity in seen:
                raise ConfigError(f"{store.path}: {run.setting} on {store.puzzle.name} is also in {seen[identity]}")
            seen[identity] = store.path
            lines.append(
                [
                    store.puzzle.name,
                    run.setting,
                    run.algorithm,
                    run.run,
                    max(0, record.solutions),
                    record.proved,
                    record.evaluations,
                    record.seconds,
                    record.state,
                ]
            )
    frame = pd.DataFrame(lines, columns=COUNT_COLUMNS).astype({"proved": bool})
    _check_agreement(frame)
    return frame


def _check_agreement(frame: pd.DataFrame) -> None:
    for puzzle, proved in frame[frame["proved"]].groupby("puzzle", sort=False):
        found = dict.fromkeys(zip(proved["setting"], proved["solutions"], strict=True))  # runs of a setting count too
        if proved["solutions"].nunique() > 1:
            listed = ", ".join(f"{setting} {solutions}" for setting, solutions in found)
            raise ConfigError(f"{puzzle}: expected the same number of solutions from all; found {listed}")
