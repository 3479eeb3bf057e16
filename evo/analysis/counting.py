"""Solvers that count solutions, compared: what each setting needs, in nodes and seconds, on the instances all finished.

These are the tables of Benoist and Bourreau: sums over instances, and gains against a setting (Table 1, Figure 7). A
setting that did not finish an instance has no count there, and sums over different instances say nothing; so the sums
are over the instances that every setting has proved.
"""

from __future__ import annotations

import pandas as pd

from evo.errors import ConfigError


def common_instances(counts: pd.DataFrame) -> list[str]:
    """Return the puzzles whose count every setting has proved, in their order of appearance."""
    settings = counts["setting"].nunique()
    proved = counts[counts["proved"]].groupby("puzzle", sort=False)["setting"].nunique()
    return [str(puzzle) for puzzle, number in proved.items() if number == settings]


def count_table(counts: pd.DataFrame, against: str | None = None) -> pd.DataFrame:
    """Return one line per setting: how many instances it proved, and what it needed on those that all proved.

    Args:
        counts: The result of `evo.experiments.count_frames.counts`.
        against: The setting to compare with; by default the first.

    Returns:
        The columns setting, instances, proved, nodes, seconds (sums over the instances that all proved, the mean of
        several runs of one), nodes_per_second, node_gain and time_gain (the share that a setting saves of the nodes and
        of the seconds of `against`; negative if it needs more).

    Raises:
        ConfigError: There is no such setting.
    """
    settings = list(dict.fromkeys(counts["setting"]))
    chosen = against if against is not None else settings[0] if settings else ""
    if chosen not in settings:
        raise ConfigError(f"against: expected {' or '.join(settings) or 'a setting'}; found {chosen!r:.60}")
    each = counts.groupby("setting", sort=False)
    proved = counts[counts["proved"]].groupby("setting")["puzzle"].nunique()
    common = counts[counts["puzzle"].isin(common_instances(counts)) & counts["proved"]]
    sums = common.groupby(["setting", "puzzle"])[["nodes", "seconds"]].mean().groupby("setting").sum()
    table = pd.DataFrame({"setting": settings})
    table["instances"] = table["setting"].map(each["puzzle"].nunique())
    table["proved"] = table["setting"].map(proved).fillna(0).astype(int)
    for column in ("nodes", "seconds"):
        table[column] = table["setting"].map(sums[column]).fillna(0.0)
    table["nodes_per_second"] = table["nodes"] / table["seconds"].where(table["seconds"] > 0)
    base = table.set_index("setting").loc[chosen]
    for column, gain in (("nodes", "node_gain"), ("seconds", "time_gain")):
        table[gain] = 1 - table[column] / base[column] if base[column] > 0 else float("nan")
    return table


def instance_table(counts: pd.DataFrame) -> pd.DataFrame:
    """Return one line per puzzle: its solutions, whether they are proved, and the setting that proved them fastest.

    Returns:
        The columns puzzle, solutions, proved, fastest, nodes and seconds, sorted by seconds; puzzles that none proved
        come last, with the most solutions that any found.
    """
    rows = []
    for puzzle, part in counts.groupby("puzzle", sort=False):
        proved = part[part["proved"]].sort_values("seconds", kind="stable")
        best = proved.iloc[0] if len(proved) else None
        if best is None:
            rows.append((puzzle, int(part["solutions"].max()), False, "", float("nan"), float("nan")))
        else:
            rows.append((puzzle, int(best["solutions"]), True, best["setting"], float(best["nodes"]), best["seconds"]))
    table = pd.DataFrame(rows, columns=["puzzle", "solutions", "proved", "fastest", "nodes", "seconds"])
    return table.sort_values("seconds", kind="stable", na_position="last").reset_index(drop=True)
