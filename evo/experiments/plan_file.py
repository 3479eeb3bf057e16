"""The plan of an experiment as a file, experiment.json: every run with its settings as resolved, and its seed."""

from __future__ import annotations

import gc
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from evo.errors import StoreError
from evo.experiments.plan import Run

FORMAT = 1


@dataclass(frozen=True)
class Content:
    """The content of experiment.json."""

    __pydantic_config__ = ConfigDict(extra="forbid", strict=True)

    format: int
    name: str
    seed: int
    created: str
    puzzle_sha256: str
    runs: Annotated[list[Run], Field(min_length=1)]
    code: dict[str, str] = field(default_factory=dict)
    """The names of the user's own files, by the SHA-256 of their content."""


_CODE_NAME = re.compile(r"[0-9a-f]{12}-[^/\\\0]+\.py")
_CONTENT = TypeAdapter(Content)


def parse(path: Path, data: bytes) -> Content:
    """Return the content of the file.

    Raises:
        StoreError: It is not the plan of an experiment, or one of another format.
    """
    try:
        with uncollected():
            content = _CONTENT.validate_json(data)
    except ValidationError as error:
        raise StoreError(f"{path}: {what_is_wrong(error, 'the plan of an experiment')}") from None
    if content.format != FORMAT:
        raise StoreError(f"{path}: has format {content.format}; expected {FORMAT}")
    if not all(_CODE_NAME.fullmatch(name) for name in content.code.values()):
        raise StoreError(f"{path}: is not the plan of an experiment")
    if len({run.id for run in content.runs}) < len(content.runs) or not all(_is_run(run) for run in content.runs):
        raise StoreError(f"{path}: is not the plan of an experiment")
    if len({run.edges for run in content.runs}) > 1:
        raise StoreError(f"{path}: edges: is not the same in all runs")
    return content


@contextmanager
def uncollected() -> Iterator[None]:
    """Pause the garbage collector: it would go through tens of thousands of new objects again and again."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def what_is_wrong(error: ValidationError, what: str) -> str:
    """Return what is wrong with a file, from the first error in it."""
    damaged = error.errors()[0]["type"] == "json_invalid"
    return "is damaged: it is not JSON" if damaged else f"is not {what}"


def _is_run(run: Run) -> bool:
    """Return whether a run read from a file is plausible: a plain folder name, a budget and a seed."""
    numbers = [run.settings.get(key) for key in ("evaluations", "seed")]
    return bool(re.fullmatch(r"[A-Za-z0-9_-]+", run.id)) and all(type(number) is int for number in numbers)
