"""Synthetic frames like those that pictures receive: tidy, sorted by row, and labelled."""

import numpy as np
import pandas as pd

from evo.experiments.rows import labelled

KEYS = ["setting", "algorithm", "init", "fitness", "run"]
LABELS = ["label", "short_label"]
RUNS = [*KEYS, "seed", "budget", "evaluations", "best_score", "seconds", "state", "board_url", *LABELS]
TRACE = [*KEYS, "evaluations", "seconds", "best", "mean", "worst", "diversity", *LABELS]
FRONTS = [*KEYS, "score", "blocks", "complete", *LABELS]

PAPER = pd.DataFrame(
    [
        ("RAND", "", "", 48, 44, 46.3, 1.0),
        ("ES", "", "", 371, 358, 364.4, 4.36),
        ("GA_1", "random", "normal", 303, 278, 292.5, 8.56),
        ("GA_1", "random", "combined", 352, 334, 345.8, 4.92),
        ("GA_1", "knowledge", "normal", 394, 382, 385.9, 3.33),
        ("GA_1", "knowledge", "combined", 387, 377, 382.3, 3.26),
        *((f"MOEA_{at}", init, "", 365, 346, 357.0, 5.0) for at in (1, 2) for init in ("random", "knowledge")),
    ],
    columns=["setting", "init", "fitness", "max", "min", "mean", "deviation"],
)


def runs_frame(*rows: tuple[str, str, str, list[int]], state: str = "done") -> pd.DataFrame:
    """Runs with the given scores for each setting, initialisation and fitness."""
    lines = [
        (setting, setting.split("_")[0], init, fitness, run, 100 + run, 1000, 1000, score, 1.5, state, "")
        for setting, init, fitness, scores in rows
        for run, score in enumerate(scores, start=1)
    ]
    return labelled(pd.DataFrame(lines, columns=RUNS[:-2]))


def trace_frame(*runs: tuple[str, str, str, int, list[tuple[int, int]]], diversity: float = 0.5) -> pd.DataFrame:
    """Traces with the given (evaluations, best) points for each setting, initialisation, fitness and run."""
    lines = [
        (setting, setting.split("_")[0], init, fitness, run, at, at / 100, best, best - 5.0, best - 9, diversity)
        for setting, init, fitness, run, points in runs
        for at, best in points
    ]
    return labelled(pd.DataFrame(lines, columns=TRACE[:-2]))


def fronts_frame(lines: list[tuple[str | int, ...]]) -> pd.DataFrame:
    """Return fronts with the given setting, algorithm, initialisation, fitness, run and objectives in each line."""
    return labelled(pd.DataFrame(lines, columns=FRONTS[:-2]))


def study(rows: list[tuple[str, str, str]], runs: int = 3, seed: int = 1) -> dict[str, pd.DataFrame]:
    """Runs, traces and fronts of a whole study."""
    rng = np.random.default_rng(seed)
    scores = {row: [int(score) for score in rng.integers(200, 400, runs)] for row in rows}
    traces, fronts = [], []
    for row, ends in scores.items():
        for run, end in enumerate(ends, start=1):
            places = sorted({1, 10_000, *(int(place) for place in 10 ** rng.uniform(0, 4, 20))})
            climb = np.linspace(20, end, len(places)).astype(int)
            traces.append((*row, run, list(zip(places, climb.tolist(), strict=True))))
            triples = rng.integers(50, 100, (4, 3)).tolist()
            fronts += [(row[0], row[0].split("_")[0], row[1], row[2], run, *triple) for triple in triples]
    return {
        "runs": runs_frame(*((*row, ends) for row, ends in scores.items())),
        "trace": trace_frame(*traces),
        "fronts": fronts_frame(fronts),
    }
