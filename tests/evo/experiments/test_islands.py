"""Islands: a run is the same with any number of processes, wherever it is interrupted; what they exchange."""

import threading
from concurrent.futures import Future
from pathlib import Path

import numpy as np
import pytest

from evo.engine.islands import Island, IslandSearch, exchange, generator_state, restore_generator
from evo.errors import ConfigError
from evo.experiments import driver, workers
from evo.experiments.driver import Unwatched, make_task, take_up
from evo.experiments.experiment import begin, resume_experiment, run_experiment
from evo.experiments.island_workers import IslandWorkers
from evo.experiments.plan import make_plan
from evo.experiments.slices import run_slice
from evo.experiments.store import Store
from evo.experiments.workers import Here, Processes
from evo.settings.islands import IslandSettings
from evo.settings.order import ORDER
from evo.settings.registry import make_settings
from puzzles import generate
from puzzles.saving import save
from tests.evo.laboratory import outcome

PUZZLE, _ = generate(6, 6, 3, 6, 1, hints=2)
SUITE = """
puzzle = "six.json"
runs = 1
seed = 5

[[rows]]
name = "ring"
algorithm = "ORDER"
population = 10
nodes = 20
evaluations = 900
islands = {{ count = 3, every = {every}, migrants = 2 }}

[[rows]]
name = "random keys"
algorithm = "ORDER"
scheme = "brkga"
population = 10
nodes = 20
evaluations = 700
islands = {{ count = 2, every = 65, migrants = 3, topology = "complete" }}

[[rows]]
name = "boards"
algorithm = "BEAM"
population = 3
width = 3
evaluations = 48
islands = {{ count = 4, every = 4, topology = "random" }}

[[rows]]
name = "alone"
algorithm = "ORDER"
population = 10
nodes = 20
evaluations = 300
"""


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("islands")
    save(PUZZLE, str(folder / "six.json"), force=True)
    (folder / "islands.toml").write_text(SUITE.format(every=70))
    return str(folder / "islands.toml")


