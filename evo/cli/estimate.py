"""The command that estimates the size of a search tree: estimate."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evo.cli.inputs import ForceOption, load_puzzle

if TYPE_CHECKING:
    from solvers.exact.tree_size import TreeSize

_LINES = 16
"""About how many depths the table shows."""


def estimate(
    puzzle: Annotated[str, typer.Argument(metavar="PUZZLE", help="The puzzle: a name or a file.")],
    path: Annotated[
        str, typer.Option(metavar="PATH", help="The order of the cells: row, rows_columns, blocks, spiral_in, ...")
    ] = "row",
    breaks: Annotated[
        str,
        typer.Option(
            metavar="N,N,...", help="Numbers of placed pieces from each of which one more mismatch is allowed."
        ),
    ] = "",
    per_tile: Annotated[
        int, typer.Option("--per-tile", min=0, max=4, metavar="N", help="Most mismatches that one piece may have.")
    ] = 1,
    hints: Annotated[str, typer.Option(metavar="none|mandatory|all", help="Which hints to honour.")] = "none",
    csv: Annotated[
        Path | None, typer.Option(metavar="FILE", help="File for the expected number of boards at each depth.")
    ] = None,
    force: ForceOption = False,
) -> None:
    """Estimate the size of a depth-first search, without searching.

    It gives the expected numbers of solutions and of nodes if colours are shuffled among the sides of the pieces.
    A puzzle that was made from a solution has one more than is expected by chance. Without hints, every rotation of
    a board counts.

    Example: evo estimate eternity2 --path blocks --breaks 201,206,211,216,221,225,229,233,237,239
    """
    from puzzles.file_io import check_free, naming, write_bytes
    from solvers.exact.tree_size import tree_size

    if csv is not None:
        with naming(csv):
            check_free(csv, force=force)
    found = load_puzzle(puzzle)
    assert found is not None
    if hints not in ("none", "mandatory", "all"):
        raise typer.BadParameter(f"--hints {hints}: expected none, mandatory or all")
    size = tree_size(found, path, _numbers(breaks), per_tile=per_tile, pins=found.pinned_hints(hints))
    print(f"{found.name}, path {path}, {_said(breaks)}, hints: {hints}")
    print(f"  expected solutions  {_power(size.log10_solutions)}")
    print(f"  expected nodes      {_power(size.log10_nodes)}, most of them with {size.widest} pieces placed\n")
    print(_table(size))
    if csv is not None:
        lines = [f"{tiles},{log:.6f}\n" for tiles, log in zip(size.tiles.tolist(), size.log10_boards, strict=True)]
        with naming(csv):
            write_bytes(csv, "".join(["pieces,log10_boards\n", *lines]).encode(), force=force)
        print(csv)


def _numbers(breaks: str) -> list[int]:
    try:
        return [int(part) for part in breaks.split(",") if part.strip()]
    except ValueError:
        raise typer.BadParameter(f"--breaks {breaks}: expected whole numbers separated by commas") from None


def _said(breaks: str) -> str:
    count = len(_numbers(breaks))
    return f"{count} mismatch{'es' if count != 1 else ''} allowed" if count else "no mismatches"


def _power(log10: float) -> str:
    """Return a number given by its decimal logarithm as text."""
    if log10 == float("-inf"):
        return "0"
    if -3 <= log10 < 6:
        return f"{10**log10:,.4g}"
    exponent = int(log10 // 1)
    return f"{10 ** (log10 - exponent):.2f}e{exponent:+d}"


def _table(size: TreeSize) -> str:
    """Return the expected numbers of boards at some depths, with bars of their logarithms."""
    from evo.cli.tables import text_table

    step = max(1, -(-(len(size.tiles) - 1) // _LINES))
    shown = sorted({*range(len(size.tiles) - 1, -1, -step), int(size.log10_boards.argmax())})
    largest = max(1.0, float(size.log10_boards.max()))
    rows = []
    for at in shown:
        log = float(size.log10_boards[at])
        rows.append([f"{size.tiles[at]}", _power(log), "#" * round(40 * max(0.0, log) / largest)])
    return text_table(["pieces", "boards", ""], rows)
