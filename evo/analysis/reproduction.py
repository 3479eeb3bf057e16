"""Records beside the paper's results, as generated blocks of a Markdown page.

A page has text of its own, and blocks that begin with a comment such as `<!-- table2: agreement -->` and end with
`<!-- end -->`. The content of a block follows from the record alone and can be regenerated at any time.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from datetime import datetime
from typing import Any

import pandas as pd

from evo.analysis.comparison import compare
from evo.analysis.conclusions import CLOSE, conclusions
from evo.analysis.record import Recorded
from evo.analysis.statistics import SIGNIFICANCE_LEVEL, holm, p_statement, welch
from evo.analysis.summary import beside_paper, counting_note, paper_table, summary
from evo.errors import ConfigError
from evo.experiments.rows import Row, rows_of
from operators import score_text

AGREES, LITTLE = "agrees", "a little "
_PAPER_RUNS = 10
_FEWEST_ROWS = 3
_FIGURES = ("max", "min", "mean", "deviation")
_BLOCK = re.compile(r"(<!-- ([^\n:>]+): (\w+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)


def beside(runs: pd.DataFrame) -> pd.DataFrame:
    """Return the summary of some runs beside the paper's results, with a verdict on each row.

    A row agrees with the paper if Welch's test on the means and deviations shows no difference at 0.05, corrected by
    Holm's method over all rows. Otherwise it is above or below; "a little" if the difference is 5 % of the paper's mean
    or less.

    Args:
        runs: One line per run.

    Returns:
        One line per row that is also in the paper: the columns of `summary`, p_holm and verdict.
    """
    table = summary(runs, paper_table()).dropna(subset=["paper_mean", "deviation"]).reset_index(drop=True)
    ours = zip(table["mean"], table["deviation"], table["done"], strict=True)
    theirs = zip(table["paper_mean"], table["paper_deviation"], strict=True)
    table["p_holm"] = holm([welch(one, (*other, _PAPER_RUNS)) for one, other in zip(ours, theirs, strict=True)])
    table["verdict"] = [_verdict(line) for line in table.to_dict("records")]
    return table


def _verdict(line: dict[Any, Any]) -> str:
    if line["p_holm"] > SIGNIFICANCE_LEVEL:
        return AGREES
    size = LITTLE if abs(line["difference"]) <= CLOSE * line["paper_mean"] else ""
    return size + ("above" if line["difference"] > 0 else "below")


def rank_correlation(table: pd.DataFrame) -> tuple[float, float]:
    """Return Spearman's rho and Kendall's tau between our means and the paper's.

    Args:
        table: The result of `beside`.
    """
    from scipy import stats  # slow to import

    ours, theirs = table["mean"], table["paper_mean"]
    return float(stats.spearmanr(ours, theirs).statistic), float(stats.kendalltau(ours, theirs).statistic)


def refreshed(page: str, records: dict[str, Recorded]) -> str:
    """Return a page with all its blocks regenerated.

    Args:
        page: The Markdown text of the page.
        records: The records, by name.

    Raises:
        ConfigError: A block names a record or a kind that does not exist.
    """

    def anew(found: re.Match[str]) -> str:
        begin, name, kind, _, end = found.groups()
        if name not in records:
            raise ConfigError(f"block {name}: {kind}: there is no such record; expected one of {', '.join(records)}")
        if kind not in BLOCKS:
            raise ConfigError(f"block {name}: {kind}: there is no such kind; expected one of {', '.join(BLOCKS)}")
        return f"{begin}{BLOCKS[kind](records[name])}\n{end}"

    return _BLOCK.sub(anew, page)


def blank_page(records: dict[str, Recorded]) -> str:
    """Return a page with all blocks of some records, still empty."""
    parts = [f"<!-- {name}: {kind} -->\n<!-- end -->\n" for name in records for kind in BLOCKS]
    return "\n".join(["# Results\n", *parts])


def _facts(record: Recorded) -> str:
    """Return what was run, how long it took, and what was verified."""
    facts, table = record.facts, record.table
    total, seconds = int(table["evaluations"].sum()), float(table["seconds"].sum())
    begun, ended = datetime.fromisoformat(facts.begun), datetime.fromisoformat(facts.ended)
    elapsed = (ended - begun).total_seconds()
    return "\n".join(
        [
            f"- {len(table)} runs in {len(rows_of(record.runs))} rows, with seed {facts.seed}.",
            f"- {total:,} evaluations in {_hours(seconds)} of computing: {total / seconds:,.0f} per second.",
            f"- {_hours(elapsed)} from the start of the first run ({begun:%Y-%m-%d}) to the end of the last, including "
            "interruptions.",
            f"- {table['seed'].nunique()} different seeds and {len(set(record.links))} different boards; every board "
            "was verified to have the score that the table states.",
            f"- Versions: {', '.join(f'{name} {value}' for name, value in facts.versions.items())}.",
            f"- Machine: {', '.join(f'{name} {value}' for name, value in facts.machine.items())}.",
        ]
    )


def _agreement(record: Recorded) -> str:
    """Return how well the whole table agrees with the paper's."""
    table = beside(record.runs)
    if len(table) < _FEWEST_ROWS:
        return "Too few rows of the paper have several runs to tell how well the results agree with it."
    rho, tau = rank_correlation(table)
    counts = table["verdict"].value_counts()
    ranked = sorted(counts.index, key=lambda one: -counts[one])
    said = ", ".join(_counted(int(counts[verdict]), verdict) for verdict in ranked)
    apart = table["difference"].abs()
    return (
        f"Of {len(table)} rows, {said}. Rank correlation of the means over rows: Spearman's rho {rho:.3f}, Kendall's "
        f"tau {tau:.3f}. The means differ by {apart.mean():.1f} edges on average (median {apart.median():.1f})."
    )


