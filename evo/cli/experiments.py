"""The commands about experiments: run, resume, status, results."""

from __future__ import annotations

import math
import os
import shlex
import sys
import tomllib
from collections import Counter
from contextlib import nullcontext, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from evo.cli.inputs import say
from evo.cli.serve import ServeOption, served

if TYPE_CHECKING:
    from evo.experiments.store import Store

Directory = Annotated[Path, typer.Argument(metavar="DIR", help="Directory of an experiment.")]
Directories = Annotated[list[Path], typer.Argument(metavar="DIR...", help="Directories of one or several experiments.")]
Jobs = Annotated[
    int | None, typer.Option("--jobs", "-j", metavar="J", help="Number of worker processes [one per core].")
]
DaskOption = Annotated[
    str | None,
    typer.Option("--dask", metavar="CLUSTER", help="Dask: an address, a scheduler file, module:function, or local."),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print errors only.")]


def run(
    settings: Annotated[
        list[str], typer.Argument(metavar="SETTING...", help="Bundled settings, TOML files, or FILE.py:CLASS.")
    ],
    init: Annotated[
        str | None, typer.Option(metavar="random,knowledge", help="Initialisation; several separated by commas.")
    ] = None,
    fitness: Annotated[
        str | None, typer.Option(metavar="normal,combined", help="Fitness function; several separated by commas.")
    ] = None,
    runs: Annotated[int | None, typer.Option(metavar="N", help="Number of runs of each row.")] = None,
    evaluations: Annotated[int | None, typer.Option(metavar="N", help="Budget of a run in evaluations.")] = None,
    seconds: Annotated[
        float | None, typer.Option(metavar="S", help="Budget of a run in seconds; the first budget spent ends it.")
    ] = None,
    seed: Annotated[int | None, typer.Option(metavar="N", help="Master seed; each run derives its own.")] = None,
    puzzle: Annotated[
        str | None,
        typer.Option("--puzzle", "-p", metavar="PUZZLE", help="The puzzle to solve: a name or a file [eternity2]."),
    ] = None,
    jobs: Jobs = None,
    dask: DaskOption = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="DIR", help="Directory for the results [a new one in runs/results]."),
    ] = None,
    assignments: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Any other setting; may be repeated.")
    ] = None,
    serve: ServeOption = False,
    quiet: Quiet = False,
) -> None:
    """Run an experiment: several runs of each setting, on all cores.

    After Ctrl-C, or a crash of the machine, `evo resume DIR` continues and ends with the same results.

    Example: evo run GA_1 MOEA_1 --init random,knowledge --runs 5 --evaluations 1000000
    """
    from evo.experiments.experiment import begin, check_jobs
    from evo.experiments.plan import make_plan

    check_jobs(jobs)
    named = {"runs": runs, "evaluations": evaluations, "seconds": seconds, "seed": seed, "puzzle": puzzle}
    varied = {"init": _listed(init), "fitness": _listed(fitness)}
    plan = make_plan(settings, **_assigned(assignments or []), **named, **varied)
    say(plan.notes)
    store = begin(plan, out)
    with served(store.path, serve):
        _work_off(store, jobs=jobs, dask=dask, restart=False, trust=True, quiet=quiet)


def resume(
    directory: Directory,
    jobs: Jobs = None,
    dask: DaskOption = None,
    restart: Annotated[
        bool, typer.Option("--restart", help="Start runs again whose checkpoint or trace is damaged.")
    ] = False,
    trust: Annotated[
        bool, typer.Option("--trust", help="Import the code that is stored in the directory; read it first.")
    ] = False,
    quiet: Quiet = False,
) -> None:
    """Resume an interrupted experiment, and retry failed runs.

    Example: evo resume runs/results/quick-20261116-120000
    """
    from evo.cli.enumerate import work_off_enumeration
    from evo.experiments.enumerating import is_enumeration
    from evo.experiments.store import Store

    store = Store(directory)
    _say_other_versions(store)
    if is_enumeration(store):
        work_off_enumeration(store, jobs=jobs or len(store.runs), dask=dask, restart=restart, as_json=False)
        return
    _work_off(store, jobs=jobs, dask=dask, restart=restart, trust=trust, quiet=quiet)


