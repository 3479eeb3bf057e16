"""Plans: what an experiment runs, worked out from settings files, names and options.

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

from evo.engine.problem import EvolutionSettings, make_problem
from evo.engine.runner import make_search
from evo.errors import ConfigError
from evo.experiments.rows import Row
from evo.experiments.settings_files import Document, beside, inherited, merged, names, read
from evo.settings.evolution import ALGORITHMS, Settings, make_settings
from puzzles import Puzzle, load

_OWN = ("name", "runs", "seed", "seconds", "puzzle")
"""Keys about the experiment, not about the algorithm."""
_VARIED = ("init", "fitness")
_SUITE = (*_OWN, "evaluations", "rows")
CHANGED = "*"
"""Behind the name of one of the project's settings that was changed: the paper's figures are not about it."""
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
    """Empty where the algorithm has none."""
    fitness: str
    run: int
    settings: dict[str, Any]
    """As resolved, with every default, the budget and the run's own seed."""
    seconds: float | None

    @property
    def label(self) -> str:
        """What people call its row."""
        return Row(self.setting, self.init, self.fitness).label


@dataclass(frozen=True)
class Plan:
    """An experiment to be carried out."""

    name: str
    seed: int
    puzzle: Puzzle
    runs: list[Run]
    notes: list[str] = field(default_factory=list)
    """What had to be left out, for the user to read."""


def make_plan(sources: Sequence[str], /, **overrides: Any) -> Plan:
    """Work out what to run.

    Args:
        sources: Names of the project's settings, or paths of TOML files.
        overrides: Keys that replace those of the files. `init` and `fitness` may be lists, and go only to rows that
            have such a key.

    Raises:
        ConfigError: Something is missing or wrong; the message names the file and the key.
        PuzzleError: The puzzle cannot be read.
    """
    if not sources:
        raise ConfigError("no setting: name one, or a TOML file")
    notes: list[str] = []
    rows = [row for source in sources for row in _rows(read(source))]
    common = {key: _agreed(key, rows, overrides) for key in ("seed", "puzzle")}
    seed = _whole("seed", 1 if common["seed"] is None else common["seed"], 0, 2**63)
    puzzle = load("eternity2" if common["puzzle"] is None else str(common["puzzle"]))
    planned = [variant for row in rows for variant in _variants(row, overrides, notes)]
    _check_overrides(overrides, planned)
    runs = _runs(planned, seed, puzzle)
    name = "+".join(dict.fromkeys(row.suite for row in rows))[:_LONGEST_NAME]
    return Plan(name, seed, puzzle, runs, notes)


@dataclass(frozen=True)
class _Row:
    """A row as the files give it."""

    where: str
    suite: str
    name: str
    values: dict[str, Any]


def _rows(document: Document) -> list[_Row]:
    """The rows of a suite; a setting is a suite of one."""
    values = document.values
    suite = _name(document.where, values.get("name", document.name))
    if "rows" not in values:
        return [_Row(document.where, suite, suite, inherited(document).values)]
    if not isinstance(values["rows"], list) or not values["rows"]:
        raise ConfigError(f"{document.where}: rows: expected tables [[rows]], at least one")
    for key in values:
        if key not in _SUITE:
            raise ConfigError(f"{document.where}: {key}: belongs to a row; a suite has {', '.join(_SUITE)}")
    shared = {key: value for key, value in values.items() if key not in ("name", "rows")}
    found = []
    for number, row in enumerate(values["rows"], start=1):
        where = f"{document.where}: row {number}"
        if not isinstance(row, dict):
            raise ConfigError(f"{where}: expected a table [[rows]]")
        if "extends" not in row and "name" not in row:
            raise ConfigError(f"{where}: name: is missing, and there is no setting that it extends")
        row = beside(row, document.folder)
        whole = inherited(Document(where, str(row.get("name", "")), document.folder, row))
        # What the suite says of all rows goes before what a setting says of itself, and a row's own words before both.
        found.append(_Row(where, suite, _name(where, whole.name), merged(merged(whole.values, shared), row)))
    return found


def _name(where: str, name: Any) -> str:
    if not isinstance(name, str) or not 0 < len(name) <= _LONGEST_NAME or not name.isprintable():
        raise ConfigError(f"{where}: name: expected 1 to {_LONGEST_NAME} printable characters; found {name!r:.80}")
    return name


def _agreed(key: str, rows: list[_Row], overrides: dict[str, Any]) -> Any:
    """A value that the whole experiment has in common."""
    if overrides.get(key) is not None:
        return overrides[key]
    found = [row for row in rows if key in row.values]
    for row in found:
        if row.values[key] != found[0].values[key]:
            raise ConfigError(f"{key}: an experiment has one, but {found[0].where} and {row.where} differ")
    return found[0].values[key] if found else None


