"""Plans: what an experiment runs, derived from settings, files and options.

A setting is a TOML file of an algorithm's settings; it may extend another and override keys. A suite is a TOML file
with `[[rows]]`, each of which is a setting. `init` and `fitness` may be lists: every combination is a row of the
experiment.
"""

from __future__ import annotations

import itertools
import math
import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from evo.errors import ConfigError
from evo.experiments.rows import Row
from evo.experiments.settings_files import Document, beside, inherited, merged, names, read
from evo.settings import user_code
from evo.settings.base import PaperSettings, RunSettings, check_fits
from evo.settings.paper import OPEN_CHOICES, TABLE_2
from evo.settings.registry import make_settings, name_of, plain_values, settings_class
from operators import EDGES
from puzzles import Puzzle
from puzzles.pencil import PencilTask
from puzzles.protocols import AnyPuzzle

_OWN = ("name", "runs", "seed", "seconds", "puzzle")
"""Keys of the experiment, not of an algorithm."""
_VARIED = ("init", "fitness")
_SUITE = (*_OWN, "evaluations", "edges", "rows", "puzzles")
CHANGED = "*"
"""Marks a bundled setting that was changed, if it is one of the paper's in what the paper specifies."""
_LONGEST_NAME = 60
_MOST_RUNS = 100_000


@dataclass(frozen=True)
class Run:
    """One run of an experiment: a row of it, with a number and a seed."""

    id: str
    """The name of its folder."""
    setting: str
    algorithm: str
    init: str
    """Empty if the algorithm has none."""
    fitness: str
    run: int
    settings: dict[str, Any]
    """The resolved settings, with all defaults, the budget and the run's own seed."""
    seconds: float | None

    @property
    def label(self) -> str:
        """The label of its row."""
        return Row(self.setting, self.init, self.fitness).label

    @property
    def edges(self) -> str:
        """Which inner edges count; see `operators.counting`."""
        edges = self.settings.get("edges")  # absent from runs of older versions, which counted all
        return edges if edges in EDGES else "all"


@dataclass(frozen=True)
class Plan:
    """An experiment to be carried out."""

    name: str
    seed: int
    puzzle: AnyPuzzle
    runs: list[Run]
    notes: list[str] = field(default_factory=list)
    """Notes for the user."""


def make_plan(sources: Sequence[str | RunSettings], /, **overrides: Any) -> Plan:
    """Return the plan of an experiment.

    Args:
        sources: Names of the project's settings, paths of TOML files, references to algorithms of the user's own such
            as "my_search.py:MySettings", or settings.
        overrides: Values that replace those of the files. `init` and `fitness` may be lists, and apply only to rows
            that have such a setting. `puzzle` is a name, a path, or a puzzle.

    Raises:
        ConfigError: Something is missing or wrong; the message names the file and the key.
        PuzzleError: The puzzle cannot be read.
    """
    if not sources:
        raise ConfigError("expected the name of a setting, or a TOML file; found none")
    notes: list[str] = []
    rows = [row for source in sources for row in _rows(_document(source))]
    common = {key: _agreed(key, rows, overrides) for key in ("seed", "puzzle")}
    seed = _whole("seed", 1 if common["seed"] is None else common["seed"], 0, 2**63)
    planned = [variant for row in rows for variant in _variants(row, overrides, notes)]
    source = common["puzzle"]
    if isinstance(source, Puzzle | PencilTask):
        puzzle: AnyPuzzle = source
    else:
        puzzle = planned[0][1].load_puzzle(None if source is None else str(source))
    _check_overrides(overrides, planned)
    _check_edges(planned)
    runs = _runs(planned, seed, puzzle, notes)
    name = "+".join(dict.fromkeys(row.suite for row in rows))[:_LONGEST_NAME]
    return Plan(name, seed, puzzle, runs, notes)


@dataclass(frozen=True)
class _Row:
    """A row as in the files."""

    where: str
    suite: str
    name: str
    values: dict[str, Any]


_Variant = tuple[_Row, RunSettings, int, float | None]
"""A row with one init and one fitness: its settings, how many runs it has, and how long each may take."""


def _document(source: str | RunSettings) -> Document:
    if isinstance(source, str):
        return read(source)
    return Document(source.algorithm, source.algorithm, Path(), plain_values(source))


