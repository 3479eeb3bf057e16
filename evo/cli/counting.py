"""The command that compares solvers which count solutions: counts."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from evo.cli.experiments import Directories
from evo.cli.inputs import ForceOption


def counts(
    directories: Directories,
    against: Annotated[
        str | None, typer.Option(metavar="SETTING", help="The setting that gains are against [the first].")
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FOLDER", help="Folder for nodes.svg, seconds.svg, sums.svg and counts.csv."
        ),
    ] = None,
    force: ForceOption = False,
) -> None:
    """Compare solvers that count solutions, over one or many puzzles.

    The table has a line for each setting: how many instances it proved, and the sums of nodes and seconds over the
    instances that all settings proved. The pictures show nodes and seconds over the instances, sorted by their best
    time. Settings that prove different counts of a puzzle are an error.

    Example: evo counts runs/results/engines-* --against EDGE_FILTERING -o pictures
    """
    from evo.analysis.counting import common_instances, count_table, instance_table
    from evo.cli.tables import text_table
    from evo.experiments.count_frames import counts as count_frame
    from plots.instance_curves import MEASURES, draw_instances, draw_sums
    from plots.style import save_picture
    from puzzles.file_io import naming, write_bytes

    frame = count_frame(directories)
    table = count_table(frame, against)
    instances = instance_table(frame)
    print(text_table(_heads(instances.columns), [_shown(line) for line in instances.to_dict("records")]))
    print()
    print(text_table(_heads(table.columns), [_shown(line) for line in table.to_dict("records")]))
    print(f"sums and gains are over the {len(common_instances(frame))} instances that all settings proved")
    if output is None:
        return
    output.mkdir(parents=True, exist_ok=True)
    for measure in MEASURES:
        print(save_picture(draw_instances(frame, measure), output / f"{measure}.svg", force=force))
    if common_instances(frame):
        print(save_picture(draw_sums(table), output / "sums.svg", force=force))
    with naming(output / "counts.csv"):
        write_bytes(output / "counts.csv", frame.to_csv(index=False).encode(), force=force)
    print(output / "counts.csv")


def _heads(columns: Iterable[str]) -> list[str]:
    """Return the headings of columns, gains with their unit."""
    return [name.replace("_gain", " gain %").replace("_", " ") for name in columns]


def _shown(line: dict[str, object]) -> list[object]:
    """Return the cells of a line: gains in per cent, nodes as whole numbers, words for truth values."""
    cells: list[object] = []
    for name, value in line.items():
        if name.endswith("_gain") and isinstance(value, float):
            cells.append(100 * value)
        elif name.startswith("nodes") and isinstance(value, float) and value == value:
            cells.append(round(value))
        elif isinstance(value, bool):
            cells.append("yes" if value else "no")
        else:
            cells.append(value)
    return cells
