"""Small experiments for the tests of the live page."""

import json
from pathlib import Path

from evo.experiments.experiment import begin, run_experiment
from evo.experiments.plan import make_plan
from evo.experiments.store import Record, Store
from evo.experiments.trace import Point
from puzzles import generate
from puzzles.saving import encode

EVIL = "<script>document.title='owned'</script><img src=x onerror=alert(1)>\"'&"


SUITE = """
[[rows]]
name = "long"
algorithm = "RAND"
evaluations = 2_000

[[rows]]
name = "short"
algorithm = "RAND"
evaluations = 300
"""


def small_puzzle(folder: Path, name: str = "six", seed: int = 1) -> Path:
    """A puzzle of 6x6 with a name of one's choice."""
    path = folder / f"six{seed}.json"
    document = json.loads(encode(generate(6, 6, 3, 6, seed, hints=2)[0], "json")) | {"name": name}
    path.write_text(json.dumps(document))
    return path


def finished(folder: Path, out: str = "done", *, seed: int = 1, runs: int = 4, name: str = "six") -> Path:
    """A finished experiment of two rows of random boards: a moment's work."""
    puzzle = small_puzzle(folder, name, 1 if name == "six" else 2)
    (folder / f"{out}.toml").write_text(SUITE)
    run_experiment(folder / f"{out}.toml", out=folder / out, puzzle=str(puzzle), runs=runs, seed=seed)
    return folder / out


def begun(folder: Path, out: str = "begun") -> Store:
    """An experiment of which no run has started."""
    return begin(make_plan(["RAND"], puzzle=str(small_puzzle(folder)), evaluations=1_000, runs=2), folder / out)


def go_on(store: Store, at: int, evaluations: int, best: int, state: str = "running") -> None:
    """Write what a run would have written by now, as the driver does; the caller holds the lock."""
    run = store.runs[at]
    store.file(run, "").mkdir(exist_ok=True)
    points = [] if store.points(run) else [Point(1, 0.0, 5, 5.0, 5, float("nan"))]
    store.append(run, [*points, Point(evaluations, evaluations / 1e3, best, float(best), 3, float("nan"))])
    store.write_record(run, Record(state=state, evaluations=evaluations, best_score=best, seconds=evaluations / 1e3))
