"""Islands in parallel: the islands of a run work in several processes, or on several machines, between two exchanges.

What a worker does is a function of a task and the states of islands, like a slice, so one that is lost is done again.
The driver puts the reports into the order in which `evo.engine.islands.IslandSearch` makes them one after another: a
run is the same, byte for byte, with any number of processes.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from typing import Any, NamedTuple, Protocol

import numpy as np

from evo.engine.islands import (
    Island,
    IslandSearch,
    Report,
    Standings,
    exchange,
    generator_state,
    joined,
    parted,
    restore_generator,
)
from evo.experiments.machine import machine, versions
from evo.experiments.slices import Slice, Task, check_versions, put_down, puzzle_of, settings_of, take_up
from evo.experiments.states import Held, Lost, RunState
from evo.experiments.trace import point_of
from evo.experiments.warmup import warm
from evo.experiments.workers import Workers
from evo.settings.base import make_search
from evo.settings.islands import PopulationSettings
from solvers import Progress, State


class AnyWorkers(Workers, Protocol):
    """Workers that can do anything, not only slices."""

    @property
    def length(self) -> float:
        """The length of a slice in seconds."""

    def call(self, slot: int, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Start a function in a slot."""


class Advanced(NamedTuple):
    """What became of an island."""

    reports: list[Report]
    state: State
    over: bool


def islands_of(task: Task) -> int:
    """Return the number of islands of a run; 1 if it has none."""
    return int((task.settings.get("islands") or {"count": 1})["count"])


def advance_island(task: Task, number: int, state: State | None, after: int, until: int, rounds: int) -> Advanced:
    """Advance an island, in a worker.

    Args:
        task: The run.
        number: The number of the island.
        state: Its state; None at the start.
        after: The evaluations of its last report.
        until: The evaluations with which it waits for an exchange.
        rounds: The most reports that it may make.
    """
    check_versions(task)
    puzzle, settings = puzzle_of(task), _settings(task)
    warm(puzzle, settings)
    island = Island(puzzle, settings, number, np.random.default_rng(settings.seed))
    if state is not None:
        island.restore(state)
    reports: list[Report] = []
    while len(reports) < rounds and after < until:
        report = island.advance(after)
        if report is None:
            return Advanced(reports, island.state(), True)
        reports.append(report)
        after = report.evaluations
    return Advanced(reports, island.state(), False)


def exchange_islands(task: Task, states: Sequence[State], rng: Any) -> tuple[list[State], Any]:
    """Have the islands of a run exchange, in a worker; return their states, and that of the run's generator."""
    puzzle, settings = puzzle_of(task), _settings(task)
    assert settings.islands is not None
    drawn = np.random.default_rng(settings.seed)
    islands = [Island(puzzle, settings, number, drawn) for number in range(len(states))]
    for island, state in zip(islands, states, strict=True):
        island.restore(state)
    restore_generator(drawn, rng)
    exchange(islands, settings.islands, drawn)
    return [island.state() for island in islands], generator_state(drawn)


def front_of(task: Task, state: State) -> list[list[int]]:
    """Return the front of the islands of a run, in a worker."""
    search = make_search(puzzle_of(task), settings_of(task))
    assert isinstance(search, IslandSearch)
    search.restore(state)
    front: list[list[int]] = search.front().tolist()
    return front


def _settings(task: Task) -> PopulationSettings:
    settings = settings_of(task)
    assert isinstance(settings, PopulationSettings)
    return settings


class _Sea:
    """The state of a run on islands, whose searches are elsewhere."""

    def __init__(self, task: Task) -> None:
        settings = _settings(task)
        self.rng = np.random.default_rng(settings.seed)
        self.standings = Standings(puzzle_of(task), settings)
        self.islands: list[State | None] = [None] * self.standings.how.count

    def state(self) -> State:
        return joined(self.standings.state(), [state or {} for state in self.islands])

    def restore(self, state: State) -> None:
        stands, islands = parted(state, len(self.islands))
        self.standings.restore(stands)
        self.islands = [*islands]

    def diversity(self, evaluations: int) -> float:
        return self.standings.diversity()

    def front(self) -> Any:
        raise NotImplementedError  # a worker knows it