def _variants(row: _Row, overrides: dict[str, Any], notes: list[str]) -> list[tuple[_Row, Settings, int, float | None]]:
    """Every combination of init and fitness of a row, with how many runs it has and how long each may take."""
    values = merged(row.values, {key: value for key, value in overrides.items() if value is not None})
    runs = _whole(f"{row.where}: runs", values.get("runs", 1), 1, _MOST_RUNS)
    seconds = values.get("seconds")
    number = isinstance(seconds, int | float) and not isinstance(seconds, bool)
    if seconds is not None and not (number and 0 < seconds < math.inf):
        raise ConfigError(f"{row.where}: seconds: expected a number above 0; found {seconds!r:.60}")
    plain = {key: value for key, value in values.items() if key not in (*_OWN, "extends")}
    for key in _VARIED:
        algorithm = plain.get("algorithm")
        if key in plain and algorithm in ALGORITHMS and key not in ALGORITHMS[algorithm].model_fields:
            if overrides.get(key) is None:
                raise ConfigError(f"{row.where}: {key}: {algorithm} has no such setting")
            notes.append(f"{row.name} has no {key}; it is run as it is")
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


def _listed(row: _Row, key: str, value: Any) -> list[Any]:
    values = value if isinstance(value, list | tuple) else [value]
    if not values or any(values.count(one) > 1 for one in values):
        raise ConfigError(f"{row.where}: {key}: expected one or more different ones; found {value!r:.60}")
    return list(values)


def _check_overrides(overrides: dict[str, Any], planned: list[Any]) -> None:
    """Refuse an option that no row has a use for."""
    for key in _VARIED:
        if overrides.get(key) is not None and not any(hasattr(settings, key) for _, settings, *_ in planned):
            raise ConfigError(f"{key}: none of the settings has it")


def _runs(planned: list[tuple[_Row, Settings, int, float | None]], seed: int, puzzle: Puzzle) -> list[Run]:
    """The runs of all rows, the first of each, then the second ..., so that what is done is always balanced."""
    labels: dict[str, str] = {}
    runs = []
    for row, settings, count, seconds in planned:
        init, fitness = _init_name(settings), getattr(settings, "fitness", "")
        name = row.name + CHANGED if _is_changed(row.name, settings) else row.name
        label = Row(name, init, fitness).label
        if label in labels:
            raise ConfigError(f"{row.where}: {label!r} is there already ({labels[label]}); give one of them a name")
        labels[label] = row.where
        try:
            if isinstance(settings, EvolutionSettings):
                make_problem(puzzle, settings)  # a search has room for a whole population
            else:
                make_search(puzzle, settings)
        except ConfigError as error:
            raise ConfigError(f"{row.where}: {error}") from None
        plain = settings.model_dump(mode="json")
        for number in range(1, count + 1):
            own = plain | {"seed": run_seed(seed, label, number)}
            runs.append(Run("", name, settings.algorithm, init, fitness, number, own, seconds))
    runs.sort(key=lambda run: run.run)  # stable: rows stay in their order
    folders: set[str] = set()
    return [Run(**(vars(run) | {"id": _folder(run, folders)})) for run in runs]


def _init_name(settings: Settings) -> str:
    init = getattr(settings, "init", "")
    return init if isinstance(init, str) else str(init.kind)


def _is_changed(name: str, settings: Settings) -> bool:
    """Whether settings go by the name of one of the project's, but are others than the paper's for it."""
    if name not in names():
        return False
    document = read(name)
    if "rows" in document.values:
        return False
    known = {key: value for key, value in inherited(document).values.items() if key not in (*_OWN, "extends")}
    free = {*_VARIED, "evaluations", "seed"}
    return make_settings(known).model_dump(exclude=free) != settings.model_dump(exclude=free)


def run_seed(seed: int, label: str, run: int) -> int:
    """The seed of one run: the same wherever this row and this number occur, and unlike all others.

    53 bits, so that every program that reads it reads it exactly.
    """
    sequence = np.random.SeedSequence(seed, spawn_key=(zlib.crc32(label.encode()), run))
    return int(sequence.generate_state(1, np.uint64)[0] >> np.uint64(11))


def _folder(run: Run, taken: set[str]) -> str:
    """A folder's name for a run, safe on every file system."""
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
    """Where results go when the user does not say: a new folder below runs/results."""
    base = Path("runs") / "results" / f"{re.sub(r'[^A-Za-z0-9_+]+', '-', name)}-{now}"
    return next(
        path for path in itertools.chain([base], (Path(f"{base}-{k}") for k in itertools.count(2))) if not path.exists()
    )
