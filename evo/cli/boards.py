"""The commands about boards: verify, show, convert."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evo.cli.inputs import ForceOption, PuzzleOption, each_board, load_puzzle, say, write_out

if TYPE_CHECKING:
    from puzzles import Board, Puzzle
    from puzzles.protocols import AnyBoard


def verify(
    boards: Annotated[
        list[str], typer.Argument(metavar="BOARD...", help="Links, names, files, or - for standard input.")
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON list with one object per board.")] = False,
    puzzle: PuzzleOption = None,
) -> None:
    """Recount boards: score, duplicates, frame, hints.

    A board is valid if no piece is used twice and no grey side is out of place; it may have mismatches and empty cells.
    The exit code is 1 if a board is not valid, and 2 if one cannot be read, such as a link with an unknown piece.

    Example: evo verify blackwood470 "https://e2.bucas.name/#puzzle=..." my_boards.txt
    """
    from puzzles.errors import EvoError

    of_puzzle = load_puzzle(puzzle)
    found = [item for source in boards for item in each_board(source, of_puzzle)]
    errors = [item for item in found if isinstance(item, EvoError)]
    reports = [item.verify() for item in found if not isinstance(item, EvoError)]
    if as_json:
        print(json.dumps([report.as_dict() for report in reports], indent=2))
    elif reports:
        print("\n\n".join(str(report) for report in reports))
    for note in {note for report in reports for note in report.notes}:
        say([note])
    for error in errors:
        print(f"evo: {error}", file=sys.stderr)
    if errors:
        raise typer.Exit(2)
    if not all(report.valid for report in reports):
        raise typer.Exit(1)


def show(
    item: Annotated[
        str, typer.Argument(metavar="BOARD|PUZZLE", help="A link, a name, a file, or - for standard input.")
    ],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Draw it to a .svg, .png or .pdf file.")
    ] = None,
    numbers: Annotated[bool, typer.Option("--numbers", help="Show the piece numbers.")] = False,
    hints: Annotated[bool, typer.Option("--hints", help="Outline the cells of the puzzle's hints.")] = False,
    mismatches: Annotated[bool, typer.Option(help="Mark the edges that do not match.")] = True,
    puzzle: PuzzleOption = None,
    force: ForceOption = False,
) -> None:
    """Show a board or a puzzle in the terminal, or draw it to a file.

    Example: evo show blackwood470 --hints -o board.png
    """
    from puzzles import Puzzle, files
    from puzzles.drawing import piece_sheet

    shown = _only(item, files.read(item, puzzle=load_puzzle(puzzle)))
    say((shown if isinstance(shown, Puzzle) else shown.puzzle).notes)
    if output is None:
        print(_facts(shown)) if isinstance(shown, Puzzle) else _print_board(shown)
        return
    if isinstance(shown, Puzzle):
        board = piece_sheet(shown)
        draw_to(board, output, board.name, numbers=True, hints=False, mismatches=False, force=force)
    else:
        draw_to(shown, output, shown.title, numbers=numbers, hints=hints, mismatches=mismatches, force=force)
    print(output)


def convert(
    source: Annotated[str, typer.Argument(metavar="IN", help="A board or puzzle: a link, a name, a file, or -.")],
    target: Annotated[str, typer.Argument(metavar="OUT", help="The file to write, or - for standard output.")],
    to: Annotated[
        str | None, typer.Option("--to", metavar="FORMAT", help="Output format [from the suffix of OUT].")
    ] = None,
    puzzle: PuzzleOption = None,
    order: Annotated[
        str | None, typer.Option(metavar="ORDER", help="Column order of an e2pieces.txt: trbl, bltr, tlbr or nswe.")
    ] = None,
    size: Annotated[
        str | None, typer.Option(metavar="ROWSxCOLS", help="Board size, if the piece file does not state it.")
    ] = None,
    hints: Annotated[
        str | None, typer.Option("--hints", metavar="FILE", help="A CSV table of hints for the puzzle.")
    ] = None,
    loose: Annotated[
        bool, typer.Option("--loose", help="Accept pieces that cannot fill the board, such as a set without a frame.")
    ] = False,
    force: ForceOption = False,
) -> None:
    """Convert a board or a puzzle between formats.

    Formats of a puzzle: json, csv, benoist, e2pieces, or e2pieces-ORDER for another column order.
    Formats of a board: json, csv, text, npz, url, or url-MOTIFS (default, jblackwood, marie, jef).

    Example: evo convert pieces.txt puzzle.json --order nswe
    """
    from puzzles import Puzzle, PuzzleError, files
    from puzzles.saving import encode, format_of, left_out, save

    item = files.read(source, puzzle=load_puzzle(puzzle), strict=not loose, order=order, shape=_shape(size))
    found = _only(source, item)
    say((found if isinstance(found, Puzzle) else found.puzzle).notes)
    if hints is not None:
        if not isinstance(found, Puzzle):
            raise PuzzleError("--hints applies to puzzles; this is a board")
        found = files.with_hints(found, hints)
    if target == files.STDIN:
        format = to or ("json" if isinstance(found, Puzzle) else "url")
        write_out(encode(found, format))
    else:
        print(save(found, target, to, force=force))
        format = to or format_of(found, Path(target))
    say(f"the format {format} cannot hold {what}" for what in left_out(found, format))


def _only(source: str, item: Puzzle | list[Board]) -> Puzzle | Board:
    """Return what was read, which must be one item."""
    from puzzles import PuzzleError

    if not isinstance(item, list):
        return item
    if len(item) != 1:
        raise PuzzleError(f"{source}: contains {len(item)} boards; expected one")
    return item[0]


def _shape(size: str | None) -> tuple[int, int] | None:
    if size is None:
        return None
    parts = re.fullmatch(r"([0-9]{1,5})x([0-9]{1,5})", size)
    if not parts:
        raise typer.BadParameter(f"--size: expected ROWSxCOLS, such as 6x8; found {size!r}")
    return int(parts[1]), int(parts[2])


def draw_to(
    board: AnyBoard, output: Path, title: str, *, numbers: bool, hints: bool, mismatches: bool, force: bool
) -> None:
    """Draw a board to a file in the format of its suffix; candidates of other puzzles than tiles are drawn as SVG."""
    from evo.experiments.tasks import tile_board
    from puzzles import PuzzleError
    from puzzles.file_io import naming

    with naming(output):
        if output.suffix.lower() == ".svg":
            from puzzles.file_io import write_bytes

            svg = board.to_svg(numbers=numbers, hints=hints, mismatches=mismatches, title=title)
            write_bytes(output, svg.encode(), force=force)
        elif output.suffix.lower() in (".png", ".pdf"):
            from plots.boards import save_board

            shown = tile_board(board)
            save_board(shown, output, numbers=numbers, hints=hints, mismatches=mismatches, title=title, force=force)
        else:
            raise PuzzleError(f"expected a .svg, .png or .pdf file; found {output.suffix or 'no suffix'}")


def _print_board(board: Board) -> None:
    """Print the picture in a terminal, the grid of piece/rotation in a pipe; and the report."""
    from rich.console import Console

    console = Console()
    if console.is_terminal and console.color_system and console.width >= 4 * board.puzzle.cols:
        from plots.terminal import board_text

        console.print(board_text(board))
    else:
        print(board.to_text())
    print(board.verify())


def _facts(puzzle: Puzzle) -> str:
    from collections import Counter

    kinds = ", ".join(f"{count} {kind}" for kind, count in Counter(puzzle.kinds).items())
    lines = [
        f"{puzzle.name} ({puzzle.rows}x{puzzle.cols})",
        f"  pieces     {puzzle.size}: {kinds}",
        f"  colours    {len(puzzle.border_colours)} border, {len(puzzle.inner_colours)} inner",
        f"  max score  {puzzle.max_score}",
        f"  hints      {len(puzzle.hints)}",
    ]
    for hint in puzzle.hints:
        must = ", mandatory" if hint.mandatory else ""
        place = f"row {hint.row + 1}, column {hint.col + 1}, rotation {hint.rotation}"
        lines.append(f"             piece {hint.tile + 1} at {place}{must}")
    return "\n".join(lines)
