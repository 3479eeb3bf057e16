"""Analysis of experiments: statistics, comparisons, summaries beside the paper, its conclusions, and exports.

All functions work on tidy frames: `runs` with one line per run, and `trace` with one line per trace point. A `Study`
holds the frames of an experiment.
"""

from evo.analysis.comparison import compare, fitness_verdicts, notes
from evo.analysis.conclusions import Conclusion, conclusions
from evo.analysis.external_results import add_foreign, read_foreign
from evo.analysis.ioh import export_ioh
from evo.analysis.statistics import contrast_p, holm, mann_whitney, vargha_delaney
from evo.analysis.study import Study
from evo.analysis.summary import paper_table, summary

__all__ = [
    "Conclusion",
    "Study",
    "add_foreign",
    "compare",
    "conclusions",
    "contrast_p",
    "export_ioh",
    "fitness_verdicts",
    "holm",
    "mann_whitney",
    "notes",
    "paper_table",
    "read_foreign",
    "summary",
    "vargha_delaney",
]
