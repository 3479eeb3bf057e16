"""The commands about the puzzles of the daily paper: Sudoku, Battleship, Circuit Board, Hashi, Zebra."""

from __future__ import annotations

import json
import sys
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from evo.cli.inputs import ForceOption

if TYPE_CHECKING:
    from puzzles.pencil import PencilPuzzle, Reading
    from solvers.pencil import Answer

pencil = typer.Typer(help="Solve, draw and generate puzzles of the daily paper.")

_CLASH_SECONDS = 5.0

Source = Annotated[
    str, typer.Argument(metavar="FILE|ADDRESS|LINE", help="A file, - for standard input, or the puzzle itself.")
]
KindOption = Annotated[
    str | None,
    typer.Option(metavar="KIND", help="sudoku, battleship, circuit, hashi or zebra [recognised from the content]."),
]
PictureOption = Annotated[
    Path | None, typer.Option("--output", "-o", metavar="FILE", help="Draw it to a .svg file; of one puzzle only.")
]


@pencil.command("solve")
def solve_puzzles(
    source: Source,
    kind: KindOption = None,
    model: Annotated[
        str | None,
        typer.Option(
            metavar="MODEL",
            help="sudoku: search, ip; battleship: gbm, cbm; circuit: cm1, cm2, cm3; hashi: cuts, flow, hdc; zebra: ip"
            " [the fastest].",
        ),
    ] = None,
    engine: Annotated[
        str | None, typer.Option(metavar="ENGINE", help="scipy, scip, cp-sat or sat [the fastest that is installed].")
    ] = None,
    all_: Annotated[
        int, typer.Option("--all", metavar="N", min=1, help="Maximum number of solutions to find; 2 tells uniqueness.")
    ] = 2,
    seconds: Annotated[
        float | None, typer.Option(metavar="S", min=0.0, help="Time limit of each puzzle in seconds [none].")
    ] = None,
    jobs: Annotated[int, typer.Option("--jobs", "-j", metavar="N", min=1, help="Number of processes.")] = 1,
    as_printed: Annotated[
        bool, typer.Option("--as-printed", help="Use the paper's equations with their errors.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object per puzzle and line.")] = False,
    output: PictureOption = None,
    force: ForceOption = False,
) -> None:
    """Solve puzzles, and tell whether their solutions are unique.

    The exit code is 1 if a puzzle has no solution or is not solved within the time limit.

    Example: evo pencil solve ".......1.4.........2...........5.4.7..8...3....1.9....3..4..2...5.1........8.6..." --json
    """
    from puzzles.pencil import load
    from solvers.pencil import solve_many

    readings = load(source, kind)
    target = picture_target(output, len(readings), force)
    options = {
        "model": model,
        "engine": engine,
        "solutions": all_,
        "seconds": inf if seconds is None else seconds,
        "as_printed": as_printed,
    }
    failed = False
    answers = solve_many([reading.puzzle for reading in readings], jobs, **options)
    for reading, answer in zip(readings, answers, strict=False):  # Ctrl-C ends the answers early
        failed = failed or answer.status != "solved"
        if as_json:
            print(json.dumps(_record(reading, answer, all_)), flush=True)
        else:
            _print_answer(answer, pictures=len(readings) <= 3, every=all_ > 2)
        if target is not None:
            draw(answer.puzzle, answer.solution, target, force)
        if answer.interrupted:
            raise typer.Exit(130)
    if failed:
        raise typer.Exit(1)


@pencil.command("check")
def check_solution(
    source: Source,
    solution: Annotated[
        str | None,
        typer.Argument(
            metavar="SOLUTION", help="A file with the solution, or - [the one that the puzzle's file gives]."
        ),
    ] = None,
    kind: KindOption = None,
) -> None:
    """Check solutions against the rules, and name the first rule that is broken.

    The exit code is 1 if a solution is wrong.

    Example: evo pencil check puzzle.txt solution.txt
    """
    from puzzles.errors import PuzzleError
    from puzzles.file_io import naming, read_bytes
    from puzzles.formats.reading import decode
    from puzzles.pencil import check, load, read_solution

    readings = load(source, kind)
    if solution is not None:
        if len(readings) != 1:
            raise PuzzleError(f"{source}: contains {len(readings)} puzzles; a solution belongs to one")
        with naming(solution):
            given = read_solution(readings[0].puzzle, decode(read_bytes(solution)))
        readings = [readings[0]._replace(solution=given)]
    wrong = False
    for number, (puzzle, _, found) in enumerate(readings, start=1):
        if found is None:
            raise PuzzleError(f"{source}: puzzle {number} comes without a solution; name a file that has it")
        fault = check(puzzle, found)
        wrong = wrong or fault is not None
        print(f"{title(puzzle)}: {'right' if fault is None else f'wrong: {fault}'}")
    if wrong:
        raise typer.Exit(1)


