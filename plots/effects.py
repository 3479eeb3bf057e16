"""What a test of two rows says, for people: the p value, the effect size, and from where on it is called large."""

from __future__ import annotations

import pandas as pd

SIGNIFICANT = 0.05
"""A p value below this counts."""
THRESHOLDS = {"small": 0.56, "medium": 0.64, "large": 0.71}
"""Vargha and Delaney's: from where on an effect is called so."""
TOO_FEW = "too few runs"
"""The verdict where no outcome could have been significant."""


def p_text(p: float) -> str:
    """A p value for people, with so many places that one that counts never looks like one that does not."""
    if p < 0.001:
        return "p < 0.001"
    places = 3
    while p < SIGNIFICANT <= float(f"{p:.{places}f}"):
        places += 1
    return f"p = {p:.{places}f}"


def effect_text(effect: float, p: float) -> str:
    """The figures behind a verdict: the effect size, and the p value where there is one."""
    return f"A = {effect:.2f}" if pd.isna(p) else f"A = {effect:.2f}, {p_text(p)}"
