"""The live page in a real browser: it updates by itself, its switches work, and hostile names stay harmless."""

import json
import os
import re
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from puzzles import Board
from tests.end_to_end.commands import start
from tests.evo.live.sample import EVIL, begun, finished, go_on

pytest.importorskip("starlette", reason="the extra live is not installed")
webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
ActionChains, Keys = webdriver.ActionChains, webdriver.Keys


class Server:
    """`evo serve` in a process of its own."""

    def __init__(self, folder: Path, port: int = 0) -> None:
        self.process = start("serve", folder, "--port", str(port))
        assert self.process.stdout is not None
        self.address = re.findall(r"http://\S+", self.process.stdout.readline())[0]

    def stop(self, number: int = signal.SIGINT) -> int:
        os.kill(self.process.pid, number)
        self.process.communicate(timeout=30)
        return self.process.returncode


@pytest.fixture
def served(browser: Any, tmp_path: Path) -> Iterator[Callable[..., Server]]:
    servers: list[Server] = []

    def serve(port: int = 0) -> Server:
        servers.append(Server(tmp_path, port))
        return servers[-1]

    yield serve
    browser.get("about:blank")
    for server in servers:
        if server.process.poll() is None:
            server.stop(signal.SIGKILL)
    browser.get_log("browser")  # the next test begins with an empty one


def until(browser: Any, condition: str, seconds: float = 60.0) -> None:
    """Wait until a JavaScript expression is true."""
    deadline = time.monotonic() + seconds
    while not browser.execute_script(f"return {condition}"):
        assert time.monotonic() < deadline, f"{condition}: {browser.execute_script('return document.body.innerText')}"
        time.sleep(0.1)


def loaded(browser: Any) -> None:
    until(browser, "[...document.images].every(one => one.complete && one.naturalWidth > 0)")


def check_clean(browser: Any, address: str) -> None:
    """Nothing was reported in the console, and nothing asked for elsewhere."""
    assert browser.get_log("browser") == []
    asked = browser.execute_script("return performance.getEntriesByType('resource').map(one => one.name)")
    assert [name for name in asked if not name.startswith((address, "data:"))] == []


def source(browser: Any, kind: str) -> str:
    return str(browser.execute_script(f"return document.getElementById('picture-{kind}').getAttribute('src')"))


def test_the_list_follows_an_experiment(browser: Any, served: Callable[..., Server], tmp_path: Path) -> None:
    store = begun(tmp_path)
    server = served()
    browser.get(server.address)
    until(browser, "document.getElementById('connection').innerText === 'live'")
    browser.execute_script("window.kept = true")  # is lost if the page is loaded again
    assert "2 pending" in browser.page_source
    with store.locked():
        go_on(store, 0, 500, 17)
        until(browser, "document.body.innerText.includes('1 pending, 1 running')")
        browser.execute_script("document.querySelector('input[type=checkbox]').click()")
        go_on(store, 0, 1_000, 21, state="done")
        until(browser, "document.body.innerText.includes('1 done')")
        until(browser, "document.querySelector('td strong:not(.working)').innerText === '21'")
    until(browser, "!document.body.innerText.includes('working')")
    finished(tmp_path, "later")
    until(browser, "document.querySelectorAll('#experiments tr').length === 2")
    assert browser.execute_script("return window.kept")
    assert browser.execute_script("return document.querySelectorAll('input:checked').length") == 1
    check_clean(browser, server.address)


def test_a_page_survives_the_server(browser: Any, served: Callable[..., Server], tmp_path: Path) -> None:
    store = begun(tmp_path)
    server = served()
    port = int(server.address.rstrip("/").rpartition(":")[2])
    browser.get(server.address)
    until(browser, "document.getElementById('connection').innerText === 'live'")
    server.stop(signal.SIGKILL)
    until(browser, "document.getElementById('connection').innerText.includes('lost')")
    with store.locked():
        go_on(store, 0, 500, 17)
        again = served(port)
        until(browser, "document.body.innerText.includes('1 running')")
        until(browser, "document.getElementById('connection').innerText === 'live'")
    browser.get_log("browser")  # that the connection was refused
    assert again.stop() == 0  # as by Ctrl-C


def test_every_switch_does_what_it_says(browser: Any, served: Callable[..., Server], tmp_path: Path) -> None:
    finished(tmp_path)
    server = served()
    browser.get(server.address)
    browser.execute_script("document.querySelector('#experiments a').click()")
    until(browser, "!!document.getElementById('view')")
    loaded(browser)
    browser.execute_script("window.kept = true")
    for name, value, changed in (
        *(("over", "seconds", ["convergence", "ecdf"]), ("scale", "linear", ["convergence", "ecdf"])),
        *(("row", "0", ["convergence", "distributions"]), ("by", "init", ["comparison"])),
        *(("numbers", "yes", ["board"]), ("mismatches", "yes", ["board"]), ("hints", "yes", ["board"])),
    ):
        before = {kind: source(browser, kind) for kind in changed}
        browser.execute_script(f"document.querySelector('input[name={name}][value=\"{value}\"]').click()")
        for kind, old in before.items():
            until(browser, f"document.getElementById('picture-{kind}').getAttribute('src') !== {json.dumps(old)}")
        loaded(browser)
    chosen = browser.current_url
    assert {"over=seconds", "scale=linear", "by=init", "row=1"} <= set(chosen.partition("?")[2].split("&"))
    assert "only short has completed runs" in browser.page_source
    assert browser.execute_script("return window.kept")
    browser.get(chosen)  # the address keeps the view
    assert browser.execute_script("return document.querySelector('input[name=row][value=\"0\"]').checked") is False
    assert browser.execute_script("return document.querySelector('input[name=numbers]').checked") is True
    check_clean(browser, server.address)


