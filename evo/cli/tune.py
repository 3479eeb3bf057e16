"""The command that evolves the settings of a solver: tune."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evo.cli.inputs import ForceOption, load_puzzle
from evo.cli.tables import text_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from evo.settings.construction import KeySettings
    from puzzles import Puzzle

tuning = typer.Typer(help="Evolve the settings of a solver.", no_args_is_help=True)

_VALIDATED = 48
"""Boards of each kind that the validation builds."""
_WIDER = (1, 4)
"""The widths of the beams of the validation, as multiples of the tuned width."""


@tuning.command("beam")
def tune_beam(
    puzzle: Annotated[
        str, typer.Argument(metavar="PUZZLE", help="The puzzle to tune on: a name or a file.")
    ] = "eternity2",
    budget: Annotated[int, typer.Option(metavar="BOARDS", help="Number of boards to build.", min=1)] = 2000,
    width: Annotated[int, typer.Option(metavar="K", help="Width of the beam.", min=1, max=1_000_000)] = 1024,
    seed: Annotated[int, typer.Option(metavar="N", help="Random seed.", min=0)] = 1,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="File for the settings.")] = Path(
        "beam.toml"
    ),
    force: ForceOption = False,
) -> None:
    """Evolve the key of a beam search by CMA-ES.

    The fitness is the mean score. The outcome is written first, and then validated on other seeds and a wider beam; the
    table of the validation is added to the file, which `evo run FILE` runs.

    Example: evo tune beam eternity2 --budget 2000 -o beam.toml
    """
    import numpy as np

    from evo.engine.beam_tuning import tune_beam as generations
    from evo.settings.construction import KeySettings
    from puzzles.file_io import check_free, naming, write_bytes

    with naming(output):
        check_free(output, force=force)
    found = load_puzzle(puzzle)
    assert found is not None
    rng = np.random.default_rng(seed)
    for number, now in enumerate(generations(found, rng, width=width, budget=budget), start=1):
        print(
            f"evo: generation {number}: mean {now.mean:.2f}, best candidate {now.best:.2f}, step {now.step:.3f}; "
            f"{now.boards:,} of {budget:,} boards",
            file=sys.stderr,
        )
    origin = f"evo tune beam {puzzle} --budget {budget} --width {width} --seed {seed}"
    with naming(output):  # before the validation, which may be interrupted
        write_bytes(output, settings_file(origin, "", now.key, width).encode(), force=force)
    print(f"evo: {output}: written; validating on other seeds", file=sys.stderr)
    table = validation(found, KeySettings(), now.key, width, rng.integers(1 << 62, size=_VALIDATED).tolist())
    with naming(output):
        write_bytes(output, settings_file(origin, table, now.key, width).encode(), force=True)
    print(f"{table}\n\nsettings {output}")


def validation(puzzle: Puzzle, default: KeySettings, tuned: KeySettings, width: int, seeds: Sequence[int]) -> str:
    """Return a table of the scores of both keys on seeds that neither has seen, at several widths."""
    from evo.analysis.statistics import welch
    from evo.engine.beam_tuning import scores_of

    rows = []
    for times in _WIDER:
        ours, theirs = (scores_of(puzzle, key, times * width, seeds) for key in (tuned, default))
        spread = [(float(scores.mean()), float(scores.std()), len(scores)) for scores in (theirs, ours)]
        rows.append(
            [
                f"{times * width:,}",
                *(f"{mean:.2f} ± {deviation:.2f}" for mean, deviation, _ in spread),
                f"{spread[1][0] - spread[0][0]:+.2f}",
                f"{welch(spread[0], spread[1]):.3f}",
            ]
        )
    heads = ["width", f"default ({len(seeds)} boards)", f"tuned ({len(seeds)} boards)", "difference", "p (Welch)"]
    return text_table(heads, rows)


def settings_file(origin: str, table: str, key: KeySettings, width: int) -> str:
    """Return settings as TOML, with the command that found them and the table of the validation, if there is one."""
    from evo import __version__

    judged = ["and validated on other seeds:", "", *table.splitlines()] if table else ["not validated."]
    lines = [f"Evolved by `{origin}` (evo {__version__}),", *judged]
    numbers = [f"{name} = {value:.6g}" for name, value in key.model_dump().items()]
    return (
        "\n".join(
            [
                *(f"# {line}".rstrip() for line in lines),
                "",
                'algorithm = "BEAM"',
                f"width = {width}",
                "",
                "[key]",
                *numbers,
            ]
        )
        + "\n"
    )