@pytest.fixture(scope="module")
def whole(suite: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What comes of it when one island after another is advanced in this process."""
    out = begin(make_plan([suite]), tmp_path_factory.mktemp("whole") / "out").path
    resume_experiment(out)
    return outcome(out)


class Inline:
    """Workers that do everything in this process, at once, as if they had some slots."""

    patience = 1.0

    def __init__(self, slots: int, length: float) -> None:
        self.slots, self.length, self.counts = slots, length, [0] * slots

    def call(self, slot, function, *arguments):
        self.counts[slot] += 1
        future: Future = Future()
        future.set_result(function(*arguments))
        return future

    def submit(self, slot, task, state):
        return self.call(slot, run_slice, task, state, self.length)

    def hurry(self) -> None:
        """Nothing is in progress."""

    def close(self) -> None:
        """Nothing to close."""


class Interrupting(Unwatched):
    """Stops the driver after some slices."""

    def __init__(self, stopped: threading.Event, slices: int) -> None:
        self.stopped, self.slices = stopped, slices

    def advanced(self, run, record) -> None:
        self.slices -= 1
        if not self.slices:
            self.stopped.set()


def drive(store: Store, team: workers.Workers, slices: int = 0) -> None:
    """Work on an experiment until it is done, or for a number of slices."""
    stopped = threading.Event()
    with store.locked():
        states = {run.id: take_up(store, run) for run in store.runs if store.record(run).state != "done"}
        driver.carry_out(store, team, Interrupting(stopped, slices), states, stopped)


@pytest.mark.parametrize("slots", [1, 2, 3])
def test_any_number_of_slots_makes_the_same_run(
    suite: str, whole: dict[str, bytes], slots: int, tmp_path: Path
) -> None:
    store = Store.create(tmp_path / "out", make_plan([suite]))
    team = Inline(slots, 0.05)
    drive(store, IslandWorkers(team, [make_task(store, run) for run in store.runs]))
    assert outcome(store.path) == whole
    assert all(team.counts)


def test_a_run_interrupted_after_every_few_slices_ends_the_same_whoever_continues(
    suite: str, whole: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "SLICE_SECONDS", 0.0)
    monkeypatch.setattr(driver, "CHECKPOINT_SECONDS", 0.0)
    store = Store.create(tmp_path / "out", make_plan([suite]))
    tasks = [make_task(store, run) for run in store.runs]
    for slices, slots in [(3, 0), (7, 2), (5, 0), (20, 3), (9, 1), (4, 0)]:
        drive(store, IslandWorkers(Inline(slots, 0.0), tasks) if slots else Here(), slices)
    assert any(record.state != "done" for _, record in store.records())
    drive(store, IslandWorkers(Inline(2, 0.01), tasks))
    assert outcome(store.path) == whole


def test_processes_make_the_same_run_and_one_that_dies_is_replaced(
    suite: str, whole: dict[str, bytes], tmp_path: Path
) -> None:
    store = Store.create(tmp_path / "out", make_plan([suite]))
    tasks = [make_task(store, run) for run in store.runs]
    team = Processes(2, tasks, None)
    try:
        for process in (team._pools[1]._processes or {}).values():
            process.kill()
        drive(store, IslandWorkers(team, tasks))
    finally:
        team.close()
    assert outcome(store.path) == whole


@pytest.mark.filterwarnings("ignore")
def test_a_cluster_makes_the_same_run(suite: str, whole: dict[str, bytes], tmp_path: Path) -> None:
    pytest.importorskip("distributed", reason="pip install '.[distributed]'")
    run_experiment(suite, out=tmp_path / "out", dask="local", jobs=2)
    assert outcome(tmp_path / "out") == whole


def island_search(**values: object) -> IslandSearch:
    how = IslandSettings(count=3, every=20, **values)
    settings = ORDER(population=10, evaluations=300, nodes=10, islands=how)
    return IslandSearch(PUZZLE, settings, np.random.default_rng(1))


@pytest.mark.parametrize(("topology", "sources"), [("ring", [[2], [0], [1]]), ("complete", [[1, 2], [0, 2], [0, 1]])])
def test_the_fittest_go_and_the_least_fit_make_room(topology: str, sources: list[list[int]]) -> None:
    search = island_search(migrants=2, topology=topology)
    for _ in range(40):
        next(search.reports())
    islands: list[Island] = search._islands
    before = [island.state() for island in islands]
    ranked = [np.argsort(island.search.fitness(), kind="stable") for island in islands]
    exchange(islands, search.standings.how, np.random.default_rng(1))
    for k, island in enumerate(islands):
        after, count = island.state()["genes"], 2 * len(sources[k])
        stayed, removed = ranked[k][: 10 - count], ranked[k][::-1][:count]
        assert (after[stayed] == before[k]["genes"][stayed]).all()
        sent = np.concatenate([before[one]["genes"][ranked[one][:2]] for one in sources[k]])
        assert (after[removed] == sent).all()
        assert (island.state()["rng"] == before[k]["rng"]).all()


def test_a_random_ring_has_every_island_send_and_receive_once_and_is_drawn_anew() -> None:
    search = island_search(topology="random")
    list(search.reports())
    rng, rings = np.random.default_rng(4), set()
    for _ in range(20):
        marks = [set(map(bytes, island.state()["genes"])) for island in search._islands]
        exchange(search._islands, search.standings.how, rng)
        rings.add(tuple(len(set(map(bytes, one.state()["genes"])) - mark) for one, mark in
                        zip(search._islands, marks, strict=True)))  # fmt: skip
    assert rings <= {(a, b, c) for a in (0, 1) for b in (0, 1) for c in (0, 1)}
    orders = [np.random.default_rng(seed).permutation(3).tolist() for seed in range(20)]
    assert len({tuple(one) for one in orders}) > 2


def test_each_island_has_its_own_generator_and_exchanges_at_the_same_evaluations() -> None:
    search = island_search()
    states = [generator_state(island.search.rng).tolist() for island in search._islands]
    assert len({tuple(one) for one in states}) == 3
    seen = [(one.evaluations, search.standings.exchanges) for one in search.reports()]
    assert seen[-1][0] == 300
    assert search.standings.exchanges == 4  # at 20, 40, 60 and 80 evaluations of each; none after the last
    before = max(done for done, exchanges in seen if exchanges == 0)
    assert 60 <= before < 90  # each of three islands waits from its first report with 20 evaluations on
    rng = np.random.default_rng(9)
    restore_generator(rng, generator_state(search.rng))
    assert rng.bit_generator.state == search.rng.bit_generator.state


@pytest.mark.parametrize(
    ("islands", "message"),
    [
        ({"count": 1, "every": 100}, "islands.count"),
        ({"count": 20, "every": 100}, "islands.count: 300 evaluations do not suffice for 20 populations of 30"),
        ({"count": 2, "every": 29}, "islands.every: expected at least the population, 30; found 29"),
        (
            {"count": 2, "every": 50, "migrants": 30},
            "islands.migrants: 30 individuals cannot come to a population of 30",
        ),
        ({"count": 2}, "islands.every"),
        ({"count": 2, "every": 50, "topology": "star"}, "islands.topology"),
        ({"count": 2, "every": 50, "speed": 1}, "islands.speed"),
    ],
)
def test_bad_settings_are_named_in_one_line(islands: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError, match=message) as caught:
        make_settings({"algorithm": "ORDER", "population": 30, "evaluations": 300, "islands": islands})
    assert "\n" not in str(caught.value)