def _counted(count: int, verdict: str) -> str:
    if verdict == AGREES:
        return f"{count} {'agrees' if count == 1 else 'agree'}"
    return f"{count} {'is' if count == 1 else 'are'} {verdict}"


def _table(record: Recorded) -> str:
    """Return a table of all rows beside the paper's, with the difference of the means and the verdict."""
    paper_heads = [*(f"paper: {name}" for name in _FIGURES), "difference", "verdict"]
    heads = ["row", "runs", *_FIGURES, *_true_heads(record), *paper_heads]
    lines = []
    for line in beside(record.runs).to_dict("records"):
        figures = [*_figures(line), *_true_figures(record, line), *_figures(line, "paper_")]
        lines.append([_label(line), f"{line['done']}", *figures, f"{line['difference']:+.1f}", line["verdict"]])
    return f"{_markdown(heads, lines)}\n\n{_counted_note(record)}{beside_paper(record.runs)}"


def _conclusions(record: Recorded) -> str:
    """Return the paper's conclusions with their verdicts."""
    parts = []
    for one in conclusions(record.runs):
        effect = "" if one.effect is None else f", {one.measure} {one.effect:.3g}"
        p = "" if one.p is None else f", {p_statement(one.p)}"
        note = f" ({one.note})" if one.note else ""
        parts.append(f"{one.number}. {one.text} **{one.verdict.capitalize()}**{effect}{p}. {one.comparison}{note}")
    return "\n".join(parts)


def _comparison(record: Recorded) -> str:
    """Return a summary of the rows, and the comparison of every two settings."""
    heads = ["row", "runs", *_FIGURES, *_true_heads(record), "seconds", "evaluations"]
    lines = []
    for line in summary(record.runs).to_dict("records"):
        spent = [f"{line['seconds']:.0f}", f"{line['evaluations']:,.0f}"]
        lines.append([_label(line), f"{line['done']}", *_figures(line), *_true_figures(record, line), *spent])
    try:
        compared = compare(record.runs, "setting").to_dict("records")
    except ConfigError:  # there is only one row
        compared = []
    note = [] if record.edges == "all" else [_counted_note(record).strip(), ""]
    return "\n".join([_markdown(heads, lines), "", *note, *map(_compared, compared)])


def _compared(line: dict[Any, Any]) -> str:
    what = f"{line['first']} against {line['second']}" + (f" ({line['group']})" if line["group"] else "")
    sure = "" if math.isnan(line["p_holm"]) else f", {p_statement(line['p_holm'])} (Mann-Whitney, Holm)"
    return f"- {what}: {line['verdict']}, A {line['effect']:.2f}{sure}."


def _best(record: Recorded) -> str:
    """Return a link to the best board in the public viewer, and its verified figures."""
    at = record.best
    line, board = record.table.iloc[at], record.boards[at]
    report = board.verify()
    return (
        f"[{score_text(board, record.edges)}]({record.links[at]}): {_label(line)}, run {line['run']}, seed "
        f"{line['seed']}; {report.blocks} blocks, {report.complete} complete tiles, {report.placed} pieces, "
        "no duplicates."
    )


BLOCKS: dict[str, Callable[[Recorded], str]] = {
    "facts": _facts,
    "agreement": _agreement,
    "table": _table,
    "conclusions": _conclusions,
    "comparison": _comparison,
    "best": _best,
}
"""The kinds of blocks, and the functions that generate them."""


def _label(line: Any) -> str:
    return Row(line["setting"], line["init"], line["fitness"]).label


def _figures(line: dict[Any, Any], whose: str = "") -> list[str]:
    ends = [f"{line[f'{whose}{name}']:.0f}" for name in ("max", "min")]
    mean = f"{line[f'{whose}mean']:.1f}"
    deviation = line[f"{whose}deviation"]
    return [*ends, mean if whose else f"**{mean}**", "-" if math.isnan(deviation) else f"{deviation:.2f}"]


def _true_heads(record: Recorded) -> list[str]:
    """Return the heads of the columns of true scores, which a table has unless all edges count."""
    return [] if record.edges == "all" else ["all edges: max", "all edges: mean"]


def _true_figures(record: Recorded, line: dict[Any, Any]) -> list[str]:
    return [] if record.edges == "all" else [f"{line['true_max']:.0f}", f"{line['true_mean']:.1f}"]


def _counted_note(record: Recorded) -> str:
    return "" if record.edges == "all" else counting_note(record.puzzle, record.edges) + " "


def _markdown(heads: list[str], lines: list[list[str]]) -> str:
    rule = ["---", *["---:"] * (len(heads) - 1)]
    return "\n".join(f"| {' | '.join(line)} |" for line in (heads, rule, *lines))


def _hours(seconds: float) -> str:
    hours, minutes = divmod(round(seconds / 60), 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min"
