"""Which searches solve which puzzles: the table of the experiments of `evo.experiments.versus`."""

from __future__ import annotations

import pandas as pd

from evo.experiments.plan import Run
from evo.experiments.store import Record, Store

VERDICTS = {(1, True): "unique", (0, True): "no solution", (2, False): "several solutions"}
"""What an exact search tells by the number of solutions it has found, and whether these are all."""


def versus_runs(stores: list[Store]) -> pd.DataFrame:
    """Return one line per completed run.

    Returns:
        The columns puzzle, setting, run, solved, score, most (the score of a solution), evaluations, seconds (to the
        solution; of the whole run if there is none, and of exact searches, which go on to prove something) and verdict
        (what an exact search has proved; "" of others).
    """
    rows = []
    for store in stores:
        for run, record in store.records():
            if record.state == "done":
                rows.append(_line(store, run, record))
    columns = ["puzzle", "setting", "run", "solved", "score", "most", "evaluations", "seconds", "verdict"]
    return pd.DataFrame(rows, columns=columns)


def versus_table(runs: pd.DataFrame) -> pd.DataFrame:
    """Return one line per puzzle and setting, in their order of appearance.

    Returns:
        The columns puzzle, setting, solved (the number of runs), of, best and worst (scores), most, evaluations and
        seconds (medians of the runs that solved the puzzle, or of all if none did), and verdict.
    """
    rows = []
    for (puzzle, setting), part in runs.groupby(["puzzle", "setting"], sort=False):
        solving = part[part["solved"]] if part["solved"].any() else part
        rows.append(
            {
                "puzzle": puzzle,
                "setting": setting,
                "solved": int(part["solved"].sum()),
                "of": len(part),
                "best": int(part["score"].max()),
                "worst": int(part["score"].min()),
                "most": int(part["most"].max()),
                "evaluations": float(solving["evaluations"].median()),
                "seconds": float(solving["seconds"].median()),
                "verdict": part["verdict"].max(),
            }
        )
    order = {puzzle: place for place, puzzle in enumerate(dict.fromkeys(runs["puzzle"]))}
    table = pd.DataFrame(rows)
    return table.sort_values("puzzle", key=lambda column: column.map(order), kind="stable").reset_index(drop=True)


def _line(store: Store, run: Run, record: Record) -> dict[str, object]:
    most = store.puzzle.max_score
    solved = record.best_score == most
    first = next((point for point in store.points(run) if point.best == most), None) if solved else None
    return {
        "puzzle": store.puzzle.name,
        "setting": run.setting,
        "run": run.run,
        "solved": solved,
        "score": record.best_score,
        "most": most,
        "evaluations": first.evaluations if first else record.evaluations,
        "seconds": first.seconds if first and record.solutions < 0 else record.seconds,
        "verdict": VERDICTS.get((record.solutions, record.proved), ""),
    }