def drop(browser: Any, x: int, y: int, **data: Any) -> None:
    """Drag files or a text from outside into the page, as a person does."""
    for kind in ("dragEnter", "dragOver", "drop"):
        dragged = {"items": [], "dragOperationsMask": 1, **data}
        browser.execute_cdp_cmd("Input.dispatchDragEvent", {"type": kind, "x": x, "y": y, "data": dragged})


def test_what_is_dropped_on_the_page_of_boards_is_verified(
    browser: Any, served: Callable[..., Server], tmp_path: Path, record: Board
) -> None:
    server = served()
    files = {"right": record.to_json(), "wrong": "not a board"}
    for name, content in files.items():
        (tmp_path / f"{name}.json").write_text(content)
    browser.get(f"{server.address}board")
    drop(browser, 200, 200, files=[str(tmp_path / "right.json")])
    until(browser, "!!document.querySelector('.verified')")
    loaded(browser)
    assert "470 of 480" in browser.execute_script("return document.querySelector('.verified').innerText")
    drop(browser, 5, 5, files=[str(tmp_path / "wrong.json")])  # beside the form
    until(browser, "!!document.querySelector('[role=alert]')")
    assert browser.current_url == f"{server.address}board"
    link = {"mimeType": "text/plain", "data": record.to_url()}
    drop(browser, 200, 200, items=[link])
    until(browser, "!!document.querySelector('.verified')")
    check_clean(browser, server.address)


def test_the_page_is_dark_where_the_reader_wants_it_and_works_by_keyboard(
    browser: Any, served: Callable[..., Server], tmp_path: Path
) -> None:
    finished(tmp_path)
    server = served()

    def brightness(what: str) -> float:
        colour = browser.execute_script(f"return getComputedStyle(document.body).{what}")
        return sum(map(int, re.findall(r"\d+", colour)[:3])) / 3

    for wanted, dark in (("light", False), ("dark", True)):
        feature = {"name": "prefers-color-scheme", "value": wanted}
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
        browser.get(server.address)
        assert (brightness("backgroundColor") < brightness("color")) is dark
        assert abs(brightness("backgroundColor") - brightness("color")) > 150
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    browser.execute_script("document.querySelector('#experiments a').click()")
    until(browser, "!!document.getElementById('view')")
    controls = "a[href], button, input:not([type=hidden]), summary, [tabindex='0']"
    visible = f'[...document.querySelectorAll("{controls}")].filter(one => one.checkVisibility())'
    stops = browser.execute_script(  # of radio buttons with the same name, one is a stop
        f"return {visible}.filter(one => one.type !== 'radio' || one.checked).length"
    )
    reached = []
    for _ in range(stops):
        ActionChains(browser).send_keys(Keys.TAB).perform()
        focused = "const one = document.activeElement, style = getComputedStyle(one);"
        name, line, width = browser.execute_script(
            f"{focused} return [one.outerHTML, style.outlineStyle, style.outlineWidth]"
        )
        assert line != "none", name  # one sees where one is
        assert width != "0px", name
        reached.append(name)
    assert len(reached) == stops > 20
    assert reached[-1] == browser.execute_script(f"return {visible}.at(-1).outerHTML")


@pytest.mark.parametrize("width", [1200, 400])
def test_a_hostile_experiment_stays_harmless(
    browser: Any, served: Callable[..., Server], tmp_path: Path, width: int
) -> None:
    path = finished(tmp_path, runs=1, name=EVIL) / "experiment.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"name": EVIL}))
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    server = served()
    browser.get(server.address)
    for page in ("the list", "the experiment"):
        loaded(browser)
        assert browser.execute_script("return document.querySelectorAll('script').length") == 1, page
        assert EVIL in browser.execute_script("return document.querySelector('main, h1').ownerDocument.body.innerText")
        assert "owned" not in browser.title.partition("<")[0]
        assert browser.execute_script("return document.documentElement.scrollWidth") <= width
        unnamed = browser.execute_script(
            "return [...document.querySelectorAll('input:not([type=hidden]), progress, img')].filter(one =>"
            " !one.ariaLabel && !one.alt && !(one.labels && one.labels.length)).map(one => one.outerHTML)"
        )
        assert unnamed == []  # for screen readers
        check_clean(browser, server.address)
        if page == "the list":
            browser.execute_script("document.querySelector('#experiments a').click()")
            until(browser, "!!document.getElementById('view')")