def _rows(document: Document) -> list[_Row]:
    """Return the rows of a suite; a setting is a suite with one row."""
    values = document.values
    suite = _name(document.where, values.get("name", document.name))
    if "rows" not in values:
        return [_Row(document.where, suite, suite, inherited(document).values)]
    if not isinstance(values["rows"], list) or not values["rows"]:
        raise ConfigError(f"{document.where}: rows: expected at least one table [[rows]]")
    for key in values:
        if key not in _SUITE:
            raise ConfigError(f"{document.where}: {key}: belongs to a row; a suite has {', '.join(_SUITE)}")
    shared = {key: value for key, value in values.items() if key not in ("name", "rows", "puzzles")}
    found = []
    for number, row in enumerate(values["rows"], start=1):
        where = f"{document.where}: row {number}"
        if not isinstance(row, dict):
            raise ConfigError(f"{where}: expected a table [[rows]]")
        if "extends" not in row and "name" not in row:
            raise ConfigError(f"{where}: name: is missing; a row needs a name or a setting that it extends")
        row = beside(row, document.folder)
        whole = inherited(Document(where, str(row.get("name", "")), document.folder, row))
        # The values of the suite override those of the extended setting; the row's own values override both.
        found.append(_Row(where, suite, _name(where, whole.name), merged(merged(whole.values, shared), row)))
    return found


def _name(where: str, name: Any) -> str:
    if not isinstance(name, str) or not 0 < len(name) <= _LONGEST_NAME or not name.isprintable():
        raise ConfigError(f"{where}: name: expected 1 to {_LONGEST_NAME} printable characters; found {name!r:.80}")
    return name


def _agreed(key: str, rows: list[_Row], overrides: dict[str, Any]) -> Any:
    """Return a value that the whole experiment shares."""
    if overrides.get(key) is not None:
        return overrides[key]
    found = [row for row in rows if key in row.values]
    for row in found:
        if row.values[key] != found[0].values[key]:
            raise ConfigError(f"{key}: an experiment has only one, but {found[0].where} and {row.where} differ")
    return found[0].values[key] if found else None


def _variants(row: _Row, overrides: dict[str, Any], notes: list[str]) -> list[_Variant]:
    """Return every combination of init and fitness of a row."""
    values = merged(row.values, {key: value for key, value in overrides.items() if value is not None})
    runs = _whole(f"{row.where}: runs", values.get("runs", 1), 1, _MOST_RUNS)
    seconds = values.get("seconds")
    number = isinstance(seconds, int | float) and not isinstance(seconds, bool)
    if seconds is not None and not (number and 0 < seconds < math.inf):
        raise ConfigError(f"{row.where}: seconds: expected a number above 0; found {seconds!r:.60}")
    plain = {key: value for key, value in values.items() if key not in (*_OWN, "extends")}
    for key in _VARIED:
        if key in plain and "algorithm" in plain and key not in (kind := _class_of(row, plain)).model_fields:
            if overrides.get(key) is None:
                raise ConfigError(f"{row.where}: {key}: {name_of(kind)} has no such setting")
            notes.append(f"{row.name} has no {key}; it runs unchanged")
            del plain[key]
    choices = [_listed(row, key, plain.pop(key)) if key in plain else [None] for key in _VARIED]
    found = []
    for combination in itertools.product(*choices):
        chosen = {key: value for key, value in zip(_VARIED, combination, strict=True) if value is not None}
        try:
            settings = make_settings(plain | chosen)
        except ConfigError as error:
            raise ConfigError(f"{row.where}: {error}") from None
        found.append((row, settings, runs, None if seconds is None else float(seconds)))
    return found


def _class_of(row: _Row, values: dict[str, Any]) -> type[RunSettings]:
    try:
        return settings_class(values["algorithm"])
    except ConfigError as error:
        raise ConfigError(f"{row.where}: {error}") from None


def _listed(row: _Row, key: str, value: Any) -> list[Any]:
    values = value if isinstance(value, list | tuple) else [value]
    if not values or any(values.count(one) > 1 for one in values):
        raise ConfigError(f"{row.where}: {key}: expected one or more different values; found {value!r:.60}")
    return list(values)


def _check_overrides(overrides: dict[str, Any], planned: list[Any]) -> None:
    """Refuse an option that applies to no row."""
    for key in _VARIED:
        if overrides.get(key) is not None and not any(hasattr(settings, key) for _, settings, *_ in planned):
            raise ConfigError(f"{key}: none of the settings has such a key")


