"""How an experiment stands: its states, its progress, the time left, its best score and a small curve."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from statistics import mean

from evo.analysis.record_study import RecordStudy
from evo.experiments.lock import is_locked
from evo.experiments.plan import Run
from evo.experiments.rows import rows_of
from evo.experiments.store import STATES, Record, Store
from evo.experiments.words import share
from operators import most_score
from puzzles.protocols import AnyPuzzle

CURVE_WIDTH, CURVE_HEIGHT = 120, 32
"""The size of the small curve, in pixels."""


@dataclass(frozen=True)
class Standing:
    """What a list of experiments says about one of them."""

    name: str
    created: str
    """The time of its start in ISO format, or ""."""
    folder: str
    puzzle: str = ""
    rows: int = 0
    runs: int = 0
    states: str = ""
    """How many runs are in which state, in words."""
    working: bool = False
    """Whether a process is working on it."""
    share: float = 0.0
    """The share of the work that is done, from 0 to 1."""
    seconds_left: float | None = None
    best: int = -1
    most: int = 0
    """The highest possible score, of the edges that count."""
    curve: list[tuple[float, float]] = field(default_factory=list)
    """The best score of the best run, as points of a picture of `CURVE_WIDTH` by `CURVE_HEIGHT`."""
    error: str = ""
    """What is wrong with it, if it is damaged."""


def store_standing(store: Store) -> Standing:
    """Return how an experiment stands."""
    records = store.records()
    puzzle = store.puzzle
    best_run, best = max(records, key=lambda pair: pair[1].best_score)
    points = store.points(best_run) if best.best_score >= 0 else []
    return Standing(
        name=store.name,
        created=store.created,
        folder=store.path.name,
        puzzle=puzzle_text(puzzle),
        rows=len({run.label for run in store.runs}),
        runs=len(records),
        states=states_text([record.state for _, record in records]),
        working=is_locked(store.path),
        share=sum(share(run, record) for run, record in records) / len(records),
        seconds_left=seconds_left(records) if is_locked(store.path) else None,
        best=best.best_score,
        most=most_score(puzzle, store.edges),
        curve=small_curve([(point.evaluations, point.best) for point in points]),
    )


def record_standing(study: RecordStudy) -> Standing:
    """Return how the experiment of a record ended."""
    curves = study.curves
    highest = curves.loc[curves["median"].idxmax(), ["setting", "init", "fitness"]]
    best = curves[(curves[["setting", "init", "fitness"]] == highest).all(axis=1)]
    progress = best[study.over].clip(lower=1e-3)
    return Standing(
        name=study.name,
        created=study.record.facts.begun,
        folder="record",
        puzzle=puzzle_text(study.puzzle),
        rows=len(rows_of(study.runs)),
        runs=len(study.runs),
        states=states_text(list(study.runs["state"])),
        share=1.0,
        best=int(study.runs["best_score"].max()),
        most=most_score(study.puzzle, study.edges),
        curve=small_curve(list(zip(progress, best["median"], strict=True))),
    )


def states_text(states: list[str]) -> str:
    """Return how many runs are in which state, such as "3 running, 7 done"."""
    counts = Counter(states)
    return ", ".join(f"{counts[state]:,} {state}" for state in STATES if counts[state])


def puzzle_text(puzzle: AnyPuzzle) -> str:
    """Return the name and the size of a puzzle."""
    return f"{puzzle.name}, {puzzle.shape[0]}x{puzzle.shape[1]}"


def seconds_left(records: list[tuple[Run, Record]]) -> float | None:
    """Return an estimate of the time until all runs are done; None if nothing has been done yet.

    A run is expected to take as long as the others of its row did, or would at the speed of those that are running; a
    row of which nothing is known, as long as the average of the known rows. As many runs as now go on side by side.
    """
    known: dict[str, list[float]] = {}
    for run, record in records:
        part = share(run, record)
        if record.seconds > 0 and part > 0:
            known.setdefault(run.label, []).append(record.seconds / part)
    if not known:
        return None
    expected = {label: mean(found) for label, found in known.items()}
    average = mean(expected.values())
    work = sum((1 - share(run, record)) * expected.get(run.label, average) for run, record in records)
    return work / max(1, sum(record.state == "running" for _, record in records))


def small_curve(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return a score against the logarithm of evaluations as points of a small picture."""
    if len(points) < 2:
        return []
    xs, ys = [math.log(x) for x, _ in points], [float(y) for _, y in points]
    wide, high = max(xs) - min(xs) or 1.0, max(ys) - min(ys) or 1.0
    margin = 2
    return [
        (
            round(margin + (x - min(xs)) / wide * (CURVE_WIDTH - 2 * margin), 1),
            round(CURVE_HEIGHT - margin - (y - min(ys)) / high * (CURVE_HEIGHT - 2 * margin), 1),
        )
        for x, y in zip(xs, ys, strict=True)
    ]
