"""The suites of docs/evolution.md: `python -m benchmarks.evolution RECORD.csv SUITE ... [--seed S] [--part K/N]`.

Runs what `evo run SUITE --seed S` would run, but for seconds of the processor, and adds a line for each run to the
record; what is there already is not run again. With `--part 2/3` it makes only the second of three parts of the runs;
the parts of a suite need records of their own, which `--add` joins to the first one. Then prints the tables of
these suites; `--page` puts all tables of the record into docs/evolution.md, and `--picture` draws the ladder.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from benchmarks.evolution_facts import facts_table, goals_table
from evo import __version__
from evo.analysis.statistics import holm, magnitude, mann_whitney, p_statement, vargha_delaney
from evo.experiments.plan import Run, make_plan
from evo.experiments.store import Store
from evo.experiments.warmup import warm
from evo.settings.base import make_search
from evo.settings.registry import make_settings
from plots.ladders import Ladder, ladder_sheet
from plots.style import printed, save_picture
from puzzles import Board, load

COLUMNS = ["suite", "row", "seed", "run", "score", "mean", "evaluations", "seconds", "version", "link"]
TASK = COLUMNS[:4]
MISSING = "*The record has no runs of this yet.*"
TABLES = {
    "minute": ("beam_control", "memetic_60s", "memetic_prefix_60s"),
    "ladder": ("ladder",),
    "ablations": ("ablations",),
    "orders": ("orders",),
    "islands": ("islands",),
}
"""The tables of docs/evolution.md, and the suites whose rows they have."""


def main() -> None:
    """Run what is missing, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("record", type=Path)
    parser.add_argument("suites", nargs="*")
    parser.add_argument("--seed", type=int, default=18)
    parser.add_argument("--runs", type=int, help="of each row; by default those of the suite")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--part", type=_part, default=(1, 1), help="which part of the runs of a suite to make, as K/N")
    parser.add_argument("--add", type=Path, nargs="*", default=[], help="records of parts to add to the record")
    parser.add_argument("--experiment", type=Path, help="results of `evo run` whose runs to add to the record")
    parser.add_argument("--page", type=Path, help="the page into which the tables are put")
    parser.add_argument("--picture", type=Path, help="where the ladder is drawn")
    given = parser.parse_args()
    if not given.record.exists():
        pd.DataFrame(columns=COLUMNS).to_csv(given.record, index=False)
    for part in given.add:
        pd.read_csv(part).to_csv(given.record, mode="a", header=False, index=False)
    for line in of_experiment(given.experiment) if given.experiment else []:
        pd.DataFrame([line]).to_csv(given.record, mode="a", header=False, index=False)
    if given.add or given.experiment:
        in_order(pd.read_csv(given.record, dtype=str)).to_csv(given.record, index=False)
    done = set(pd.read_csv(given.record)[TASK].itertuples(index=False, name=None))
    for suite in given.suites:
        runs = make_plan([suite], seed=given.seed, runs=given.runs).runs[given.part[0] - 1 :: given.part[1]]
        tasks = [one for one in runs if (suite, one.setting, given.seed, one.run) not in done]
        with ProcessPoolExecutor(given.jobs) as pool:
            for task, outcome in zip(tasks, pool.map(run, tasks), strict=True):
                line = [suite, task.setting, given.seed, task.run, *outcome]
                print(*line[:-1], file=sys.stderr, flush=True)
                pd.DataFrame([line]).to_csv(given.record, mode="a", header=False, index=False)
    record = pd.read_csv(given.record)
    for suite in given.suites:
        print(table(record[record["suite"] == suite]), end="\n\n")
    if given.page:
        given.page.write_text(with_tables(given.page.read_text(), record))
    if given.picture:
        save_picture(draw_ladder(record[record["suite"] == "ladder"]), given.picture, force=True)


def _part(text: str) -> tuple[int, int]:
    number, _, count = text.partition("/")
    if not (number.isdecimal() and count.isdecimal() and 1 <= int(number) <= int(count)):
        raise argparse.ArgumentTypeError(f"expected K/N with 1 <= K <= N; found {text}")
    return int(number), int(count)


def run(planned: Run) -> list[object]:
    """The part of a line that a run gives."""
    puzzle, settings = load("eternity2"), make_settings(planned.settings)
    warm(puzzle, settings)
    search = make_search(puzzle, settings, np.random.default_rng(settings.seed))
    start, limit = time.process_time(), planned.seconds or float("inf")
    for progress in search.reports():
        board, seconds = progress.board, time.process_time() - start
        if seconds >= limit:
            break
    own = [board.score, f"{progress.mean:.1f}", progress.evaluations, f"{seconds:.2f}"]
    return [*own, __version__, board.to_url()]