def status(directory: Directory) -> None:
    """Show the progress of an experiment, also while it runs.

    Example: evo status runs/results/quick-20261116-120000
    """
    from evo.experiments.lock import is_locked
    from evo.experiments.store import STATES, Store
    from evo.experiments.words import count, duration, outcome, plural, scores, share

    store = Store(directory)
    records = store.records()
    states = Counter(record.state for _, record in records)
    parts = ", ".join(f"{states[state]} {state}" for state in STATES if states[state])
    working = "a process is working on it" if is_locked(store.path) else "no process is working on it"
    print(f"{store.name}: {plural(len(records), 'run')}: {parts}; {working}")
    done = sum(record.evaluations for _, record in records)
    percent = 100 * sum(share(run, record) for run, record in records) / len(records)
    print(f"  {percent:.0f}% done, {count(done)} evaluations")
    run, record = max(records, key=lambda pair: pair[1].best_score)
    if record.best_score >= 0:
        print(f"  best {scores(run, record)}: {run.label}, run {run.run}")
    for run, record in records:
        if record.state == "running":
            age = _seconds_since(record.heartbeat)
            speed = f", {count(record.evaluations / record.seconds)} evaluations/s" if record.seconds else ""
            best = scores(run, record) if record.best_score >= 0 else "0"
            part = f"{100 * share(run, record):.0f}%, best {best}{speed}"
            print(f"  running: {run.label}, run {run.run}: {part}, last heartbeat {duration(age)} ago")
        elif record.state in ("failed", "interrupted"):
            print(f"  {outcome(run, record)}")
    if states["done"] < len(records) and not is_locked(store.path):
        print(f"  continue with: {_resuming(store)}")


def results(
    directory: Directory,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object per run.")] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print one CSV line per run.")] = False,
) -> None:
    """Print a table of the results, or every run as JSON or CSV.

    The table shows the figures of the paper beside the results where the paper has some.

    Example: evo results runs/results/quick-20261116-120000 --json
    """
    from evo.experiments.frames import results as frame_of

    if as_json and as_csv:
        raise typer.BadParameter("--json and --csv cannot be combined")
    frame = frame_of(directory)
    if as_json:
        import json

        rows = frame.to_dict("records")
        for row in rows:
            for key in ("init", "fitness", "board_url", "error", "version"):
                row[key] = row[key] or None
            if math.isnan(row["seconds_limit"]):
                row["seconds_limit"] = None
            for key in ("best_score", "true_score"):
                row[key] = row[key] if row[key] >= 0 else None
        print(json.dumps(rows, indent=1))
    elif as_csv:
        print(frame.to_csv(index=False), end="")
    else:
        print_summary(directory)


def print_summary(directory: Path) -> None:
    """Print one line per row, beside the paper's figures if the puzzle is the one that the paper used."""
    from evo.analysis.summary import beside_paper, counting_note, is_papers, paper_table, summary
    from evo.cli.tables import text_table
    from evo.experiments.frames import results as frame_of
    from evo.experiments.rows import Row
    from evo.experiments.store import Store

    store = Store(directory)
    paper = paper_table() if is_papers(store.puzzle) else None
    frame = frame_of(directory)
    table = summary(frame, paper)
    heads = ["row", "runs", "done", "max", "min", "mean", "sd", "evaluations", "seconds"]
    columns = ["runs", "done", "max", "min", "mean", "deviation", "evaluations", "seconds"]
    if store.edges != "all":
        heads += ["all edges: max", "mean"]
        columns += ["true_max", "true_mean"]
    if paper is not None:
        heads += ["paper: max", "mean", "difference"]
        columns += ["paper_max", "paper_mean", "difference"]
    rows = [
        [Row(row["setting"], row["init"], row["fitness"]).label, *(_whole(row[column], column) for column in columns)]
        for row in table.to_dict("records")
    ]
    print(text_table(heads, rows))
    if store.edges != "all":
        print(counting_note(store.puzzle, store.edges))
    if paper is not None:
        print(beside_paper(frame))