class IslandWorkers:
    """Workers with a slot for each island of a run; runs without islands go to them as they are.

    Args:
        workers: The workers.
        tasks: The runs to be carried out.
    """

    def __init__(self, workers: AnyWorkers, tasks: Sequence[Task]) -> None:
        self._workers = workers
        self._width = max(islands_of(task) for task in tasks)
        self._rounds: dict[str, int] = {}
        self._hurried = False

    @property
    def slots(self) -> int:
        """The number of runs that work at the same time."""
        return max(1, self._workers.slots // self._width)

    @property
    def patience(self) -> float:
        """The seconds that slices get to finish when everything is to stop."""
        return self._workers.patience

    def submit(self, slot: int, task: Task, state: RunState) -> Future[Slice]:
        """Start a slice of a run."""
        if islands_of(task) == 1:
            return self._workers.submit(slot, task, state)
        assert not isinstance(state, Held | Lost)  # the states of islands come to the driver
        future: Future[Slice] = Future()

        def work() -> None:
            try:
                future.set_result(self._slice(slot, task, state))
            except BaseException as error:  # the driver handles it like that of a worker
                future.set_exception(error)

        threading.Thread(target=work, daemon=True).start()
        return future

    def hurry(self) -> None:
        """Ask for the slices in progress, because everything is to stop."""
        self._hurried = True
        self._workers.hurry()

    def close(self) -> None:
        """Stop the workers at once."""
        self._workers.close()

    def _slice(self, slot: int, task: Task, state: bytes | None) -> Slice:
        sea = _Sea(task)
        recorder, before, last = take_up(sea, task, state)
        points, start, over = [], time.perf_counter(), False
        while not over:
            if sea.standings.exchange_is_due:
                self._exchange(slot, task, sea)
            for progress in self._batch(slot, task, sea):
                last = progress
                if recorder.wants(progress):
                    points.append(point_of(sea, progress, before + time.perf_counter() - start))
            seconds = before + time.perf_counter() - start
            over = sea.standings.ended or (task.seconds is not None and seconds >= task.seconds)
            if seconds - before >= self._workers.length or self._hurried:
                break
        assert last is not None
        if over and recorder.wants_last(last):
            points.append(point_of(sea, last, seconds))
        return Slice(
            points, put_down(sea, task, recorder, seconds, last), over, last.evaluations, last.best_score,
            last.best_cells.tolist(), seconds, self._call(slot, front_of, task, sea.state()).result() if over else [],
            None, [], versions(), machine(),
        )  # fmt: skip

    def _batch(self, slot: int, task: Task, sea: _Sea) -> Iterator[Progress]:
        """Advance all islands by as many rounds as fit a slice, or until they wait; yield their reports."""
        stands, turn, start = sea.standings, sea.standings.next_turn(), time.perf_counter()
        rounds = self._rounds.get(task.key, 1)
        counts = [rounds - (island < turn) for island in range(len(sea.islands))]
        advanced = self._advance(slot, task, sea, counts)
        for step in range(rounds):
            for island, one in enumerate(advanced):
                at = step - (island < turn)
                if stands.ended or stands.waits(island) or not 0 <= at <= len(one.reports):
                    continue
                if at < len(one.reports) or one.over:
                    counts[island] = at + 1
                    progress = stands.note(island, one.reports[at] if at < len(one.reports) else None)
                    if progress is not None:
                        yield progress
        if stands.ended and not stands.over.all():  # solved: no island goes further than one after another would
            advanced = self._advance(slot, task, sea, counts)
        sea.islands = [one.state for one in advanced]
        share = self._workers.length / max(1e-3, time.perf_counter() - start)
        self._rounds[task.key] = max(1, min(4 * rounds, int(rounds * share)))

    def _exchange(self, slot: int, task: Task, sea: _Sea) -> None:
        states, rng = self._call(slot, exchange_islands, task, sea.islands, generator_state(sea.rng)).result()
        sea.islands = states
        restore_generator(sea.rng, rng)
        sea.standings.note_exchange()

    def _advance(self, slot: int, task: Task, sea: _Sea, counts: Sequence[int]) -> list[Advanced]:
        stands = sea.standings
        until = stands.how.every * (stands.exchanges + 1)
        futures = [
            self._call(slot, advance_island, task, island, sea.islands[island], stands.last[island].evaluations,
                       0 if stands.over[island] else until, counts[island], island=island)
            for island in range(len(counts))
        ]  # fmt: skip
        return [future.result() for future in futures]

    def _call(self, slot: int, function: Callable[..., Any], *arguments: Any, island: int = 0) -> Future[Any]:
        return self._workers.call((slot * self._width + island) % self._workers.slots, function, *arguments)
