"""Small experiments for tests: a small puzzle, every algorithm, a second of work."""

import re
from pathlib import Path

from evo.experiments.plan import Plan, make_plan
from evo.experiments.store import Store
from puzzles import generate
from puzzles.saving import save

SUITE = """
seed = 3
runs = {runs}

[[rows]]
name = "ga"
algorithm = "GA"
population = 40
crossover = 24
mutation = 13
elite = 3
evaluations = {generational}
fitness = "combined"

[[rows]]
name = "moea"
algorithm = "MOEA"
population = 40
crossover = 24
mutation = 13
elite = 3
evaluations = {generational}
init = "knowledge"

[[rows]]
name = "aiea"
algorithm = "AIEA"
population = 40
evaluations = {evaluations}

[[rows]]
name = "rand"
algorithm = "RAND"
evaluations = {evaluations}

[[rows]]
name = "es"
algorithm = "ES"
evaluations = {evaluations}

[[rows]]
name = "memetic"
algorithm = "AIEA"
population = 40
evaluations = {evaluations}
repair = {{ size = 5, moves = 4, share = 0.5 }}

[[rows]]
name = "vlns"
algorithm = "VLNS"
init = "cp"
cp = {{ relaxed = 3, nodes = 20 }}
size = 5
plateau = 50
evaluations = {evaluations}

[[rows]]
name = "tabu"
algorithm = "TABU"
evaluations = {evaluations}

[[rows]]
name = "beam"
algorithm = "BEAM"
width = 6
orders = ["rows_columns", "spiral_in"]
population = 3
region = 0.3
region_cells = [5, 20]
pins = "all"
evaluations = {boards}

[[rows]]
name = "backtrack"
algorithm = "BACKTRACK"
favoured_sets = 3
opening_nodes = 2_000
evaluations = {evaluations}
"""


NAMES = re.findall('^name = "(.*)"$', SUITE, flags=re.MULTILINE)
"""The rows of the suite."""
COUNTING = ("GA", "AIEA", "MOEA", "RAND", "ES")
"""The algorithms that have the setting `edges`."""


def small_suite(folder: Path, evaluations: int = 30_000, runs: int = 1) -> str:
    """Write a suite of all algorithms on a puzzle of 6x6; returns its path.

    The generational ones, whose generations are small here, have a tenth of the budget; beams, which build whole
    boards, a three thousandth.
    """
    save(generate(6, 6, 3, 6, 1, hints=2)[0], str(folder / "six.json"), force=True)
    budgets = {"evaluations": evaluations, "generational": evaluations // 10, "boards": max(5, evaluations // 3_000)}
    text = f'puzzle = "six.json"\n{SUITE.format(runs=runs, **budgets)}'
    (folder / "small.toml").write_text(text)
    return str(folder / "small.toml")


def counting_suite(folder: Path, evaluations: int = 2_000, runs: int = 1, more: str = "") -> str:
    """Write the rows of the small suite that have the setting `edges`, all with those of the paper; returns its path.

    Args:
        folder: The folder to write to.
        evaluations: The budget of each row but the generational ones.
        runs: The number of runs of each row.
        more: Further lines for each row of GA, AIEA and MOEA.
    """
    head, *rows = Path(small_suite(folder, evaluations, runs)).read_text().split("[[rows]]\n")
    kept = [row for row in rows if re.search(f'algorithm = "({"|".join(COUNTING)})"', row)]
    evolving = [row + (f"{more}\n" if "population" in row else "") for row in kept]
    text = "[[rows]]\n".join([f'{head}edges = "paper"\n', *evolving])
    (folder / "counting.toml").write_text(text)
    return str(folder / "counting.toml")


def small_plan(folder: Path, evaluations: int = 30_000, runs: int = 1) -> Plan:
    return make_plan([small_suite(folder, evaluations, runs)])


def outcome(directory: Path) -> dict[str, bytes]:
    """The final bytes of an experiment: all that does not tell the time."""
    found = {}
    store = Store(directory)
    for run, record in store.records():
        assert record.state == "done", (run.label, record)
        found[f"{run.id} board"] = store.file(run, "board.json").read_bytes()
        lines = store.file(run, "trace.csv").read_text().splitlines()
        rows = [line.split(",") for line in lines]
        found[f"{run.id} trace"] = "\n".join(",".join(row[:1] + row[2:]) for row in rows).encode()
        facts = record.evaluations, record.best_score, record.true_score, record.board_url, record.front
        found[f"{run.id} record"] = repr(facts).encode()
        assert not store.file(run, "checkpoint").exists()
    return found