def of_experiment(folder: Path) -> Iterator[list[object]]:
    """Yield a line for each run of an experiment; its seconds are those of the clock."""
    store = Store(folder)
    for one in store.runs:
        last, board = store.points(one)[-1], store.board(one)
        assert isinstance(board, Board)
        own = [board.score, f"{last.mean:.1f}", last.evaluations, f"{last.seconds:.2f}"]
        yield [store.name, one.setting, store.seed, one.run, *own, __version__, board.to_url()]


def in_order(record: pd.DataFrame) -> pd.DataFrame:
    """Return a record with its rows in the order of their suites, on which comparisons depend."""
    planned = [
        (suite, one.setting) for suite in sorted(set(record["suite"])) for one in make_plan([suite], runs=1).runs
    ]
    place = {row: number for number, row in enumerate(dict.fromkeys(planned))}
    places = pd.Series([place[row] for row in zip(record["suite"], record["row"], strict=True)], record.index)
    keys = pd.DataFrame({"place": places, "seed": record["seed"].astype(int), "run": record["run"].astype(int)})
    return record.loc[keys.sort_values(["place", "seed", "run"], kind="stable").index]


def comparisons(record: pd.DataFrame) -> Iterator[tuple[str, pd.Series, str]]:
    """Yield each row of a table with its scores, and in words how they compare with those of another row."""
    suite, names = record["suite"].iloc[0], list(dict.fromkeys(record["row"]))
    scores = {name: record.loc[record["row"] == name, "score"] for name in names}
    others = {name: _compared(suite, names, name) for name in names}
    tested = {name: other for name, other in others.items() if other != name}
    corrected = iter(holm([mann_whitney(scores[name], scores[other]) for name, other in tested.items()]))
    for name in names:
        words = ""
        if name in tested:
            effect = vargha_delaney(scores[name], scores[tested[name]])
            gain = scores[name].mean() - scores[tested[name]].mean()
            words = f"{gain:+.1f}, A = {effect:.2f} ({magnitude(effect)}), {p_statement(next(corrected))}"
        yield name, scores[name], words


def _compared(suite: str, names: list[str], name: str) -> str:
    """Return the row that a row is compared with: itself if with none."""
    if suite == "ladder":
        return names[max(0, names.index(name) - 1)]
    if suite == "orders":
        return f"{name.rpartition(', ')[0]}, random"
    return names[0]


def tables(record: pd.DataFrame) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each table for whose suites there are runs."""
    for name, suites in TABLES.items():
        parts = [part for suite in suites if len(part := record[record["suite"] == suite])]
        if parts:
            yield name, table(pd.concat(parts))
    for name, text in (("facts", facts_table(record)), ("goals", goals_table(record))):
        if text.count("\n") > 1:
            yield name, text


def with_tables(page: str, record: pd.DataFrame) -> str:
    """Return a page with the tables of a record after the comments that name them, in place of what is there."""
    found = dict(tables(record))
    for name in (*TABLES, "facts", "goals"):
        text = found.get(name, MISSING)  # tables have no backslashes
        page = re.sub(rf"(<!-- {name} -->\n)(\|.*\n|{re.escape(MISSING)}\n)*", rf"\g<1>{text}\n", page)
    return page


def table(record: pd.DataFrame) -> str:
    """Return a Markdown table with a line for each row; p values are corrected by Holm's method."""
    lines = ["| row | runs | mean | sd | least .. best | evaluations (median) | difference |", "|---" * 7 + "|"]
    for name, scores, words in comparisons(record):
        evaluations = int(record.loc[record["row"] == name, "evaluations"].median())
        spread = f"{scores.min()} .. {scores.max()}"
        cells = [name, len(scores), f"{scores.mean():.1f}", f"{scores.std():.1f}", spread, f"{evaluations:,}", words]
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join(lines)


@printed
def draw_ladder(record: pd.DataFrame) -> Figure:
    """Draw each run of the ladder as a point, a step a line, and the mean of a step as a bar."""
    steps = [(name, scores) for name, scores, _ in comparisons(record)]
    ladder = Ladder([name for name, _ in steps], [f"{scores.mean():.1f}" for _, scores in steps])
    seconds = round(float(record["seconds"].median()))
    heading = ("From the paper's best row to the best evolution", "one change a step; each point is a run")
    figure, [axes] = ladder_sheet([ladder], f"matching edges of 480 after {seconds} seconds of one core", heading)
    for at, (_, scores) in enumerate(steps):
        axes.plot(scores, [at] * len(scores), "o", color="tab:blue", alpha=0.45, markersize=4)
        axes.plot([scores.mean()], [at], "|", color="black", markersize=11, markeredgewidth=1.6)
    return figure


if __name__ == "__main__":
    main()
