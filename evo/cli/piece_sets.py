"""The commands about piece sets: puzzles, generate, census."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evo.cli.inputs import ForceOption, say, write_out


def list_bundled() -> None:
    """List the bundled puzzles and boards.

    Example: evo puzzles
    """
    from puzzles import BOARDS, PUZZLES, load

    print("puzzles")
    for name in PUZZLES:
        puzzle = load(name)
        colours = f"{len(puzzle.border_colours)} border and {len(puzzle.inner_colours)} inner colours"
        facts = f"{puzzle.rows}x{puzzle.cols}, {colours}, {len(puzzle.hints)} hints, {puzzle.max_score} inner edges"
        print(f"  {name:14} {facts}")
    print("boards")
    for name, what in BOARDS.items():
        print(f"  {name:14} {what}")


def generate(
    rows: Annotated[int, typer.Argument(metavar="ROWS")],
    cols: Annotated[int, typer.Argument(metavar="COLS")],
    border_colours: Annotated[
        int | None, typer.Option(help="Number of colours between frame pieces [depends on the size].")
    ] = None,
    inner_colours: Annotated[
        int | None, typer.Option(help="Number of colours of all other edges [depends on the size].")
    ] = None,
    style: Annotated[
        str, typer.Option(help="eternity (balanced colours, distinct pieces) or benoist (uniform).")
    ] = "eternity",
    seed: Annotated[int, typer.Option(min=0, help="Random seed; the same seed gives the same puzzle.")] = 1,
    hints: Annotated[int, typer.Option(min=0, help="Number of cells of the solution to give as hints.")] = 0,
    unique: Annotated[bool, typer.Option("--unique", help="Only a puzzle with one solution, up to rotation.")] = False,
    solutions: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Only a puzzle with N solutions, up to rotation.")
    ] = None,
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="File for the puzzle; - is standard output.")
    ] = "-",
    solution: Annotated[
        str | None, typer.Option(metavar="FILE", help="File for the known solution [not written].")
    ] = None,
    force: ForceOption = False,
) -> None:
    """Generate a puzzle with a known solution.

    By default the numbers of colours grow with the board, as in the META 2010 contest and Eternity II: 4 and 10 on a
    10x10 board, 5 and 17 on a 16x16 board. With --unique or --solutions the number of solutions is proved by
    enumeration, which is feasible on small boards, and on larger ones with many colours.

    Example: evo generate 8 8 --seed 7 -o small.json --solution small_solved.json
    """
    from puzzles import generate as generate_puzzle
    from puzzles.file_io import check_free, naming
    from puzzles.files import STDIN
    from puzzles.saving import encode, format_of, left_out, save

    length = round((rows * cols) ** 0.5) if rows > 0 and cols > 0 else 0
    border = border_colours if border_colours is not None else (4 if length < 14 else 5)
    inner = inner_colours if inner_colours is not None else (length if length < 14 else length + 1)
    wanted_count = 1 if unique and solutions is None else solutions
    if unique and wanted_count != 1:
        raise typer.BadParameter("--unique and --solutions cannot be combined")
    if wanted_count is None:
        puzzle, solved = generate_puzzle(rows, cols, border, inner, seed, style=style, hints=hints)
    else:
        from evo.experiments.counted_puzzles import generate_counted

        puzzle, solved = generate_counted(
            rows, cols, border, inner, seed, solutions=wanted_count, style=style, hints=hints
        )
    wanted = [(item, target) for item, target in ((puzzle, output), (solved, solution)) if target not in (None, STDIN)]
    formats = []
    for item, target in wanted:  # all of them or none
        with naming(str(target)):
            formats.append(format_of(item, Path(str(target))))
            check_free(Path(str(target)), force=force)
    if output == STDIN:
        write_out(encode(puzzle, "json"))
    if solution == STDIN:
        write_out(encode(solved, "url"))
    for (item, target), format in zip(wanted, formats, strict=True):
        print(save(item, str(target), force=force))
        say(f"the format {format} cannot hold {what}" for what in left_out(item, format))


def census(
    puzzle: Annotated[
        str, typer.Argument(metavar="PUZZLE", help="A name, a file, or - for standard input.")
    ] = "eternity2",
    limit: Annotated[int, typer.Option(min=1, help="Maximum number of pieces to try.")] = 100_000_000,
) -> None:
    """Count the blocks that pieces form, to check a transcription.

    The Eternity II community compares these counts: a single wrong colour changes them.

    Example: evo census eternity2
    """
    from puzzles import census as count
    from puzzles import load

    pieces = load(puzzle, strict=False)  # a set with a slip in it is what a census is for
    say(pieces.notes)
    counts = count(pieces, limit)
    print(f"{pieces.name}: blocks of distinct pieces whose inner edges all match, with grey exactly on the rim")
    print(f"  corner 2x2    {counts.corner_2x2:>13,}  in each corner")
    print(f"  edge 2x2      {counts.edge_2x2:>13,}  on each edge")
    print(f"  interior 2x2  {counts.inner_2x2:>13,}  in a fixed orientation: {counts.inner_2x2 // 4:,} up to rotation")
    print(f"  corner 3x3    {counts.corner_3x3:>13,}  in each corner")