def _work_off(store: Store, *, jobs: int | None, dask: str | None, restart: bool, trust: bool, quiet: bool) -> None:
    from evo.cli.progress import Bars, Lines
    from evo.errors import EvoError
    from evo.experiments.driver import Unwatched
    from evo.experiments.experiment import work_off
    from evo.experiments.words import plural

    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    records = store.records()
    terminal = sys.stderr is not None and sys.stderr.isatty()
    watch = nullcontext(Unwatched()) if quiet else Bars(records) if terminal else Lines(records)
    if not quiet:
        with suppress(OSError):  # nobody may be reading
            print(f"{store.name}: {plural(len(records), 'run')}; results go to {store.path}", flush=True)
    try:
        with watch as watching:
            jobs = jobs if jobs is not None else cores
            interrupted = work_off(store, watching, jobs=jobs, dask=dask, restart=restart, trust=trust)
    except KeyboardInterrupt:  # the second one, or one before there was anything to stop
        interrupted = True
    except EvoError as error:
        raise type(error)(f"{error}; continue with: {_resuming(store)}") from None
    failed = [(run, record) for run, record in store.records() if record.state == "failed"]
    for run, record in failed if quiet else []:
        print(f"evo: {run.label}, run {run.run}: failed: {record.error}", file=sys.stderr)
    if interrupted:
        print(f"evo: interrupted; continue with: {_resuming(store)}", file=sys.stderr)
        raise typer.Exit(130)
    if not quiet:
        print_summary(store.path)
        print(f"results: {store.path}")
    if failed:
        print(f"evo: {plural(len(failed), 'run')} failed; retry with: {_resuming(store)}", file=sys.stderr)
        raise typer.Exit(1)


def _say_other_versions(store: Store) -> None:
    """Warn if runs were started with other versions, with which they might have continued differently."""
    from evo.experiments.machine import versions

    here = versions()
    for _, record in store.records():
        other = [
            f"{name} {record.versions[name]}" for name in record.versions if record.versions[name] != here.get(name)
        ]
        if record.state != "done" and other:
            say([f"some runs were started with {', '.join(other)}; they may continue differently with other versions"])
            return


def _resuming(store: Store) -> str:
    trust = " --trust" if store.has_code else ""
    return f"evo resume {shlex.quote(str(store.path))}{trust}"


def _seconds_since(moment: str) -> float:
    try:
        return (datetime.now(UTC) - datetime.fromisoformat(moment)).total_seconds()
    except (ValueError, TypeError):  # not a time that this project wrote
        return math.nan


def _listed(value: str | None) -> list[str] | None:
    return None if value is None else [part.strip() for part in value.split(",")]


def _assigned(assignments: list[str]) -> dict[str, Any]:
    """Return KEY=VALUE options as a table; a value that is not TOML is plain text."""
    from evo.experiments.settings_files import merged

    found: dict[str, Any] = {}
    for assignment in assignments:
        key, separator, value = (part.strip() for part in assignment.partition("="))
        table, dot, inner = key.partition(".")
        if not separator or not table.isidentifier() or (dot and not inner.isidentifier()):
            raise typer.BadParameter(f"--set: expected KEY=VALUE; found {assignment!r}")
        if key in ("init", "fitness", "runs", "evaluations", "seconds", "seed", "puzzle"):
            raise typer.BadParameter(f"--set {key}: use the option --{key}")
        if key in ("name", "extends", "rows"):
            raise typer.BadParameter(f"--set {key}: can only be set in a file")
        try:
            parsed = tomllib.loads(f"value = {value}")["value"]
        except tomllib.TOMLDecodeError:
            parsed = value
        found = merged(found, {table: {inner: parsed}} if dot else {key: parsed})
    return found


def _whole(value: Any, column: str) -> Any:
    """Return counts as whole numbers, though a frame with missing values or medians holds them as floats."""
    if column in ("mean", "deviation", "true_mean", "seconds", "paper_mean", "difference") or math.isnan(value):
        return value
    return round(value)
