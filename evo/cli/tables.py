"""Plain-text tables with aligned columns."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from rich.cells import cell_len


def text_table(heads: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Return a table as text: columns are aligned, numbers to the right, and missing numbers are dashes.

    Args:
        heads: The column headings.
        rows: The cells of each line.
    """
    kept = [list(row) for row in rows]
    cells = [list(heads), *([_cell(value) for value in row] for row in kept)]
    right = [any(_is_number(row[k]) for row in kept) for k in range(len(heads))]
    widths = [max(cell_len(line[k]) for line in cells) for k in range(len(heads))]
    lines = []
    for line in cells:
        gaps = [" " * (width - cell_len(part)) for part, width in zip(line, widths, strict=True)]
        parts = [gap + part if to_right else part + gap for part, gap, to_right in zip(line, gaps, right, strict=True)]
        lines.append("  ".join(parts).rstrip())
    return "\n".join(lines)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _cell(value: Any) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "-"
    if isinstance(value, float):
        return f"{value:,.1f}"
    return f"{value:,}" if _is_number(value) else str(value)
