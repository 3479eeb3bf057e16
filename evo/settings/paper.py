"""The paper's Table I (settings) and Table II (results), as printed."""

from __future__ import annotations

from typing import Any, NamedTuple


def _generational(algorithm: str, crossover: int, mutation: int, elite: int) -> dict[str, Any]:
    shares = {"crossover": crossover, "mutation": mutation, "elite": elite}
    return {"algorithm": algorithm, "population": 10_000, **shares, "tournament": 3}


TABLE_1: dict[str, dict[str, Any]] = {
    "GA_1": _generational("GA", 9_000, 999, 1),
    "GA_2": _generational("GA", 5_000, 4_999, 1),
    "GA_3": _generational("GA", 7_500, 2_500, 0),
    "AIEA_1": {"algorithm": "AIEA", "population": 10_000, "tournament": 3},
    "AIEA_2": {"algorithm": "AIEA", "population": 10_000, "tournament": 20},
    "AIEA_3": {"algorithm": "AIEA", "population": 1_000, "tournament": 3},
    "MOEA_1": _generational("MOEA", 9_000, 990, 10),
    "MOEA_2": _generational("MOEA", 5_000, 4_990, 10),
}


OPEN_CHOICES = {
    *("distinct_parents", "edges", "exchange", "fewest_mutations", "framed", "most_mutations", "mutant_tournament"),
    *("partner_tournament", "path", "refill", "replacement", "reported", "ties", "turns"),
}
"""The settings that the paper leaves open: whatever they are, its figures apply to the rows of Table I, RAND and ES."""


class PaperRow(NamedTuple):
    """A row of Table II: the score over ten runs of 5 * 10**7 evaluations."""

    setting: str
    init: str | None
    fitness: str | None
    max: int
    min: int
    mean: float
    deviation: float


TABLE_2 = [
    PaperRow("RAND", None, None, 48, 44, 46.3, 1.0),
    PaperRow("ES", None, None, 371, 358, 364.4, 4.36),
    PaperRow("GA_1", "random", "normal", 303, 278, 292.5, 8.56),
    PaperRow("GA_2", "random", "normal", 169, 152, 159.7, 4.78),
    PaperRow("GA_3", "random", "normal", 105, 63, 90.2, 12.79),
    PaperRow("GA_1", "knowledge", "normal", 394, 382, 385.9, 3.33),
    PaperRow("GA_2", "knowledge", "normal", 358, 348, 351.3, 2.76),
    PaperRow("GA_3", "knowledge", "normal", 343, 334, 337.9, 3.08),
    PaperRow("GA_1", "random", "combined", 352, 334, 345.8, 4.92),
    PaperRow("GA_2", "random", "combined", 338, 144, 214.7, 78.02),
    PaperRow("GA_3", "random", "combined", 364, 344, 355.9, 6.36),
    PaperRow("GA_1", "knowledge", "combined", 387, 377, 382.3, 3.26),
    PaperRow("GA_2", "knowledge", "combined", 391, 341, 355.3, 12.97),
    PaperRow("GA_3", "knowledge", "combined", 374, 363, 367.4, 3.85),
    PaperRow("AIEA_1", "random", "normal", 236, 224, 230.1, 3.56),
    PaperRow("AIEA_2", "random", "normal", 272, 260, 266.5, 3.64),
    PaperRow("AIEA_3", "random", "normal", 285, 274, 278.3, 3.16),
    PaperRow("AIEA_1", "knowledge", "normal", 373, 364, 369.4, 3.14),
    PaperRow("AIEA_2", "knowledge", "normal", 385, 374, 379.8, 3.16),
    PaperRow("AIEA_3", "knowledge", "normal", 379, 373, 375.9, 1.81),
    PaperRow("AIEA_1", "random", "combined", 244, 218, 229.5, 8.89),
    PaperRow("AIEA_2", "random", "combined", 292, 270, 279.5, 7.49),
    PaperRow("AIEA_3", "random", "combined", 307, 383, 292.5, 6.42),  # the minimum is a misprint, likely 283
    PaperRow("AIEA_1", "knowledge", "combined", 372, 361, 366.4, 3.44),
    PaperRow("AIEA_2", "knowledge", "combined", 383, 372, 378.4, 3.35),
    PaperRow("AIEA_3", "knowledge", "combined", 376, 365, 372.3, 3.72),
    PaperRow("MOEA_1", "random", None, 365, 346, 356.7, 5.98),
    PaperRow("MOEA_2", "random", None, 364, 346, 358.3, 4.9),
    PaperRow("MOEA_1", "knowledge", None, 394, 382, 387.6, 2.94),
    PaperRow("MOEA_2", "knowledge", None, 396, 388, 392.5, 2.66),
]
