"""The command that finds every solution of a puzzle: enumerate."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evo.cli.inputs import ForceOption, load_puzzle
from evo.experiments.words import plural

if TYPE_CHECKING:
    from evo.experiments.plan import Run
    from evo.experiments.store import Record, Store

_LINE_SECONDS = 10.0
"""How often the progress is printed, in seconds."""


def enumerate_solutions(
    puzzle: Annotated[str, typer.Argument(metavar="PUZZLE", help="The puzzle: a name or a file.")],
    engine: Annotated[
        str, typer.Option(metavar="ENGINE", help="portfolio, edge-filtering, backtracker or colour-pairs.")
    ] = "portfolio",
    limit: Annotated[
        int, typer.Option(min=0, metavar="N", help="Stop after this number of solutions; 0 finds all.")
    ] = 0,
    fix_corner: Annotated[
        bool,
        typer.Option("--fix-corner", help="Keep the first corner piece at the top left: no rotations."),
    ] = False,
    hints: Annotated[str, typer.Option(metavar="none|mandatory|all", help="Which hints to honour.")] = "none",
    hints_file: Annotated[
        str | None, typer.Option("--hints-file", metavar="FILE", help="A CSV table of hints for the puzzle.")
    ] = None,
    jobs: Annotated[
        int, typer.Option("--jobs", "-j", min=1, metavar="J", help="Number of parts of the tree, one core each.")
    ] = 1,
    dask: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Run the jobs on a Dask cluster; `local` starts one.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, metavar="N", help="Seed of the order in which pieces are tried.")] = 1,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="File for the solutions, a line of JSON each.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the counts as one JSON object.")] = False,
    force: ForceOption = False,
) -> None:
    """Find all solutions of a puzzle, and prove the count.

    Without hints and without a fixed corner, every rotation of a board is a solution of its own. Ctrl-C stops the
    search; `evo resume DIR` continues it. The share of the tree that is done is an estimate.

    Example: evo enumerate small.json --fix-corner -o solutions.jsonl
    """
    from evo.experiments.enumerating import divided, plan_enumeration, settings_of
    from evo.experiments.experiment import begin
    from puzzles import files
    from puzzles.file_io import check_free, naming

    settings = settings_of(engine, limit=limit, hints=hints, fix_corner=fix_corner, seed=seed)
    if output is not None:
        with naming(output):
            check_free(output, force=force)
    found = load_puzzle(puzzle)
    assert found is not None
    if hints_file is not None:
        found = files.with_hints(found, hints_file)
    store = begin(plan_enumeration(found, divided(found, settings, jobs)), None)
    work_off_enumeration(store, jobs=jobs, dask=dask, restart=False, as_json=as_json)
    if output is not None:
        _write(store, output, force=force)


def work_off_enumeration(store: Store, *, jobs: int, dask: str | None, restart: bool, as_json: bool) -> None:
    """Carry out or resume an enumeration, and print what it found."""
    from evo.experiments.enumerating import DEFINITION, stored_result
    from evo.experiments.experiment import work_off

    print(f"evo: {store.path}", file=sys.stderr, flush=True)
    in_process = None if len(store.runs) == 1 and dask is None else jobs
    watch = _Lines(store, quiet=as_json)
    interrupted = work_off(store, watch, jobs=in_process, dask=dask, restart=restart)
    failed = [(run, record) for run, record in store.records() if record.state == "failed"]
    for run, record in failed:
        print(f"evo: job {run.run} failed: {record.error}", file=sys.stderr)
    result = stored_result(store)
    if as_json:
        print(json.dumps(result.as_dict()))
    else:
        print(f"{result}\n\n{DEFINITION}")
        if result.solutions:
            print(f"\nsolutions are in {store.path / 'runs'}")
    if interrupted:
        print(f"evo: interrupted; continue with: evo resume {store.path}", file=sys.stderr)
        raise typer.Exit(130)
    if failed:
        raise typer.Exit(1)


class _Lines:
    """Prints the links of solutions while they are found, and now and then how far the search is."""

    def __init__(self, store: Store, *, quiet: bool) -> None:
        self._store, self._quiet, self._told = store, quiet, time.monotonic()
        self._shown: dict[str, int] = {}
        self._shares: dict[str, float] = {run.id: record.tree_share for run, record in store.records()}

    def started(self, run: Run, record: Record) -> None:
        """Remember which solutions were shown before."""
        self._shown[run.id] = len(self._store.solution_lines(run))

    def advanced(self, run: Run, record: Record) -> None:
        """Print new solutions, and the progress if it was not printed recently."""
        self._shares[run.id] = record.tree_share
        if not self._quiet and record.solutions > self._shown[run.id]:
            lines = self._store.solution_lines(run)
            for line in lines[self._shown[run.id] :]:
                print(json.loads(line)["url"], flush=True)
            self._shown[run.id] = len(lines)
        if time.monotonic() - self._told >= _LINE_SECONDS:
            self._told = time.monotonic()
            share = sum(self._shares.values()) / len(self._shares)
            count = sum(max(0, one.solutions) for _, one in self._store.records())
            text = f"about {100 * share:.1f}% of the tree done (an estimate), {plural(count, 'solution')}"
            print(f"evo: {text}", file=sys.stderr, flush=True)

    def ended(self, run: Run, record: Record) -> None:
        """Print the last solutions of a run."""
        self.advanced(run, record)


def _write(store: Store, output: Path, *, force: bool) -> None:
    """Write the solutions of all jobs to one file."""
    from puzzles.file_io import naming, write_bytes

    lines = [line for run in store.runs for line in store.solution_lines(run)]
    with naming(output):
        write_bytes(output, "".join(f"{line}\n" for line in lines).encode(), force=force)
    print(f"evo: {output}", file=sys.stderr)
