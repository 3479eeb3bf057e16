"""Islands: several populations of one run, each with a generator of its own, that exchange individuals in step.

The islands take turns: in each round, every island that is not waiting for an exchange continues until its next report.
An island waits when it has made so many evaluations that an exchange is due; when all wait, they exchange. So a run is
the same whether its islands are advanced one after another here (`IslandSearch`) or in parallel
(`evo.experiments.island_workers`), and wherever it is interrupted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from evo.settings.base import make_search
from evo.settings.islands import IslandSettings, PopulationSettings
from operators import counted_score
from puzzles import PuzzleError
from puzzles.protocols import AnyPuzzle
from solvers import PopulationSearch, Progress, Search, SolverError, State
from solvers.search import matching

_WORD = 1 << 64


class Migrating(Search, Protocol):
    """What a search needs so that its population can live on islands."""

    individuals: tuple[str, ...]
    """The arrays of the state that have a row for each individual."""

    def fitness(self) -> NDArray[np.int64]:
        """Return the fitness of each individual, to be minimised."""


class Report(NamedTuple):
    """What an island reported last; no evaluations if it has not reported yet."""

    evaluations: int
    best_score: int
    best_cells: NDArray[np.uint16]
    mean: float
    worst: int
    diversity: float


class Island:
    """One island: a search with its own generator.

    Args:
        puzzle: The puzzle.
        settings: The settings of the whole run.
        number: The number of the island, from 0.
        rng: The generator of the whole run, from which those of the islands are spawned.
    """

    def __init__(self, puzzle: AnyPuzzle, settings: PopulationSettings, number: int, rng: np.random.Generator) -> None:
        assert settings.islands is not None
        budget = settings.evaluations // settings.islands.count
        alone = settings.model_copy(update={"islands": None, "evaluations": budget})
        seeds = rng.bit_generator.seed_seq
        assert isinstance(seeds, np.random.SeedSequence)
        child = np.random.SeedSequence(seeds.entropy, spawn_key=(*seeds.spawn_key, number))
        self.search = cast("Migrating", make_search(puzzle, alone, np.random.default_rng(child)))
        self._reports: Iterator[Progress] | None = None

    def advance(self, after: int) -> Report | None:
        """Continue until the next report after a number of evaluations; None if the budget is spent."""
        self._reports = self._reports or self.search.reports()
        for found in self._reports:
            if found.evaluations > after:
                return Report(*found[:5], self._diversity(found.evaluations))
        return None

    def _diversity(self, evaluations: int) -> float:
        return self.search.diversity(evaluations) if isinstance(self.search, PopulationSearch) else float("nan")

    def state(self) -> State:
        """Return the state of the search and of its generator."""
        return self.search.state() | {"rng": generator_state(self.search.rng)}

    def restore(self, state: State) -> None:
        """Continue from the state of another island."""
        parts = dict(matching(state, self.state()))
        restore_generator(self.search.rng, parts.pop("rng"))
        self.search.restore(parts)
        self._reports = None  # a search may keep its population while it runs


class Standings:
    """How far each island is, whose turn it is, and when they exchange."""

    def __init__(self, puzzle: AnyPuzzle, settings: PopulationSettings) -> None:
        assert settings.islands is not None
        self.how: IslandSettings = settings.islands
        self._budget = settings.evaluations // self.how.count
        self._puzzle, self._edges = puzzle, str(getattr(settings, "edges", "all"))
        nothing = Report(0, -1, np.zeros(puzzle.shape, dtype=np.uint16), 0.0, 0, 0.0)
        self.last = [nothing] * self.how.count
        self.over = np.zeros(self.how.count, dtype=np.bool_)
        self.turn = self.exchanges = 0

    def waits(self, island: int) -> bool:
        """Return whether an island waits for an exchange, or has no evaluations left."""
        return bool(self.over[island]) or self.last[island].evaluations >= self.how.every * (self.exchanges + 1)

    @property
    def exchange_is_due(self) -> bool:
        """Whether all islands wait, and some have evaluations left."""
        return not self.over.all() and all(self.waits(island) for island in range(self.how.count))

    def next_turn(self) -> int:
        """Return the island whose turn it is: the next one that does not wait. There must be one."""
        while self.waits(self.turn):
            self.turn = (self.turn + 1) % self.how.count
        return self.turn

    def note_exchange(self) -> None:
        """Note that the islands have exchanged, so that those with evaluations left continue."""
        least = min(one.evaluations for one, over in zip(self.last, self.over, strict=True) if not over)
        self.exchanges = least // self.how.every

    @property
    def ended(self) -> bool:
        """Whether the run is over."""
        return bool(self.over.all()) or max(one.best_score for one in self.last) == self._puzzle.max_score

    def note(self, island: int, report: Report | None) -> Progress | None:
        """Note what an island reported in its turn, or that its budget is spent; return the report of the whole run."""
        self.turn = (island + 1) % self.how.count
        if report is None:
            self.over[island] = True
            return None
        self.last[island] = report
        self.over[island] = report.evaluations >= self._budget  # such an island does not wait for an exchange
        begun = [one for one in self.last if one.evaluations]
        best = max(begun, key=lambda one: one.best_score)
        mean, worst = float(np.mean([one.mean for one in begun])), min(one.worst for one in begun)
        done = sum(one.evaluations for one in begun)
        return Progress(done, best.best_score, best.best_cells.copy(), mean, worst, self._puzzle)

    def diversity(self) -> float:
        """Return the mean diversity of the islands."""
        return float(np.mean([one.diversity for one in self.last if one.evaluations]))

    def state(self) -> State:
        """Return everything as arrays."""
        facts = [(one.evaluations, one.best_score, one.mean, one.worst, one.diversity) for one in self.last]
        return {
            "numbers": np.array([self.turn, self.exchanges]),
            "over": self.over.copy(),
            "reports": np.array(facts, dtype=np.float64),
            "best_cells": np.stack([one.best_cells for one in self.last]),
        }

    def restore(self, state: State) -> None:
        """Continue from such arrays."""
        numbers, over, facts, boards = state.values()
        turn, exchanges = numbers.tolist()
        if not 0 <= turn < self.how.count or exchanges < 0 or not np.isfinite(facts[:, :4]).all():
            raise SolverError("the numbers of the islands' turns and reports are not possible")
        for (evaluations, best, *_), cells in zip(facts.tolist(), boards, strict=True):
            if evaluations and self._score(cells) != best:
                raise SolverError("the best board of an island does not have the stored score")
        self.last = [
            Report(int(done), int(best), cells.copy(), mean, int(worst), diversity)
            for (done, best, mean, worst, diversity), cells in zip(facts.tolist(), boards, strict=True)
        ]
        self.turn, self.exchanges, self.over = turn, exchanges, over.copy()

    def _score(self, cells: NDArray[np.uint16]) -> int:
        try:
            return counted_score(self._puzzle.board(cells), self._edges)
        except PuzzleError as error:
            raise SolverError(str(error)) from None


class IslandSearch:
    """Advances the islands of a run in turn; see `solvers.Search`.

    Args:
        puzzle: The puzzle to solve.
        settings: The settings, which have islands.
        rng: The source of randomness.
    """

    def __init__(self, puzzle: AnyPuzzle, settings: PopulationSettings, rng: np.random.Generator) -> None:
        self.rng = rng
        self.standings = Standings(puzzle, settings)
        self._islands = [Island(puzzle, settings, k, rng) for k in range(self.standings.how.count)]

    def reports(self) -> Iterator[Progress]:
        """Continue the evolution, and report on the whole after each report of an island."""
        stands = self.standings
        while not stands.ended:
            if stands.exchange_is_due:
                exchange(self._islands, stands.how, self.rng)
                stands.note_exchange()
            island = stands.next_turn()
            progress = stands.note(island, self._islands[island].advance(stands.last[island].evaluations))
            if progress is not None:
                yield progress

    def diversity(self, evaluations: int) -> float:
        """Return the mean diversity of the islands, as of their last reports."""
        return self.standings.diversity()

    def front(self) -> NDArray[np.int32]:
        """Return the objectives that no other individual of the same island dominates: each triple once, in order."""
        fronts = [one.search.front() for one in self._islands if isinstance(one.search, PopulationSearch)]
        return np.unique(np.concatenate([np.zeros((0, 3), dtype=np.int32), *fronts]), axis=0)

    def state(self) -> State:
        """Return the states of the islands, and how far they are."""
        return joined(self.standings.state(), [one.state() for one in self._islands])

    def restore(self, state: State) -> None:
        """Continue from the state of another search."""
        stands, islands = parted(matching(state, self.state()), len(self._islands))
        self.standings.restore(stands)
        for island, part in zip(self._islands, islands, strict=True):
            island.restore(part)


def joined(stands: State, islands: Sequence[State]) -> State:
    """Return the state of a run whose islands have these states."""
    return stands | {f"{k}.{name}": array for k, state in enumerate(islands) for name, array in state.items()}


def parted(state: State, count: int) -> tuple[State, list[State]]:
    """Return the arguments of `joined`."""
    islands: list[State] = [{} for _ in range(count)]
    stands = {}
    for name, array in state.items():
        number, _, rest = name.partition(".")
        if rest:
            islands[int(number)][rest] = array
        else:
            stands[name] = array
    return stands, islands


def exchange(islands: Sequence[Island], how: IslandSettings, rng: np.random.Generator) -> None:
    """Send copies of the fittest individuals of each island to its neighbours, in place of the least fit ones there."""
    states = [island.state() for island in islands]
    ranked = [np.argsort(island.search.fitness(), kind="stable") for island in islands]
    ring = rng.permutation(how.count) if how.topology == "random" else np.arange(how.count)
    place = np.argsort(ring)
    for k, island in enumerate(islands):
        others = [one for one in range(how.count) if one != k]
        sources = others if how.topology == "complete" else [int(ring[place[k] - 1])]
        removed = ranked[k][::-1][: how.migrants * len(sources)]
        after = dict(states[k])
        for name in island.search.individuals:
            guests = [states[source][name][ranked[source][: how.migrants]] for source in sources]
            after[name] = states[k][name].copy()
            after[name][removed] = np.concatenate(guests)
        island.restore(after)


def generator_state(rng: np.random.Generator) -> NDArray[np.uint64]:
    """Return the state of a PCG64 generator as an array."""
    state: Any = rng.bit_generator.state
    inner = state["state"]
    words = [*divmod(inner["state"], _WORD), *divmod(inner["inc"], _WORD), state["has_uint32"], state["uinteger"]]
    return np.array(words, dtype=np.uint64)


def restore_generator(rng: np.random.Generator, words: NDArray[np.uint64]) -> None:
    """Set a PCG64 generator to a state from `generator_state`."""
    high, low, high_inc, low_inc, has, rest = words.tolist()
    rng.bit_generator.state = {
        "bit_generator": "PCG64",
        "state": {"state": high * _WORD + low, "inc": high_inc * _WORD + low_inc},
        "has_uint32": int(has),
        "uinteger": int(rest),
    }
