"""What people call the rows of an experiment."""

from __future__ import annotations


def row_label(setting: str, init: str, fitness: str) -> str:
    """The name of a row, such as "GA_1 random combined"; init and fitness are empty where there is none."""
    return " ".join(part for part in (setting, init, fitness) if part)
