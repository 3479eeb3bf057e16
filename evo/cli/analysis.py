"""The commands about results: plot, compare, report, export, conclusions."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Annotated, Any

import typer

from evo.cli.experiments import Directory
from evo.cli.inputs import ForceOption, say

Output = Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="A .png, .svg or .pdf file.")]


def plot(
    kind: Annotated[
        str,
        typer.Argument(
            metavar="KIND", help="convergence, distributions, variants, ecdf, pareto, diversity or board (the best)."
        ),
    ],
    directory: Directory,
    output: Output,
    over: Annotated[
        str | None,
        typer.Option(
            metavar="evaluations|seconds", help="The x axis of convergence, ecdf and diversity [evaluations]."
        ),
    ] = None,
    force: ForceOption = False,
) -> None:
    """Draw a picture of an experiment, also while it runs.

    Example: evo plot convergence runs/results/quick-20261116-120000 -o convergence.pdf
    """
    from evo.cli.study import BOARD, Study, checked_over

    along = checked_over(kind, over)
    study = Study(directory)
    if kind == BOARD:
        from evo.cli.boards import draw_to

        title, board = study.best
        draw_to(board, output, title, numbers=False, hints=False, mismatches=True, force=force)
    else:
        from plots.style import save_picture

        save_picture(study.figure(kind, along), output, force=force)
    print(output)


def compare(
    directory: Directory,
    by: Annotated[str, typer.Option("--by", metavar="fitness|init|setting", help="What to compare.")] = "fitness",
    foreign: Annotated[
        Path | None,
        typer.Option("--csv", metavar="FILE", help="Runs of other programs: columns setting, best_score, ..."),
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(metavar="S", help="Compare what the runs had after S seconds of computing [at their end]."),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="The picture [pictures/compare-BY.svg in DIR]."),
    ] = None,
    force: ForceOption = False,
) -> None:
    """Compare rows: Mann-Whitney tests with Holm's correction, and effect sizes; a table and a picture.

    A is the probability that a run of the first kind beats one of the second: 0.5 is no difference.

    Example: evo compare runs/results/quick-20261116-120000 --by init
    """
    from evo.analysis.ioh import safe_name
    from evo.analysis.statistics import EFFECT_SIZES, SIGNIFICANCE_LEVEL
    from evo.cli.study import Study, compared
    from evo.cli.tables import text_table
    from plots.comparison import draw_comparison, effect_lines
    from plots.style import save_picture

    study = Study(directory)
    table, notes = compared(study, by, foreign, seconds)
    when = "" if seconds is None else f" after {seconds:g} seconds"
    if when:
        print(f"Best scores{when}:")
    heads = ["rows", "first", "second", "runs", "medians", "A", "magnitude", "p", "p (Holm)", "verdict"]
    print(text_table(heads, [_compared_line(line) for line in table.to_dict("records")]))
    say(notes)
    beside = "" if foreign is None else f"-{safe_name(foreign.stem, 'foreign')}"
    name = f"compare-{by}{beside}{when.replace(' ', '-')}.svg"
    target = output if output is not None else _own_pictures(study.store.path) / name
    figure = draw_comparison(
        effect_lines(table), SIGNIFICANCE_LEVEL, EFFECT_SIZES, total=len(table), title=f"Comparison{when}"
    )
    save_picture(figure, target, force=force or output is None)
    print(target)


def report(
    directory: Directory,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="The page [report.html in DIR].")
    ] = None,
    force: ForceOption = False,
) -> None:
    """Make a page of everything: summary beside the paper's figures, pictures, best boards, settings, seeds.

    The page is one file that needs no network. The pictures are also written into DIR, as SVG. Where DIR holds records
    (`evo record`), the tables of its README.md are made anew, and the pictures beside it.

    Example: evo report runs/results/quick-20261116-120000
    """
    from evo.cli.records import is_record, refresh
    from evo.cli.study import Study
    from evo.errors import ConfigError
    from puzzles.errors import FileError
    from puzzles.file_io import check_free, naming, write_bytes

    if is_record(directory):
        if output is not None:
            raise ConfigError("output: the page of records is README.md, where they are")
        print(*refresh(directory), sep="\n")
        return
    target = output if output is not None else directory / "report.html"
    with naming(target):
        check_free(target, force=force or output is None)
        if not target.parent.is_dir():
            raise FileError("cannot be written: there is no such folder")
    study = Study(directory)
    pictures, missing = study.pictures()
    page = study.page(pictures, missing)
    folder = _own_pictures(study.store.path)
    for picture in pictures:
        path = folder / f"{picture.title.lower()}.svg"
        with naming(path):
            write_bytes(path, picture.svg.encode(), force=True)
        print(path)
    with naming(target):
        write_bytes(target, page.encode(), force=force or output is None)
    print(target)


def export(
    format: Annotated[str, typer.Argument(metavar="ioh", help="IOHprofiler's, which IOHanalyzer reads.")],
    directory: Directory,
    out: Annotated[Path, typer.Argument(metavar="OUT", help="A new folder.")],
) -> None:
    """Write the traces for other tools.

    Example: evo export ioh runs/results/quick-20261116-120000 quick-ioh
    """
    from evo.analysis.ioh import export_ioh
    from evo.cli.study import Study
    from evo.errors import ConfigError

    if format != "ioh":
        raise ConfigError(f"export: {format!r} is not a format; there is ioh")
    study = Study(directory)
    puzzle = study.store.puzzle
    written = export_ioh(study.runs, study.trace, puzzle.name, puzzle.size, puzzle.max_score, out)
    print(f"{len(written)} rows: {out}")


def conclusions(directory: Directory) -> None:
    """Test each of the paper's seven conclusions on the runs that are done.

    Example: evo conclusions runs/results/table2-20261116-120000
    """
    from evo.analysis.comparison import notes
    from evo.analysis.conclusions import conclusions as concluded
    from evo.analysis.summary import beside_paper
    from evo.cli.study import Study

    study = Study(directory)
    if study.paper is None:
        say([f"the paper is about Eternity II, and these runs about {study.store.puzzle.name}"])
    else:
        print(beside_paper(study.runs))
    say(notes(study.runs))
    for one in concluded(study.runs):
        print(f"{one.number}. {one.text}")
        print(f"   {one.verdict.upper()}{_figures(one)}")
        print(textwrap.fill(one.comparison, 118, initial_indent="   ", subsequent_indent="   "))
        if one.note:
            print(textwrap.fill(f"({one.note})", 118, initial_indent="   ", subsequent_indent="   "))


def _figures(conclusion: Any) -> str:
    from evo.analysis.statistics import p_statement

    effect = "" if conclusion.effect is None else f", {conclusion.measure} {conclusion.effect:.3g}"
    return effect + ("" if conclusion.p is None else f", {p_statement(conclusion.p)}")


def _compared_line(line: dict[str, Any]) -> list[Any]:
    from evo.analysis.statistics import p_text

    count = str(line["first_n"]) if line["first_n"] == line["second_n"] else f"{line['first_n']}, {line['second_n']}"
    medians = f"{line['first_median']:g}, {line['second_median']:g}"
    p_values = [p_text(line["p"]), p_text(line["p_holm"])]
    names = [line["group"], line["first"], line["second"]]
    return [*names, count, medians, f"{line['effect']:.2f}", line["magnitude"], *p_values, line["verdict"]]


def _own_pictures(directory: Path) -> Path:
    """The folder of an experiment's pictures, which are made anew each time."""
    from evo.errors import StoreError

    folder = directory / "pictures"
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise StoreError(f"{folder}: cannot be made: {error.strerror}") from None
    return folder
