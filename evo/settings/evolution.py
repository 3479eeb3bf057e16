"""Settings of the algorithms: pydantic models whose defaults are the paper's values.

What the paper leaves open is a setting too; `docs/fidelity.md` tells how the defaults were chosen.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal, get_args

from pydantic import Field, TypeAdapter, ValidationError, model_validator

from evo.errors import ConfigError
from evo.settings.base import Frozen, RunSettings, Share, Sizes, check_order
from evo.settings.construction import BACKTRACK, BEAM, BeamInit
from evo.settings.local import TABU, VLNS
from operators import PATHS
from puzzles.formats.reading import shortened

Positive = Annotated[int, Field(ge=1, le=10_000_000)]
MOST_DISTINCT = 100
"""The largest tournament without replacement: it remembers whom it has drawn."""
_EVERY = re.compile("every ([1-9][0-9]{0,8}) generations?")


class RepairSettings(Frozen):
    """Repair by the very large neighbourhood (`docs/vlns.md`): moves take tiles out and put them back optimally."""

    kind: Literal["vlns"] = "vlns"
    cells: Literal["scattered", "checkerboard"] = "scattered"
    """Which tiles a move takes out: some that do not touch, or all on black or on white squares of the checkerboard."""
    size: Annotated[int, Field(ge=1, le=8192)] = 16
    """How many scattered tiles a move takes out."""
    violated: Share = 0.9
    """How likely each of them is taken for its unmatched edges."""
    moves: Annotated[int, Field(ge=1, le=1_000_000)] = 20
    """The moves of one repair."""
    when: str = "offspring"
    """Whom to repair: `offspring`, each child before it joins the population; `elite`, the fittest after each
    generation; `every k generations`, anybody after every k-th one (of AIEA: after every k-th report)."""
    share: Share = 1.0
    """How likely one of these is repaired; of the elite, which share of the population it is, one at least."""

    @property
    def every(self) -> int:
        """After how many generations anybody may be repaired; 0 when that is not how it goes."""
        found = _EVERY.fullmatch(self.when)
        return int(found[1]) if found else 0

    @model_validator(mode="after")
    def _is_known(self) -> RepairSettings:
        if self.when not in ("offspring", "elite") and not self.every:
            raise ValueError(f"repair.when: {self.when!r} is not one of offspring, elite, every 10 generations")
        if self.when == "elite" and "share" not in self.model_fields_set:
            raise ValueError("repair.share: is missing; which share of the population is the elite?")
        return self


class _Evolution(RunSettings):
    population: Annotated[int, Field(ge=2, le=10_000_000)] = 10_000
    tournament: Positive = 3
    init: Literal["random", "knowledge"] | BeamInit = "random"
    path: str | tuple[int, ...] = "zigzag"
    """Open in the paper: the path of initialisation with knowledge; a name, or every cell once."""
    framed: bool = True
    """Open in the paper: whether initialisation with knowledge puts grey sides on the rim and nowhere else."""
    mutation_sizes: Sizes = (1, 10)
    replacement: bool = True
    """Open in the paper: whether a tournament may draw the same individual more than once."""
    exchange: Literal["together", "size_first"] = "size_first"
    """Open in the paper: whether size and places of two regions are drawn together until these do not overlap, which
    favours small regions, or the size first, all that fit being equally likely, and then places."""
    turns: Literal["any", "quarter"] = "any"
    """Open in the paper: whether a region is turned by one, two or three quarters, or always by one."""
    repair: RepairSettings | None = None
    """The paper's wish for the future; none of its own algorithms has it."""

    @model_validator(mode="after")
    def _fits_together(self) -> _Evolution:
        if self.tournament > self.population:
            raise ValueError(f"tournament: {self.tournament} individuals cannot be drawn from {self.population}")
        if not self.replacement and self.tournament > MOST_DISTINCT:
            raise ValueError(
                f"tournament: without replacement at most {MOST_DISTINCT} are drawn; found {self.tournament}"
            )
        if self.evaluations < self.population:
            raise ValueError(f"evaluations: {self.evaluations} do not suffice for a population of {self.population}")
        if isinstance(self.path, str) and self.path not in PATHS:
            raise ValueError(f"path: {self.path!r} is not one of {', '.join(PATHS)}")
        check_order("mutation_sizes", self.mutation_sizes)
        return self


class _Generational(_Evolution):
    crossover: Annotated[int, Field(ge=0)] = 9_000
    mutation: Annotated[int, Field(ge=0)] = 999
    elite: Annotated[int, Field(ge=0)] = 1
    crossover_sizes: Sizes = (2, 8)
    refill: Literal["random", "kept"] = "random"
    """Open in the paper: whether tiles that fill a child's holes are turned at random or keep their rotation."""
    mutant_tournament: Positive = 2
    """Open in the paper: the size of the tournament that chooses whom to mutate; 1 is a uniform choice."""
    distinct_parents: bool = False
    """Open in the paper: whether the second parent is drawn again until it is another individual than the first."""

    @model_validator(mode="after")
    def _adds_up(self) -> _Generational:
        total = self.crossover + self.mutation + self.elite
        if total != self.population:
            raise ValueError(
                f"population: {self.population} is not crossover + mutation + elite "
                f"({self.crossover} + {self.mutation} + {self.elite} = {total})"
            )
        if self.crossover + self.mutation == 0:
            raise ValueError("elite: a generation of nothing but elite never changes")
        if self.mutant_tournament > self.population:
            raise ValueError(f"mutant_tournament: {self.mutant_tournament} is more than the population")
        if self.distinct_parents and not self.replacement and self.tournament == self.population:
            raise ValueError("distinct_parents: a tournament of all has the same winner every time")
        check_order("crossover_sizes", self.crossover_sizes)
        return self


