"""A record beside the paper, in Markdown: tables that a page shows between marks, and that are made anew at any time.

A page has its own words, and blocks that begin with a comment such as `<!-- table2: agreement -->` and end with
`<!-- end -->`. What stands in a block follows from the record alone.
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
from evo.analysis.summary import beside_paper, paper_table, summary
from evo.errors import ConfigError
from evo.experiments.rows import Row, rows_of

AGREES, LITTLE = "agrees", "a little "
_PAPER_RUNS = 10
_FEWEST_ROWS = 3
_FIGURES = ("max", "min", "mean", "deviation")
_BLOCK = re.compile(r"(<!-- ([^\n:>]+): (\w+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)


def beside(runs: pd.DataFrame) -> pd.DataFrame:
    """The summary of some runs beside the paper, with a verdict on each row.

    A row agrees with the paper when Welch's test on both means and deviations shows no difference at 0.05, corrected by
    Holm for all rows. Otherwise it is above or below; a little, where that is 5 % of the paper's mean or less.

    Returns:
        The columns of `summary`, p_holm and verdict, a line per row that the paper has too.
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
    """Spearman's rho and Kendall's tau between our means and the paper's, over the rows of `beside`."""
    from scipy import stats  # slow to import

    ours, theirs = table["mean"], table["paper_mean"]
    return float(stats.spearmanr(ours, theirs).statistic), float(stats.kendalltau(ours, theirs).statistic)


def refreshed(page: str, records: dict[str, Recorded]) -> str:
    """A page with all its blocks made anew.

    Raises:
        ConfigError: A block is of a record or of a kind that there is not.
    """

    def anew(found: re.Match[str]) -> str:
        begin, name, kind, _, end = found.groups()
        if name not in records:
            raise ConfigError(f"block {name}: {kind}: there is no such record; there are {', '.join(records)}")
        if kind not in BLOCKS:
            raise ConfigError(f"block {name}: {kind}: there is no such kind; there are {', '.join(BLOCKS)}")
        return f"{begin}{BLOCKS[kind](records[name])}\n{end}"

    return _BLOCK.sub(anew, page)


def blank_page(records: dict[str, Recorded]) -> str:
    """A page with all blocks of some records, still empty."""
    parts = [f"<!-- {name}: {kind} -->\n<!-- end -->\n" for name in records for kind in BLOCKS]
    return "\n".join(["# Results\n", *parts])


def _facts(record: Recorded) -> str:
    """What was run, how long it took, and what was checked."""
    facts, table = record.facts, record.table
    total, seconds = int(table["evaluations"].sum()), float(table["seconds"].sum())
    begun, ended = datetime.fromisoformat(facts.begun), datetime.fromisoformat(facts.ended)
    elapsed = (ended - begun).total_seconds()
    return "\n".join(
        [
            f"- {len(table)} runs of {len(rows_of(record.runs))} rows; the seed is {facts.seed}.",
            f"- {total:,} evaluations, {_hours(seconds)} of computing: {total / seconds:,.0f} a second.",
            f"- {_hours(elapsed)} from the first start ({begun:%Y-%m-%d}) to the last end, interruptions included.",
            f"- {table['seed'].nunique()} different seeds, {len(set(record.links))} different boards; each board was "
            "recounted, and scores what the table says.",
            f"- Versions: {', '.join(f'{name} {value}' for name, value in facts.versions.items())}.",
            f"- Machine: {', '.join(f'{name} {value}' for name, value in facts.machine.items())}.",
        ]
    )


def _agreement(record: Recorded) -> str:
    """How well the whole table agrees with the paper's."""
    table = beside(record.runs)
    if len(table) < _FEWEST_ROWS:
        return "There are too few rows of the paper with several runs to say how well they agree with it."
    rho, tau = rank_correlation(table)
    counts = table["verdict"].value_counts()
    said = ", ".join(f"{counts[verdict]} {verdict}" for verdict in sorted(counts.index, key=lambda one: -counts[one]))
    apart = table["difference"].abs()
    return (
        f"Of {len(table)} rows: {said}. Rank correlation of the means over rows: Spearman's rho {rho:.3f}, Kendall's "
        f"tau {tau:.3f}. The means are {apart.mean():.1f} edges apart on average, {apart.median():.1f} in the median."
    )


