"""Rows of an experiment: the runs that share a setting, an initialisation and a fitness.

This module is the only place that decides what a row is called and in which order rows are listed. Tables, reports and
pictures all follow it: pictures receive frames that `labelled` has sorted and labelled.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from evo.settings.paper import TABLE_2

if TYPE_CHECKING:
    import pandas as pd

INITS = ("random", "knowledge")
FITNESSES = ("normal", "combined")


class Row(NamedTuple):
    """What the runs of a row have in common; init and fitness are "" for algorithms that have none."""

    setting: str
    init: str = ""
    fitness: str = ""

    @property
    def label(self) -> str:
        """The name of the row, such as "GA_1 random combined"."""
        return " ".join(part for part in self if part)

    @property
    def short_label(self) -> str:
        """The name without the initialisation, such as "GA_1 combined", for places that state the initialisation."""
        return self._replace(init="").label


def in_order(rows: Iterable[Row]) -> list[Row]:
    """Return rows in the order in which they are listed everywhere.

    Settings of the paper come first, in the order of Table II; other settings follow in their order of appearance.
    Within a setting, rows are ordered by initialisation (none, random, knowledge, others) and then by fitness (none,
    normal, combined, others).
    """
    found = list(rows)
    known = [[row.setting for row in TABLE_2], ["", *INITS], ["", *FITNESSES]]
    orders = [list(dict.fromkeys([*names, *(row[part] for row in found)])) for part, names in enumerate(known)]
    return sorted(found, key=lambda row: [order.index(name) for order, name in zip(orders, row, strict=True)])


PAPER_ROWS = in_order(Row(result.setting, result.init or "", result.fitness or "") for result in TABLE_2)
"""The rows of the paper's Table II."""


def rows_of(frame: pd.DataFrame) -> list[Row]:
    """Return the rows that occur in a frame with the columns setting, init and fitness, in order."""
    keys = frame[list(Row._fields)].drop_duplicates()
    return in_order(Row(*map(str, key)) for key in keys.itertuples(index=False))


def labelled(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a frame sorted by row, with the columns label and short_label.

    The sort is stable: lines of the same row stay in their order.
    """
    import pandas as pd

    codes, keys = pd.factorize(pd.MultiIndex.from_frame(frame[list(Row._fields)]))
    found = [Row(*map(str, key)) for key in keys]
    place = {row: at for at, row in enumerate(in_order(found))}
    order = np.argsort(np.array([place[row] for row in found], dtype=np.int64)[codes], kind="stable")
    labels = {"label": [row.label for row in found], "short_label": [row.short_label for row in found]}
    kind = "category" if isinstance(frame["setting"].dtype, pd.CategoricalDtype) else None
    of_lines = {name: pd.Series(texts, dtype=kind).take(codes).array for name, texts in labels.items()}
    sorted_frame = frame.assign(**of_lines)
    if np.any(order[1:] < order[:-1]):  # else millions of lines would be copied for nothing
        sorted_frame = sorted_frame.iloc[order]
    return sorted_frame.reset_index(drop=True)


def some_labels(rows: Sequence[Row]) -> str:
    """Return the labels of the first two rows, and how many more there are."""
    more = f" and {len(rows) - 2} more" if len(rows) > 2 else ""
    return ", ".join(row.label for row in rows[:2]) + more