def _check_edges(planned: list[_Variant]) -> None:
    """Refuse rows that count different edges: no table or picture of an experiment may mix their scores."""
    (first, first_settings, *_), *others = planned
    for row, settings, *_ in others:
        if edges_of(settings) != edges_of(first_settings):
            raise ConfigError(
                f"edges: all rows of an experiment must count the same edges, but {first.where} counts "
                f"{edges_of(first_settings)!r} and {row.where} counts {edges_of(settings)!r}"
            )


def edges_of(settings: RunSettings) -> str:
    """Return which edges settings count; algorithms without that setting count all."""
    return settings.edges if isinstance(settings, PaperSettings) else "all"


def _runs(planned: list[_Variant], seed: int, puzzle: AnyPuzzle, notes: list[str]) -> list[Run]:
    """Return the runs of all rows: the first of each, then the second, and so on, so that progress is balanced."""
    labels: dict[str, str] = {}
    runs = []
    for row, settings, count, seconds in planned:
        init, fitness = _init_name(settings), getattr(settings, "fitness", "")
        name = row.name + CHANGED if _is_changed(row.name, settings) else row.name
        label = Row(name, init, fitness).label
        if label in labels:
            raise ConfigError(f"{row.where}: {label!r} occurs twice (also in {labels[label]}); give one of them a name")
        labels[label] = row.where
        try:
            check_fits(puzzle, settings)
        except ConfigError as error:
            raise ConfigError(f"{row.where}: {error}") from None
        notes += [f"{label}: {note}" for note in settings.notes()]
        plain = plain_values(settings)
        for number in range(1, count + 1):
            own = plain | {"seed": run_seed(seed, label, number)}
            runs.append(Run("", name, settings.algorithm, init, fitness, number, own, seconds))
    runs.sort(key=lambda run: run.run)  # stable: rows stay in their order
    folders: set[str] = set()
    return [Run(**(vars(run) | {"id": _folder(run, folders)})) for run in runs]


def _init_name(settings: RunSettings) -> str:
    init = getattr(settings, "init", "")
    if user_code.is_reference(init):
        return user_code.parse(init).name
    return init if isinstance(init, str) else str(init.kind)


def _is_changed(name: str, settings: RunSettings) -> bool:
    """Return whether settings have the name of a bundled setting but differ from it."""
    if name not in names():
        return False
    document = read(name)
    if "rows" in document.values:
        return False
    known = {key: value for key, value in inherited(document).values.items() if key not in (*_OWN, "extends")}
    free = {*_VARIED, "evaluations", "seed"} | (OPEN_CHOICES if name in {row.setting for row in TABLE_2} else set())
    return make_settings(known).model_dump(exclude=free) != settings.model_dump(exclude=free)


def run_seed(seed: int, label: str, run: int) -> int:
    """Return the seed of a run, which depends on the master seed, the label of the row and the number of the run only.

    It has 53 bits, so that every program can read it exactly.
    """
    sequence = np.random.SeedSequence(seed, spawn_key=(zlib.crc32(label.encode()), run))
    return int(sequence.generate_state(1, np.uint64)[0] >> np.uint64(11))


def _folder(run: Run, taken: set[str]) -> str:
    """Return a folder name for a run that is safe on every file system."""
    base = re.sub(r"[^A-Za-z0-9_]+", "-", run.label).strip("-") or "run"
    for suffix in itertools.chain([""], (f"-{k}" for k in itertools.count(2))):
        name = f"{base}{suffix}-{run.run:02d}"
        if name.lower() not in taken:
            taken.add(name.lower())
            return name
    raise AssertionError  # there is always another number


def _whole(key: str, value: Any, least: int, greatest: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= greatest:
        raise ConfigError(f"{key}: expected a whole number from {least} to {greatest}; found {value!r:.60}")
    return value


def new_directory(name: str, now: str) -> Path:
    """Return the default directory for results: a new one below runs/results."""
    base = Path("runs") / "results" / f"{re.sub(r'[^A-Za-z0-9_+]+', '-', name)}-{now}"
    return next(
        path for path in itertools.chain([base], (Path(f"{base}-{k}") for k in itertools.count(2))) if not path.exists()
    )