class GA(_Generational):
    """The genetic algorithm (section III-B)."""

    algorithm: Literal["GA"] = "GA"
    fitness: Literal["normal", "combined"] = "normal"


class MOEA(_Generational):
    """The multiobjective algorithm (section III-D). What it compares is dominance."""

    algorithm: Literal["MOEA"] = "MOEA"
    ties: Literal["distance", "first"] = "distance"
    """Open in the paper: who wins a tournament of front members: the most distant, or the first one drawn."""
    mutation: Annotated[int, Field(ge=0)] = 990
    elite: Annotated[int, Field(ge=0)] = 10


class AIEA(_Evolution):
    """The artificial immune algorithm (section III-C)."""

    algorithm: Literal["AIEA"] = "AIEA"
    fitness: Literal["normal", "combined"] = "normal"
    fewest_mutations: Annotated[int, Field(ge=1, le=1000)] = 1
    """Open in the paper: the mutations of a clone of the fittest individual."""
    most_mutations: Annotated[int, Field(ge=1, le=1000)] = 50
    """Open in the paper: the mutations of a clone of the least fit individual."""

    @model_validator(mode="after")
    def _ordered(self) -> AIEA:
        if self.fewest_mutations > self.most_mutations:
            raise ValueError(f"fewest_mutations: {self.fewest_mutations} is more than most_mutations")
        return self


class RAND(RunSettings):
    """Random search (RAND): every evaluation is a new random board."""

    algorithm: Literal["RAND"] = "RAND"


class ES(RunSettings):
    """Exhaustive search (ES, section III-A)."""

    algorithm: Literal["ES"] = "ES"
    pins: Literal["none", "mandatory", "all"] = "mandatory"
    refill: bool = False
    """Open in the paper: whether the cells left blank at the end are filled with what is left, which may score."""


Settings = GA | AIEA | MOEA | RAND | ES | VLNS | TABU | BEAM | BACKTRACK
ALGORITHMS: dict[str, type[RunSettings]] = {kind.model_fields["algorithm"].default: kind for kind in get_args(Settings)}
"""The settings of each algorithm."""
_ADAPTER: TypeAdapter[Settings] = TypeAdapter(Annotated[Settings, Field(discriminator="algorithm")])


def make_settings(values: dict[str, Any]) -> Settings:
    """Settings from plain values, such as those of a TOML file.

    Raises:
        ConfigError: Something is wrong; the message names the keys.
    """
    if not isinstance(values, dict):
        raise ConfigError(f"settings are names and values; found {type(values).__name__}")
    plain = {key: _as_tuples(value) for key, value in values.items()}
    if plain.get("repair") == "none":  # TOML has no word for nothing
        plain["repair"] = None
    try:
        return _ADAPTER.validate_python(plain)
    except ValidationError as error:
        found = _of_one_kind(error.errors(), isinstance(plain.get("init"), dict))
        raise ConfigError("; ".join(dict.fromkeys(_said(one) for one in found))) from None


def _as_tuples(value: Any) -> Any:
    """Lists stand for tuples in files."""
    if isinstance(value, dict):
        return {key: _as_tuples(one) for key, one in value.items()}
    return tuple(_as_tuples(one) for one in value) if isinstance(value, list) else value


_LISTS = {"orders": "names", "init.orders": "names", "mismatches": "numbers", "quota": "pairs of numbers"}
_TABLES = {"repair": "{ moves = 10 }", "cp": "{ relaxed = 10 }", "key": "{ noise = 0.1 }"}


def _of_one_kind(errors: list[Any], table: bool) -> list[Any]:
    """Errors without what pydantic says of an init that is a name as a table, or of a table as a name."""
    kept = []
    for error in errors:
        place = error["loc"]
        if len(place) > 2 and place[1] == "init":
            if table == str(place[2]).startswith("literal"):
                continue
            error = error | {"loc": (*place[:2], *place[3:])}
        kept.append(error)
    return kept


def _said(error: Any) -> str:
    """One of pydantic's errors as a sentence that starts with the key."""
    place = ".".join(str(part) for part in error["loc"][1:])
    if place.startswith("path."):  # it may be two things, and pydantic complains about both
        return f"path: is neither a name nor a list of cells; found {shortened(repr(error['input']), 60)}"
    if error["type"] == "union_tag_not_found":
        return f"algorithm: is missing; expected one of {', '.join(ALGORITHMS)}"
    if error["type"] == "union_tag_invalid":
        return f"algorithm: {error['ctx']['tag']!r} is not one of {', '.join(ALGORITHMS)}"
    if error["type"] == "extra_forbidden":
        return f"{place}: there is no such setting"
    if error["type"] == "model_type":
        return f"{place}: expected a table, such as {_TABLES[place]}; found {shortened(repr(error['input']), 60)}"
    if error["type"] == "tuple_type" and place in _LISTS:
        return f"{place}: expected a list of {_LISTS[place]}; found {shortened(repr(error['input']), 60)}"
    if error["type"] in ("tuple_type", "too_long", "missing"):
        return f"{place.removesuffix('.1')}: expected two numbers, the least and the greatest"
    if error["type"] == "value_error":
        return str(error["ctx"]["error"])
    message = error["msg"]
    return f"{place}: {message[:1].lower()}{message[1:]}; found {shortened(repr(error['input']), 60)}"
