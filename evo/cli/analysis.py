"""The commands that look at results: plot, compare, report, export, conclusions."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from evo.cli.experiments import Directories, Directory
from evo.cli.inputs import ForceOption, say

if TYPE_CHECKING:
    from evo.analysis.conclusions import Conclusion

Output = Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="The .png, .svg or .pdf file to write.")]


def plot(
    kind: Annotated[
        str,
        typer.Argument(
            metavar="KIND",
            help="convergence, distributions, variants, ecdf, pareto, diversity, or board (the best board).",
        ),
    ],
    directories: Directories,
    output: Output,
    over: Annotated[
        str | None,
        typer.Option(
            metavar="evaluations|seconds", help="The x axis of convergence, ecdf and diversity [evaluations]."
        ),
    ] = None,
    scale: Annotated[
        str | None, typer.Option(metavar="logarithmic|linear", help="The scale of this axis [logarithmic].")
    ] = None,
    force: ForceOption = False,
) -> None:
    """Draw a picture of experiments, also while they run.

    Example: evo plot convergence runs/results/quick-20261116-120000 -o convergence.pdf
    """
    from evo.analysis.study import Study
    from evo.live.pictures import BOARD, checked_over, checked_scale, study_figure

    axis, axis_scale = checked_over(kind, over), checked_scale(kind, scale)
    study = Study(directories)
    if kind == BOARD:
        from evo.cli.boards import draw_to

        best = study.best()
        draw_to(best.board, output, best.caption, numbers=False, hints=False, mismatches=True, force=force)
    else:
        from plots.style import save_picture

        save_picture(study_figure(study, kind, axis, axis_scale), output, force=force)
    print(output)


def compare(
    directories: Directories,
    by: Annotated[
        str, typer.Option("--by", metavar="fitness|init|setting", help="The property to compare by.")
    ] = "fitness",
    foreign: Annotated[
        Path | None,
        typer.Option(
            "--csv", metavar="FILE", help="A CSV file with runs of other programs: columns setting, best_score, ..."
        ),
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(metavar="S", help="Compare the best scores after S seconds of computing [the final scores]."),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="The picture to write [pictures/compare-BY.svg in DIR; none for several experiments].",
        ),
    ] = None,
    force: ForceOption = False,
) -> None:
    """Compare rows: tests and effect sizes, a table and a picture.

    The tests are Mann-Whitney tests with Holm's correction.

    A is the probability that a run of the first row beats a run of the second; 0.5 means no difference.

    A setting that occurs in several of the experiments is called after its experiment, such as GA_1@quick.

    Example: evo compare runs/results/quick-20261116-120000 --by init
    """
    from evo.analysis.ioh import safe_name
    from evo.analysis.study import Study
    from evo.analysis.summary import counting_note
    from evo.cli.tables import text_table
    from evo.live.pictures import comparison_figure
    from plots.style import save_picture

    study = Study(directories)
    table, notes = study.compare(by, foreign=foreign, seconds=seconds)  # type: ignore[arg-type]  # it checks `by`
    when = "" if seconds is None else f" after {seconds:g} seconds"
    if when:
        print(f"Best scores{when}:")
    heads = ["rows", "first", "second", "runs", "medians", "A", "magnitude", "p", "p (Holm)", "verdict"]
    print(text_table(heads, [_compared_line(line) for line in table.to_dict("records")]))
    if study.edges != "all":
        print(counting_note(study.puzzle, study.edges, both=False))
    say(notes)
    beside = "" if foreign is None else f"-{safe_name(foreign.stem, 'foreign')}"
    name = f"compare-{by}{beside}{when.replace(' ', '-')}.svg"
    if output is None and len(directories) > 1:  # the picture would belong to none of them
        return
    target = output if output is not None else _picture_folder(study.store.path) / name
    save_picture(comparison_figure(table, f"Comparison{when}"), target, force=force or output is None)
    print(target)


def report(
    directories: Directories,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="The page to write [report.html in DIR].")
    ] = None,
    force: ForceOption = False,
) -> None:
    """Write a page with tables, pictures, boards and settings.

    The page is a single file that needs no network. The pictures are also written to DIR as SVG files. A page about
    several experiments needs --output. If DIR holds records (see `evo record`), the tables of its README.md and the
    pictures beside it are updated instead.

    Example: evo report runs/results/quick-20261116-120000
    """
    from evo.analysis.record import is_record
    from evo.analysis.study import Study
    from evo.cli.records import refresh
    from evo.errors import ConfigError
    from evo.live.pictures import study_page, study_pictures
    from puzzles.errors import FileError
    from puzzles.file_io import check_free, naming, write_bytes

    directory, *others = directories
    if not others and is_record(directory):
        if output is not None:
            raise ConfigError("output: the page of a folder of records is always its README.md; omit the option")
        print(*refresh(directory), sep="\n")
        return
    if others and output is None:
        raise ConfigError("output: expected a file for the page about several experiments; found none")
    target = output if output is not None else directory / "report.html"
    with naming(target):
        check_free(target, force=force or output is None)
        if not target.parent.is_dir():
            raise FileError("cannot be written: the folder does not exist")
    study = Study(directories)
    pictures, missing = study_pictures(study)
    page = study_page(study, pictures, missing)
    for picture in [] if others else pictures:
        path = _picture_folder(directory) / f"{picture.name}.svg"
        with naming(path):
            write_bytes(path, picture.svg.encode(), force=True)
        print(path)
    with naming(target):
        write_bytes(target, page.encode(), force=force or output is None)
    print(target)


def export(
    format: Annotated[str, typer.Argument(metavar="ioh", help="The format: ioh (IOHprofiler, read by IOHanalyzer).")],
    directory: Directory,
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The folder to create.")],
) -> None:
    """Export the traces for other tools.

    Example: evo export ioh runs/results/quick-20261116-120000 quick-ioh
    """
    from evo.analysis.ioh import export_ioh
    from evo.analysis.study import Study
    from evo.errors import ConfigError
    from operators import most_score

    if format != "ioh":
        raise ConfigError(f"export: {format!r} is not a known format; use ioh")
    study = Study(directory)
    puzzle, most = study.puzzle, most_score(study.puzzle, study.edges)
    trace = study.comparable_trace()
    written = export_ioh(study.runs, trace, puzzle.name, puzzle.size, most, out, edges=study.edges)
    print(f"{len(written)} rows: {out}")


def conclusions(directory: Directory) -> None:
    """Test the paper's seven conclusions on the completed runs.

    Example: evo conclusions runs/results/table2-20261116-120000
    """
    from evo.analysis.comparison import notes
    from evo.analysis.conclusions import conclusions as concluded
    from evo.analysis.study import Study
    from evo.analysis.summary import beside_paper, counting_note

    study = Study(directory)
    if study.paper is None:
        say([f"the paper is about Eternity II, but these runs are on {study.puzzle.name}"])
    else:
        print(beside_paper(study.runs))
    if study.edges != "all":
        print(counting_note(study.puzzle, study.edges, both=False))
    say(notes(study.runs))
    for one in concluded(study.runs):
        print(f"{one.number}. {one.text}")
        print(f"   {one.verdict.upper()}{_figures(one)}")
        print(textwrap.fill(one.comparison, 118, initial_indent="   ", subsequent_indent="   "))
        if one.note:
            print(textwrap.fill(f"({one.note})", 118, initial_indent="   ", subsequent_indent="   "))


def _figures(conclusion: Conclusion) -> str:
    from evo.analysis.statistics import p_statement

    effect = "" if conclusion.effect is None else f", {conclusion.measure} {conclusion.effect:.3g}"
    return effect + ("" if conclusion.p is None else f", {p_statement(conclusion.p)}")


def _compared_line(line: dict[Any, Any]) -> list[Any]:
    from evo.analysis.statistics import p_text

    count = str(line["first_n"]) if line["first_n"] == line["second_n"] else f"{line['first_n']}, {line['second_n']}"
    medians = f"{line['first_median']:g}, {line['second_median']:g}"
    p_values = [p_text(line["p"]), p_text(line["p_holm"])]
    names = [line["group"], line["first"], line["second"]]
    return [*names, count, medians, f"{line['effect']:.2f}", line["magnitude"], *p_values, line["verdict"]]


def _picture_folder(directory: Path) -> Path:
    """Return the folder of an experiment's own pictures, creating it if necessary; its files may be replaced."""
    from evo.errors import StoreError

    folder = directory / "pictures"
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise StoreError(f"{folder}: cannot be created: {error.strerror}") from None
    return folder