@pencil.command("show")
def show_puzzle(
    source: Source, kind: KindOption = None, output: PictureOption = None, force: ForceOption = False
) -> None:
    """Show puzzles in the terminal, or draw one to a file.

    A solution that comes with a puzzle is shown, too.

    Example: evo pencil show "https://puzz.link/p?hashikake/5/5/4g2i3h23k3g1g3g4g3" -o bridges.svg
    """
    from puzzles.pencil import load

    readings = load(source, kind)
    target = picture_target(output, len(readings), force)
    for puzzle, format, solution in readings:
        if target is not None:
            draw(puzzle, solution, target, force)
            print(target)
        else:
            print(f"{title(puzzle)} (format {format})")
            print_picture(puzzle, solution)


@pencil.command("convert")
def convert_puzzle(
    source: Source,
    to: Annotated[
        str | None,
        typer.Option(
            "--to",
            metavar="FORMAT",
            help="sudoku: line, grid, link, tatham; battleship: grid, csplib, link; hashi: plain, grid, link, tatham;"
            " circuit, zebra: text. lp, mps or equations: the integer program [the first one].",
        ),
    ] = None,
    model: Annotated[
        str | None, typer.Option(metavar="MODEL", help="For lp, mps and equations [the usual one].")
    ] = None,
    as_printed: Annotated[
        bool, typer.Option("--as-printed", help="For lp, mps and equations: the paper's form with its errors.")
    ] = False,
    kind: KindOption = None,
) -> None:
    """Convert puzzles between formats, or to the paper's integer programs, and print them.

    Example: evo pencil convert puzzles.txt --to link
    """
    from puzzles.pencil import load, write

    for number, (puzzle, _, _) in enumerate(load(source, kind)):
        if to in ("lp", "mps", "equations"):
            from solvers.pencil import lp, make_model, mps

            made = make_model(puzzle, model, as_printed)
            print_one(str(made) if to == "equations" else lp(made) if to == "lp" else mps(made), number)
        else:
            print_one(write(puzzle, to), number)


def _record(reading: Reading, answer: Answer, wanted: int) -> dict[str, Any]:
    from puzzles.pencil import write_solution

    texts = [write_solution(answer.puzzle, solution, reading.format) for solution in answer.solutions]
    record = {
        "name": answer.puzzle.name,
        "kind": answer.puzzle.kind,
        "status": answer.status,
        "unique": answer.unique,
        "model": answer.model,
        "engine": answer.engine,
        "seconds": round(answer.seconds, 6),
        "solution": texts[0] if texts else None,
    }
    return record if wanted <= 2 else {**record, "solutions": texts, "complete": answer.complete}


def _print_answer(answer: Answer, *, pictures: bool, every: bool) -> None:
    known = {True: ", unique", False: ", not unique", None: ""}[answer.unique]
    size = "" if answer.objective is None else f", objective {answer.objective:g}"
    size += "" if answer.bound is None or answer.status == "solved" else f", bound {answer.bound:g}"
    how = f"{answer.seconds:.4f} s, model {answer.model}, engine {answer.engine}"
    print(f"{title(answer.puzzle)}: {answer.status}{known}{size} ({how})")
    if pictures:
        for solution in answer.solutions if every else answer.solutions[:1]:
            print_picture(answer.puzzle, solution)
    if answer.status == "infeasible":
        _print_clash(answer.puzzle)
    if every:
        print(f"{len(answer.solutions)} solutions{'' if answer.complete else ', and there may be more'}")


def _print_clash(puzzle: PencilPuzzle) -> None:
    """Print clues that contradict each other, if such are found soon."""
    from solvers.pencil import clash

    found = clash(puzzle, seconds=_CLASH_SECONDS)
    if found is not None:
        few = "a smallest set of clues that contradict" if found.smallest else "clues that contradict"
        print(f"  {few} each other: {'; '.join(found.clues) or 'none: the rules alone leave no solution'}")


def print_one(text: str, number: int) -> None:
    """Print the text of a puzzle; a blank line separates those of several lines, as the readers expect it."""
    print("\n" + text if number and "\n" in text else text, flush=True)


def print_picture(puzzle: PencilPuzzle, solution: Any) -> None:
    """Print a picture, with colours in a terminal."""
    from rich.console import Console

    from puzzles.pencil import text

    picture = text(puzzle, solution)
    if sys.stdout.isatty():
        Console().print(picture, crop=False, overflow="ignore")
    else:
        print(picture.plain)


def picture_target(output: Path | None, count: int, force: bool) -> Path | None:
    """Return the file for a picture of one puzzle, if one is asked for."""
    from puzzles.errors import PuzzleError
    from puzzles.file_io import check_free, naming

    if output is None:
        return None
    with naming(output):
        if output.suffix.lower() != ".svg":
            raise PuzzleError(f"expected a .svg file; found {output.suffix or 'no suffix'}")
        if count != 1:
            raise PuzzleError(f"a picture shows one puzzle; there are {count}")
        check_free(output, force=force)
    return output


def draw(puzzle: PencilPuzzle, solution: Any, target: Path, force: bool) -> None:
    """Draw a puzzle, and its solution if there is one, to a file."""
    from puzzles.file_io import naming, write_bytes
    from puzzles.pencil import svg

    with naming(target):
        write_bytes(target, svg(puzzle, solution).encode(), force=force)


def title(puzzle: PencilPuzzle) -> str:
    """Return the kind and the name of a puzzle."""
    return f"{puzzle.kind} {puzzle.name}".strip()
