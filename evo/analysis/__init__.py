"""What experiments say: statistics, comparisons, the summary beside the paper, its conclusions, the IOHprofiler export.

Everything works on tidy frames: `runs` with a row per run, `trace` with a row per trace point.
"""

from evo.analysis.comparison import compare, fitness_verdicts, notes
from evo.analysis.conclusions import Conclusion, conclusions
from evo.analysis.external_results import add_foreign, read_foreign
from evo.analysis.ioh import export_ioh
from evo.analysis.statistics import contrast_p, holm, mann_whitney, vargha_delaney
from evo.analysis.summary import paper_table, summary

__all__ = [
    "Conclusion",
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
