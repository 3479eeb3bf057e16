"""The commands about pencil puzzles that make something: generate, forced, minclue, tables."""

from __future__ import annotations

import json
from math import inf
from typing import Annotated, Any

import typer

from evo.cli.inputs import ForceOption
from evo.cli.pencil import KindOption, PictureOption, Source, draw, picture_target, print_one, print_picture, title


def generate_puzzle(
    kind: Annotated[str, typer.Argument(metavar="KIND", help="sudoku, battleship, circuit, hashi or zebra.")],
    size: Annotated[int | None, typer.Option(metavar="N", help="Rows and columns; of a Zebra puzzle, houses.")] = None,
    clues: Annotated[
        int | None,
        typer.Option(metavar="N", min=0, help="Number of clues of a Sudoku; least number of a Zebra puzzle."),
    ] = None,
    hints: Annotated[int | None, typer.Option(metavar="N", min=0, help="Least number of hints of Battleship.")] = None,
    given: Annotated[
        int | None, typer.Option(metavar="N", min=0, help="Least number of given lines of a circuit board.")
    ] = None,
    path: Annotated[
        bool, typer.Option("--path", help="Mark two points of a circuit board to connect shortly.")
    ] = False,
    islands: Annotated[int | None, typer.Option(metavar="N", min=2, help="Number of islands of Hashi.")] = None,
    attributes: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Number of attributes of a Zebra puzzle.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Random seed; the same seed gives the same puzzle.")] = 1,
    count: Annotated[int, typer.Option(min=1, help="Number of puzzles, from consecutive seeds.")] = 1,
    to: Annotated[
        str | None, typer.Option("--to", metavar="FORMAT", help="Output format; see evo pencil convert.")
    ] = None,
    output: PictureOption = None,
    force: ForceOption = False,
) -> None:
    """Generate puzzles whose solutions are proved to be unique, and print them.

    Example: evo pencil generate hashi --size 30 --islands 127 --seed 1
    """
    from puzzles.pencil import write
    from solvers.pencil import generate

    named = {"clues": clues, "hints": hints, "given": given, "islands": islands, "attributes": attributes}
    options: dict[str, Any] = {name: value for name, value in named.items() if value is not None}
    if size is not None:
        options["houses" if kind == "zebra" else "side"] = size
    if path:
        options["path"] = True
    target = picture_target(output, count, force)
    for number in range(seed, seed + count):
        puzzle = generate(kind, number, **options)
        print_one(write(puzzle, to), number - seed)
        if target is not None:
            draw(puzzle, None, target, force)


def forced_parts(
    source: Source,
    kind: KindOption = None,
    engine: Annotated[
        str | None, typer.Option(metavar="ENGINE", help="scipy, scip, cp-sat or sat [the fastest that is installed].")
    ] = None,
    seconds: Annotated[float | None, typer.Option(metavar="S", min=0.0, help="Time limit in seconds [none].")] = None,
    output: PictureOption = None,
    force: ForceOption = False,
) -> None:
    """Show what is the same in every solution of a puzzle.

    Example: evo pencil forced puzzle.txt
    """
    from puzzles.pencil import load
    from solvers.pencil import forced

    readings = load(source, kind)
    target = picture_target(output, len(readings), force)
    for puzzle, _, _ in readings:
        common = forced(puzzle, engine=engine, seconds=inf if seconds is None else seconds)
        if target is not None:
            draw(puzzle, common, target, force)
        print(f"{title(puzzle)}: in every solution")
        print_picture(puzzle, common)


def minimum_clues(
    source: Source,
    seconds: Annotated[float, typer.Option(metavar="S", min=0.0, help="Time limit of each grid in seconds.")] = 60.0,
    seed: Annotated[int, typer.Option(min=0, help="Random seed of the search for puzzles with few clues.")] = 1,
    prove: Annotated[
        bool, typer.Option("--prove", help="Do not rely on the theorem that 16 clues of 9x9 are never enough.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object per grid and line.")] = False,
) -> None:
    """Find the fewest clues that leave a filled Sudoku grid as the only solution.

    Grids of 4x4 and 6x6 are proved in seconds. A grid of 9x9 is finished when 17 clues are found, which by a theorem
    are the fewest of any grid; more are proved in minutes. Ctrl-C prints the bounds so far.

    Example: evo pencil minclue 876912534954387612213645789738456291561829347429731865642178953395264178187593426
    """
    import numpy as np

    from puzzles.pencil import load, write
    from solvers.pencil import min_clues

    for puzzle, _, _ in load(source, "sudoku"):
        rng = np.random.default_rng(seed)
        found = min_clues(puzzle.clues, puzzle.box, seconds=seconds, rng=rng, theorem=not prove)
        clues = write(found.puzzle, "line")
        if as_json:
            record = {
                "name": puzzle.name,
                "clues": found.puzzle.given,
                "lower": found.lower,
                "proved_here": found.proved_here,
                "optimal": found.optimal,
                "seconds": round(found.seconds, 3),
                "puzzle": clues,
            }
            print(json.dumps(record), flush=True)
        else:
            state = "optimal" if found.optimal else f"at least {found.lower}"
            print(f"{title(puzzle)}: {found.puzzle.given} clues, {state} (this search proved {found.proved_here})")
            print(clues, flush=True)
        if found.interrupted:
            raise typer.Exit(130)


def paper_tables(
    tables: Annotated[
        list[str] | None, typer.Argument(metavar="[TABLE...]", help="3.1, 4.3, A.1 (with A.2, A.3), A.4, 7.5 [all].")
    ] = None,
    seconds: Annotated[float, typer.Option(metavar="S", min=0.1, help="Time limit of one solution in seconds.")] = 10.0,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object per row and line.")] = False,
) -> None:
    """Run the tables of the paper again, on generated puzzles of the same sizes.

    Times are seconds of CPU time; - is a time limit, or an engine that is not installed. Rows appear as they are done.

    Example: evo pencil tables 3.1 7.5
    """
    from solvers.pencil import TABLES

    for name in tables or TABLES:
        if name not in TABLES:
            raise typer.BadParameter(f"unknown table {name!r}; expected one of {', '.join(TABLES)}")
    for name in tables or TABLES:
        print("" if as_json else f"Table {name}", end="" if as_json else "\n")
        for number, row in enumerate(TABLES[name](seconds)):
            if as_json:
                print(json.dumps({"table": name, **row}), flush=True)
                continue
            if number == 0:
                print("  ".join(f"{heading:>{_width(heading)}}" for heading in row))
            print("  ".join(f"{_shown(value):>{_width(heading)}}" for heading, value in row.items()), flush=True)


def _width(heading: str) -> int:
    return 22 if heading == "method" else max(7, len(heading))


def _shown(value: Any) -> str:
    return "-" if value is None else f"{value:.4f}" if isinstance(value, float) and value < 10 else f"{value}"
