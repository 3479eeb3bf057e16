"""The `evo` command: gathers the commands, and turns every error into one message and exit code 2."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer
from typer.exceptions import TyperException

from evo import __version__
from evo.cli import (
    analysis,
    bench,
    boards,
    clique,
    counting,
    enumerate,
    estimate,
    experiments,
    pencil,
    pencil_making,
    pencil_versus,
    piece_sets,
    records,
    serve,
    settings,
    solve,
    tune,
)

app = typer.Typer(pretty_exceptions_enable=False, rich_markup_mode="markdown")


def _version(wanted: bool) -> None:
    if wanted:
        print(f"evo {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def evo(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """A workbench for edge-matching puzzles such as Eternity II."""
    if context.invoked_subcommand is None:
        print(context.get_help())


SOLVING, EXPERIMENTS, ANALYSIS, BOARDS = "Solve", "Experiments", "Analysis", "Boards and puzzles"
app.command("solve", rich_help_panel=SOLVING)(solve.solve)
app.command("enumerate", rich_help_panel=SOLVING)(enumerate.enumerate_solutions)
app.command("estimate", rich_help_panel=SOLVING)(estimate.estimate)
app.add_typer(pencil.pencil, name="pencil", rich_help_panel=SOLVING)
pencil.pencil.command("generate")(pencil_making.generate_puzzle)
pencil.pencil.command("forced")(pencil_making.forced_parts)
pencil.pencil.command("minclue")(pencil_making.minimum_clues)
pencil.pencil.command("tables")(pencil_making.paper_tables)
pencil.pencil.command("versus")(pencil_versus.versus)
app.add_typer(tune.tuning, name="tune", rich_help_panel=SOLVING)
app.command("bench", rich_help_panel=SOLVING)(bench.bench)
app.command("run", rich_help_panel=EXPERIMENTS)(experiments.run)
app.command("resume", rich_help_panel=EXPERIMENTS)(experiments.resume)
app.command("status", rich_help_panel=EXPERIMENTS)(experiments.status)
app.command("serve", rich_help_panel=EXPERIMENTS)(serve.serve)
app.command("settings", rich_help_panel=EXPERIMENTS)(settings.list_settings)
app.command("results", rich_help_panel=ANALYSIS)(experiments.results)
app.command("compare", rich_help_panel=ANALYSIS)(analysis.compare)
app.command("conclusions", rich_help_panel=ANALYSIS)(analysis.conclusions)
app.command("plot", rich_help_panel=ANALYSIS)(analysis.plot)
app.command("counts", rich_help_panel=ANALYSIS)(counting.counts)
app.command("report", rich_help_panel=ANALYSIS)(analysis.report)
app.command("record", rich_help_panel=ANALYSIS)(records.record)
app.command("export", rich_help_panel=ANALYSIS)(analysis.export)
app.command("verify", rich_help_panel=BOARDS)(boards.verify)
app.command("show", rich_help_panel=BOARDS)(boards.show)
app.command("convert", rich_help_panel=BOARDS)(boards.convert)
app.command("puzzles", rich_help_panel=BOARDS)(piece_sets.list_bundled)
app.command("generate", rich_help_panel=BOARDS)(piece_sets.generate)
app.command("clique", rich_help_panel=BOARDS)(clique.clique)
app.command("census", rich_help_panel=BOARDS)(piece_sets.census)


def main(arguments: list[str] | None = None) -> None:
    """Run one command and exit: 0 done, 1 the answer is no, 2 an error, 130 interrupted."""
    from evo.errors import EvoError

    try:
        code = app(arguments, prog_name="evo", standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()
    except (EvoError, TyperException) as error:
        message = error.format_message() if isinstance(error, TyperException) else str(error)
        print(f"evo: {message}", file=sys.stderr)
        code = 2
    except (
        SystemExit
    ) as stop:  # typer's way with Ctrl-C (130) and with a reader that has seen enough, such as `head` (1)
        code = 0 if stop.code == 1 else stop.code
        _close_stdout()
    except BrokenPipeError:
        code = 0
        _close_stdout()
    except OSError as error:
        print(f"evo: {error.filename or 'standard output'}: {error.strerror}", file=sys.stderr)
        code = 2
        _close_stdout()
    sys.exit(code)


def _close_stdout() -> None:
    """Send what is still buffered nowhere, so that the interpreter does not fail on it at exit."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