def _table(record: Recorded) -> str:
    """Every row beside the paper's, with the difference of the means and the verdict."""
    heads = ["row", "runs", *_FIGURES, *(f"paper: {name}" for name in _FIGURES), "difference", "verdict"]
    lines = []
    for line in beside(record.runs).to_dict("records"):
        figures = [*_figures(line), *_figures(line, "paper_")]
        lines.append([_label(line), f"{line['done']}", *figures, f"{line['difference']:+.1f}", line["verdict"]])
    return f"{_markdown(heads, lines)}\n\n{beside_paper(record.runs)}"


def _conclusions(record: Recorded) -> str:
    """The paper's conclusions, each tested."""
    parts = []
    for one in conclusions(record.runs):
        effect = "" if one.effect is None else f", {one.measure} {one.effect:.3g}"
        p = "" if one.p is None else f", {p_statement(one.p)}"
        note = f" ({one.note})" if one.note else ""
        parts.append(f"{one.number}. {one.text} **{one.verdict.capitalize()}**{effect}{p}. {one.comparison}{note}")
    return "\n".join(parts)


def _comparison(record: Recorded) -> str:
    """Every two settings of a record beside each other."""
    heads = ["row", "runs", *_FIGURES, "seconds", "evaluations"]
    lines = []
    for line in summary(record.runs).to_dict("records"):
        spent = [f"{line['seconds']:.0f}", f"{line['evaluations']:,.0f}"]
        lines.append([_label(line), f"{line['done']}", *_figures(line), *spent])
    try:
        compared = compare(record.runs, "setting").to_dict("records")
    except ConfigError:  # there is but one row
        compared = []
    return "\n".join([_markdown(heads, lines), "", *map(_compared, compared)])


def _compared(line: dict[Any, Any]) -> str:
    what = f"{line['first']} against {line['second']}" + (f" ({line['group']})" if line["group"] else "")
    sure = "" if math.isnan(line["p_holm"]) else f", {p_statement(line['p_holm'])} (Mann-Whitney, Holm)"
    return f"- {what}: {line['verdict']}, A {line['effect']:.2f}{sure}."


def _best(record: Recorded) -> str:
    """The best board, as a link to the public viewer."""
    at = int(record.table["score"].argmax())
    line, report = record.table.iloc[at], record.boards[at].verify()
    return (
        f"[{report.score} of {report.max_score}]({record.links[at]}): {_label(line)}, run {line['run']}, seed "
        f"{line['seed']}; {report.blocks} blocks, {report.complete} complete tiles, {report.placed} pieces, none twice."
    )


BLOCKS: dict[str, Callable[[Recorded], str]] = {
    "facts": _facts,
    "agreement": _agreement,
    "table": _table,
    "conclusions": _conclusions,
    "comparison": _comparison,
    "best": _best,
}
"""The kinds of blocks."""


def _label(line: Any) -> str:
    return Row(line["setting"], line["init"], line["fitness"]).label


def _figures(line: dict[Any, Any], whose: str = "") -> list[str]:
    ends = [f"{line[f'{whose}{name}']:.0f}" for name in ("max", "min")]
    mean = f"{line[f'{whose}mean']:.1f}"
    deviation = line[f"{whose}deviation"]
    return [*ends, mean if whose else f"**{mean}**", "-" if math.isnan(deviation) else f"{deviation:.2f}"]


def _markdown(heads: list[str], lines: list[list[str]]) -> str:
    rule = ["---", *["---:"] * (len(heads) - 1)]
    return "\n".join(f"| {' | '.join(line)} |" for line in (heads, rule, *lines))


def _hours(seconds: float) -> str:
    hours, minutes = divmod(round(seconds / 60), 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min"
