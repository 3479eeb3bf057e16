"""What the live page is made of: stores that are read again and again, pictures drawn once, estimates, views."""

import asyncio
import threading
import time
from dataclasses import asdict
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evo.experiments.frames import results, traces
from evo.experiments.plan import Run
from evo.experiments.store import Record, Store
from evo.live import monitor
from evo.live.exhibits import Exhibits
from evo.live.monitor import Monitor
from evo.live.pace import Pace
from evo.live.painter import Painter
from evo.live.standing import CURVE_HEIGHT, CURVE_WIDTH, seconds_left, small_curve
from evo.live.view import BYS, View
from evo.live.watched_store import WatchedStore
from tests.evo.live.sample import begun, finished, go_on


class Pairs(dict[str, list[str]]):
    """The part of an address after the question mark, as the server gives it."""

    def get(self, key: str, default: str) -> str:  # type: ignore[override]  # as in the server
        return self[key][-1] if key in self else default

    def getlist(self, key: str) -> list[str]:
        return super().get(key, [])


def parsed(query: str) -> Pairs:
    found = Pairs()
    for pair in query.split("&"):
        name, _, value = pair.partition("=")
        found.setdefault(name, []).append(value)
    return found


def test_a_watched_store_says_what_a_store_says(tmp_path: Path) -> None:
    store = begun(tmp_path)
    watched = WatchedStore(store.path)
    versions = [watched.version()]
    with store.locked():
        versions.append(watched.version())
        for at, evaluations, state in ((0, 400, "running"), (0, 1_000, "done"), (1, 10, "running"), (1, 1_000, "done")):
            go_on(store, at, evaluations, 10 + evaluations // 100, state)
            versions.append(watched.version())
            assert watched.version() == versions[-1]
            fresh = Store(store.path)
            assert [asdict(record) for _, record in watched.records()] == [asdict(one) for _, one in fresh.records()]
            assert results(watched).equals(results(fresh))
            assert traces(watched).equals(traces(fresh))
    versions.append(watched.version())
    assert len(set(versions)) == len(versions)


def test_experiments_are_found_when_they_begin_and_forgotten_when_they_are_gone(tmp_path: Path) -> None:
    exhibits = Exhibits([tmp_path, tmp_path / "nothing"])
    exhibits.refresh()
    assert exhibits.newest_first() == []
    store = begun(tmp_path)
    exhibits.refresh()
    [found] = exhibits.newest_first()
    assert (found.standing.states, found.standing.best, found.standing.share) == ("2 pending", -1, 0.0)
    assert exhibits.get(found.id) is found
    store.path.rename(tmp_path / "moved")
    exhibits.refresh()
    assert exhibits.get(found.id) is None
    assert [one.path.name for one in exhibits.newest_first()] == ["moved"]


def test_a_picture_is_drawn_once_for_each_state_and_off_the_event_loop() -> None:
    drawn: list[tuple[str, threading.Thread]] = []

    def draw(text: str) -> bytes:
        drawn.append((text, threading.current_thread()))
        time.sleep(0.02)
        return text.encode()

    async def ask() -> None:
        painter = Painter(1_000)
        answers = await asyncio.gather(*(painter.paint("a", "1", lambda: draw("a1")) for _ in range(20)))
        assert set(answers) == {b"a1"}
        assert await painter.paint("a", "1", lambda: draw("never")) == b"a1"
        assert await painter.paint("b", "1", lambda: draw("b1")) == b"b1"
        assert await painter.paint("a", "2", lambda: draw("a2")) == b"a2"
        with pytest.raises(ZeroDivisionError):
            await painter.paint("c", "1", lambda: bytes(1 // 0))
        assert painter.version("a", "3", final=True) == "3"
        await painter.paint("big", "1", lambda: bytes(900))
        await painter.paint("bigger", "1", lambda: bytes(950))  # there is no room for both
        assert painter.version("big", "2", final=False) == "2"
        painter.close()

    asyncio.run(ask())
    assert [text for text, _ in drawn] == ["a1", "b1", "a2"]
    assert threading.main_thread() not in [thread for _, thread in drawn]


def test_an_old_picture_is_shown_while_drawing_rests() -> None:
    async def ask() -> None:
        painter = Painter(1_000)
        await painter.paint("a", "1", lambda: b"one")
        assert painter.version("a", "2", final=False) == "2"  # nothing was drawn again so far

        def draw() -> bytes:
            until = time.thread_time() + 0.05
            while time.thread_time() < until:
                pass
            return b"two"

        await painter.paint("a", "2", draw)
        assert painter.version("a", "3", final=False) == "2"
        assert painter.version("a", "3", final=True) == "3"
        assert painter.version("new", "3", final=False) == "3"
        painter.close()

    asyncio.run(ask())


def test_a_pace_keeps_to_its_share() -> None:
    pace = Pace(0.5)
    assert pace.ready()
    pace.spend(0.05)
    assert not pace.ready()
    time.sleep(0.11)
    assert pace.ready()


def test_one_look_serves_all_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pages, share = 20, 0.01
    for name, value in (("_SECONDS", 0.02), ("_FRESH", 0.001), ("_SECONDS_A_PAGE", share)):
        monkeypatch.setattr(monitor, name, value)

    class Changing(Exhibits):
        looks = 0

        def refresh(self) -> None:
            self.looks += 1

        def versions(self) -> dict[str, str]:
            return {"one": str(self.looks)}

    async def follow(watcher: Monitor, told: list[int], page: int) -> None:
        async for _ in watcher.events():
            told[page] += 1

    async def ask() -> None:
        exhibits = Changing([tmp_path])
        watcher = Monitor(exhibits)
        told = [0] * pages
        readers = [asyncio.create_task(follow(watcher, told, page)) for page in range(pages)]
        await asyncio.sleep(0.05)  # all pages are open
        before, began = exhibits.looks, time.monotonic()
        while min(told) < 4:
            await asyncio.sleep(0.01)
            await watcher.look()  # a page that is asked for does not make it look more often
        passed = time.monotonic() - began
        assert exhibits.looks - before <= passed / (pages * share) + 1
        for reader in readers:
            reader.cancel()
        watcher.close()

    asyncio.run(asyncio.wait_for(ask(), 60))


def _run(label: str, number: int, seconds: float | None = None) -> Run:
    return Run(f"{label}-{number}", label, "RAND", "", "", number, {"evaluations": 1_000, "seed": number}, seconds)


def test_the_time_left_is_that_of_the_runs_that_are_missing() -> None:
    pending = [(_run("a", 1), Record()), (_run("a", 2), Record())]
    assert seconds_left(pending) is None
    done = (_run("a", 3), Record("done", evaluations=1_000, seconds=8.0))
    half = (_run("a", 4), Record("running", evaluations=500, seconds=4.0))
    assert seconds_left([done]) == 0
    assert seconds_left([done, half]) == pytest.approx(4)
    assert seconds_left([done, half, half]) == pytest.approx(4)  # two side by side
    assert seconds_left([done, half, *pending]) == pytest.approx(4 + 2 * 8)
    other = (_run("b", 1), Record())  # nothing is known of its row
    assert seconds_left([done, other]) == pytest.approx(8)
    timed = (_run("c", 1, seconds=10), Record("running", evaluations=1, seconds=5.0))
    assert seconds_left([timed]) == pytest.approx(5)


@given(st.lists(st.tuples(st.integers(1, 10**9), st.integers(0, 480)), max_size=30))
def test_a_small_curve_stays_in_its_picture(points: list[tuple[int, int]]) -> None:
    for x, y in small_curve([(float(x), float(y)) for x, y in points]):
        assert 0 <= x <= CURVE_WIDTH
        assert 0 <= y <= CURVE_HEIGHT


@given(
    st.builds(
        View,
        st.sampled_from(["evaluations", "seconds"]),
        st.sampled_from(["logarithmic", "linear"]),
        st.sampled_from(list(BYS)),
        st.none() | st.sets(st.integers(0, 99)).map(lambda rows: tuple(sorted(rows))),
        *[st.booleans()] * 3,
    )
)
def test_the_address_of_a_view_gives_the_view(view: View) -> None:
    assert View.of(parsed(view.query(v="x")), "seconds", "fitness") == view


@given(st.dictionaries(st.sampled_from(["over", "scale", "by", "row", "numbers"]), st.lists(st.text(), min_size=1)))
def test_any_address_gives_a_view(query: dict[str, list[str]]) -> None:
    view = View.of(Pairs(query), "evaluations", "setting")
    assert view.by in BYS
    assert view.rows is None


def test_a_finished_experiment_is_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    finished(tmp_path)
    exhibits = Exhibits([tmp_path])
    exhibits.refresh()
    before = exhibits.versions()
    monkeypatch.setattr(Store, "records", lambda self: pytest.fail("it was read again"))
    exhibits.refresh()
    assert exhibits.versions() == before
