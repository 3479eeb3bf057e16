"""The command about settings: the bundled ones, and any of them with all defaults."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer


def list_settings(
    name: Annotated[
        str | None, typer.Argument(metavar="[SETTING|FILE]", help="A setting to print, with all its defaults.")
    ] = None,
) -> None:
    """List the bundled settings, or print one with all its defaults.

    Example: evo settings GA_1
    """
    from evo.errors import NoPuzzleError
    from evo.experiments.plan import make_plan
    from evo.experiments.settings_files import names
    from puzzles.pencil import PencilTask

    if name is None:
        width = max(len(known) for known in names())
        for known, path in names().items():
            first = path.read_text(encoding="utf-8").partition("\n")[0].lstrip("# ")
            print(f"{known:{width}} {first.removeprefix(f'{known}: ')}")
        return
    try:
        runs = make_plan([name], runs=1).runs
    except NoPuzzleError:  # any puzzle will do to list settings
        runs = make_plan([name], runs=1, puzzle=PencilTask.load("." * 16)).runs
    for run in runs:
        print(f"{'[[rows]]' if len(runs) > 1 else ''}\nname = {_toml(run.setting)}".strip())
        if run.seconds is not None:
            print(f"seconds = {run.seconds:g}")
        for key, value in run.settings.items():
            if key != "seed" and value is not None:  # each run has its own seed, and TOML cannot express None
                print(f"{key} = {_toml(value)}")


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{key} = {_toml(one)}' for key, one in value.items())} }}"
    return json.dumps(value)
