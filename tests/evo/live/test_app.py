"""The live page over HTTP: what it shows, what it refuses, and that it changes nothing."""

import base64
import json
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from html import unescape
from io import StringIO
from pathlib import Path

import pandas as pd
import pytest

pytest.importorskip("starlette", reason="the extra live is not installed")
from starlette.testclient import TestClient

import evo
from evo.live.app import MOST_BYTES, make_app
from puzzles import bundled_board
from tests.evo.live.sample import EVIL, begun, finished, go_on, small_puzzle

ROOT = Path(__file__).parents[3]


def client_of(*folders: Path, token: str = "") -> TestClient:
    return TestClient(make_app(folders, hosts=["testserver"], token=token), follow_redirects=False)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two finished experiments with rows of the same name, a hostile one, and three damaged ones."""
    folder = tmp_path_factory.mktemp("live")
    finished(folder, "first")
    newer = finished(folder, "second", seed=2) / "experiment.json"
    newer.write_text(json.dumps(json.loads(newer.read_text()) | {"created": "2099-01-01T00:00:00+00:00"}))
    evil = finished(folder, "evil", runs=1, name=EVIL)
    plan = json.loads((evil / "experiment.json").read_text())
    plan["name"] = EVIL
    for run in plan["runs"]:
        run["setting"] = f"{EVIL}{run['setting']}"
        run["settings"]["note"] = EVIL
    (evil / "experiment.json").write_text(json.dumps(plan))
    record = evil / "runs" / plan["runs"][0]["id"] / "run.json"
    record.write_text(json.dumps(json.loads(record.read_text()) | {"board_url": "javascript:alert(1)", "error": EVIL}))
    (folder / "torn").mkdir()
    (folder / "torn" / "experiment.json").write_text('{"format": 1')
    (finished(folder, "half", runs=1) / "puzzle.json").unlink()
    broken = finished(folder, "trace", runs=1)
    next(broken.rglob("trace.csv")).write_text("not a trace\n")
    return folder


@pytest.fixture(scope="module")
def client(folder: Path) -> Iterator[TestClient]:
    with client_of(folder) as client:
        yield client


def ids_of(client: TestClient) -> dict[str, str]:
    """The identifier of each experiment in the list, by its folder."""
    lines = re.findall(r'<tr id="experiment-(\w+)">(.*?)</tr>', client.get("/").text, flags=re.DOTALL)
    return {re.findall(r"<small>([^<,]*)", line)[0]: identifier for identifier, line in lines}


def address_of(client: TestClient, *names: str) -> str:
    ids = ids_of(client)
    return "/experiments/" + "-".join(ids[name] for name in names)


def sources(page: str) -> dict[str, str]:
    """The addresses of the pictures of a page, by their kind."""
    found = [unescape(source) for source in re.findall(r'<img id="picture-\w+" data-live src="([^"]+)"', page)]
    return {re.findall(r"/(\w+)\.svg", source)[0]: source for source in found}


def test_the_list_shows_all_experiments_newest_first(client: TestClient) -> None:
    page = client.get("/").text
    assert set(ids_of(client)) == {"first", "second", "evil", "torn", "half", "trace"}
    assert page.index(">first,") > page.index(">second,")
    assert page.count("8 done") == 2
    assert page.count("Damaged: ") == 3
    assert "is damaged: it is not JSON" in page
    assert page.count("<polyline") == 3


def test_an_experiment_shows_what_the_command_line_says(client: TestClient, folder: Path) -> None:
    page = client.get(address_of(client, "first")).text
    runs = evo.results(folder / "first")
    table = re.findall(r'<tbody id="run-lines" data-live>(.*?)</tbody>', page, flags=re.DOTALL)[0]
    shown = re.findall(r'<td class="text">(\S+)</td><td class="number">(\d+)</td>.*?<td class="number">(\d+)', table,
                       flags=re.DOTALL)  # fmt: skip
    expected = zip(runs["setting"], runs["run"].astype(str), runs["best_score"].astype(str), strict=True)
    assert sorted(shown) == sorted(expected)
    [line] = re.findall(r'<tbody id="comparison-lines" data-live>\s*<tr>(.*?)</tr>', page, flags=re.DOTALL)
    compared = evo.compare(runs, by="setting").iloc[0]
    cells = re.findall(r"<td[^>]*>([^<]*)", line)
    assert cells[:3] == [compared["group"], compared["first"], compared["second"]]
    assert (cells[5], cells[8]) == (f"{compared['effect']:.2f}", compared["verdict"])


def test_pictures_follow_the_switches(client: TestClient) -> None:
    address = address_of(client, "first")
    plain = sources(client.get(address).text)
    assert set(plain) == {
        *("convergence", "distributions", "variants", "ecdf", "pareto", "diversity", "comparison", "board"),
    }
    pictures = {kind: client.get(source).text for kind, source in plain.items()}
    assert all(picture.lstrip().startswith(("<svg", "<?xml")) for picture in pictures.values())
    assert "no trace contains the diversity" in pictures["diversity"]
    for switches, changed in (
        ("over=seconds", {"convergence", "ecdf"}),
        ("scale=linear", {"convergence", "ecdf"}),
        ("switched=yes&mismatches=yes&row=0", {"convergence", "distributions", "ecdf", "comparison"}),
        ("numbers=yes", {"board"}),
        ("hints=yes", {"board"}),
        ("switched=yes&row=0&row=1", {"board"}),  # mismatches are off
    ):
        others = sources(client.get(f"{address}?{switches}").text)
        found = {kind for kind, source in others.items() if client.get(source).text != pictures[kind]}
        assert found == changed, switches
    nothing = sources(client.get(f"{address}?switched=yes&mismatches=yes").text)
    assert "no row is switched on" in client.get(nothing["convergence"]).text


def test_several_experiments_are_shown_side_by_side(client: TestClient, folder: Path) -> None:
    ids = ids_of(client)
    answer = client.get(f"/side-by-side?id={ids['first']}&id={ids['second']}&id=nonsense")
    assert (answer.status_code, answer.headers["location"]) == (303, address_of(client, "first", "second"))
    page = client.get(answer.headers["location"]).text
    both = evo.results([folder / "first", folder / "second"])
    assert sorted(both["setting"].unique()) == ["long@first", "long@second", "short@first", "short@second"]
    assert len(evo.traces([folder / "first", folder / "second"])) == sum(
        len(evo.traces(folder / name)) for name in ("first", "second")
    )
    for setting in both["setting"].unique():
        assert f">{setting}<" in page
    lines = re.findall(r'<tbody id="comparison-lines" data-live>(.*?)</tbody>', page, flags=re.DOTALL)[0]
    assert lines.count("<tr>") == 6
    assert "are about different puzzles" in client.get(address_of(client, "first", "evil")).text


def test_downloads_are_the_data(client: TestClient, folder: Path) -> None:
    address = address_of(client, "first")
    runs = pd.read_csv(StringIO(client.get(f"{address}/results.csv").text))
    assert sorted(runs["best_score"]) == sorted(evo.results(folder / "first")["best_score"])
    trace = pd.read_csv(StringIO(client.get(f"{address}/traces.csv").text))
    assert len(trace) == len(evo.traces(folder / "first"))
    (folder / "downloaded.json").write_bytes(client.get(f"{address}/board.json").content)
    assert evo.load_board(folder / "downloaded.json").score == runs["true_score"].max()
    assert '<h2 id="summary">Summary</h2>' in client.get(f"{address}/report.html").text


def test_what_is_hostile_is_shown_and_harmless(client: TestClient) -> None:
    address = address_of(client, "evil")
    for page in (client.get("/").text, client.get(address).text, client.get(f"{address}/report.html").text):
        assert "<script>document" not in page
        assert "<img src=x" not in page
        assert "&lt;script&gt;document" in page
        assert "javascript:alert" not in page
    for source in sources(client.get(address).text).values():
        picture = client.get(source)
        assert "<script>document" not in picture.text
        assert "script-src" not in picture.headers["content-security-policy"]
        assert picture.headers["content-security-policy"].startswith("default-src 'none'")


def test_damaged_experiments_say_what_is_wrong(client: TestClient) -> None:
    assert "is damaged: it is not JSON" in client.get(address_of(client, "torn")).text
    assert "puzzle.json" in client.get(address_of(client, "half")).text
    assert "is not the header of a trace" in client.get(address_of(client, "trace")).text
    assert client.get(address_of(client, "torn") + "/results.csv").status_code == 404


def test_no_request_changes_anything(client: TestClient, folder: Path) -> None:
    def files() -> dict[Path, tuple[int, int]]:
        return {path: (path.stat().st_mtime_ns, path.stat().st_size) for path in folder.rglob("*")}

    before = files()
    for name in ("first", "evil", "torn"):
        address = address_of(client, name)
        for source in sources(client.get(address).text).values():
            client.get(source)
        for file in ("results.csv", "traces.csv", "board.json", "report.html"):
            client.get(f"{address}/{file}")
    client.post("/board", data={"link": str(folder / "first" / "experiment.json")})
    for method in ("PUT", "DELETE", "PATCH", "POST"):
        assert client.request(method, address_of(client, "first")).status_code == 405
    assert files() == before


@pytest.mark.parametrize(
    "path",
    [
        *("/experiments/nonsense", "/experiments/..%2f..%2fetc", "/experiments/%00", "/experiments/a-b"),
        *("/live.py", "/../pyproject.toml", "/experiments", "/side-by-side/x"),
    ],
)
def test_paths_do_not_come_from_requests(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert "default-src 'none'" in answer.headers["content-security-policy"]


def test_every_answer_confines_its_page(client: TestClient) -> None:
    for path in ("/", "/board", "/live.css", "/live.js", address_of(client, "first"), "/nothing"):
        headers = client.get(path).headers
        assert "unsafe" not in headers["content-security-policy"]
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
    page = client.get(address_of(client, "first")).text
    assert re.findall(r'(?:src|href)="(?!/|#|data:,|https://e2\.bucas\.name)', page) == []
    assert " style=" not in page


def test_other_hosts_are_refused(client: TestClient) -> None:
    assert client.get("/", headers={"host": "evil.example"}).status_code == 400
    assert client.get("/", headers={"host": "testserver.evil.example"}).status_code == 400


def test_a_token_is_asked_for_once(folder: Path) -> None:
    with client_of(folder, token="secret") as client:
        for path in ("/", "/events", "/board", "/live.js", "/?token=wrong"):
            assert client.get(path).status_code == 401
        answer = client.get("/?token=secret&x=1")
        assert (answer.status_code, answer.headers["location"]) == (303, "/?x=1")
        assert "HttpOnly" in answer.headers["set-cookie"]
        assert "SameSite=strict" in answer.headers["set-cookie"]
        assert client.get("/").status_code == 200
        assert client.get("http://testserver//evil.example/?token=secret").headers["location"] == "/evil.example/"


def test_a_board_is_verified_as_by_the_command(client: TestClient) -> None:
    board = bundled_board("blackwood470")
    page = client.post("/board", data={"link": board.to_url()}).text
    for line in str(board.verify()).splitlines()[1:]:
        assert re.sub(r"\s+", " ", line.split("  ")[-1].strip()) in page
    [picture] = re.findall(r'src="data:image/svg\+xml;base64,([^"]*)"', page)
    assert base64.b64decode(picture).startswith(b"<svg")
    sent = client.post("/board", files={"file": ("b.json", board.to_json().encode())}).text
    assert "470 of 480" in sent
    assert (
        "this is a puzzle; expected a board"
        in client.post(
            "/board", files={"file": ("p.json", (ROOT / "puzzles" / "data" / "eternity2.json").read_bytes())}
        ).text
    )
    for nonsense in ("", "/etc/passwd", "-", "eternity2", EVIL):
        answer = client.post("/board", data={"link": nonsense})
        assert 'role="alert"' in answer.text
        assert "root:" not in answer.text
        assert "<script>document" not in answer.text
    assert client.post("/board", files={"file": ("big", b"x" * MOST_BYTES)}).status_code == 413


def test_a_record_is_shown_like_an_experiment() -> None:
    with client_of(ROOT / "docs" / "reproduction") as client:
        [identifier] = re.findall(r'href="/experiments/(\w+)">table2<', client.get("/").text)
        page = client.get(f"/experiments/{identifier}").text
        assert page.count('<tr class="done">') == 300
        for kind in ("convergence", "distributions", "variants", "board"):
            assert "There is no" not in client.get(sources(page)[kind]).text
        assert "no run has a trace" in client.get(sources(page)["ecdf"]).text


def test_a_page_is_made_without_matplotlib_and_the_compiler() -> None:
    """They take longer to import than all else; the page appears first, and its pictures after it."""
    program = (
        "import sys\n"
        "from pathlib import Path\n"
        "from evo.live import pages\n"
        "from evo.live.exhibits import Exhibits\n"
        "from evo.live.painter import Painter\n"
        "from evo.live.selection import Selection\n"
        "from starlette.datastructures import QueryParams\n"
        f"exhibits = Exhibits([Path({str(ROOT / 'docs' / 'reproduction')!r})])\n"
        "exhibits.refresh()\n"
        "[shown] = [one for one in exhibits.newest_first() if one.record == 'table2']\n"
        "page = pages.experiment_page(Selection([shown]), QueryParams(''), Painter(1_000))\n"
        "assert page.count('<tr class=\"done\">') == 300\n"
        "print([name for name in ('matplotlib', 'numba', 'llvmlite') if name in sys.modules])\n"
    )
    outcome = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT, check=False)
    assert outcome.stdout == "[]\n", outcome.stderr


def test_a_score_is_shown_of_the_edges_that_count(tmp_path: Path) -> None:
    puzzle = str(small_puzzle(tmp_path))
    evo.run_experiment("RAND", puzzle=puzzle, edges="paper", evaluations=300, runs=2, out=tmp_path / "counted")
    with client_of(tmp_path) as client:
        page = client.get("/").text
        assert "<small>of 50</small>" in page  # of the 60 edges of 6x6 tiles
        assert re.search(r"Best score <strong>\d+</strong> of 50\.", client.get(address_of(client, "counted")).text)


def test_a_running_experiment_is_followed(tmp_path: Path) -> None:
    store = begun(tmp_path)
    with client_of(tmp_path) as client, store.locked():
        monitor_state = re.findall(r'data-state="(\w+)"', client.get("/").text)
        assert "2 pending" in client.get("/").text
        go_on(store, 0, 500, 17)
        time.sleep(1.1)
        page = client.get("/").text
        assert re.findall(r'data-state="(\w+)"', page) != monitor_state
        assert "1 pending, 1 running" in page
        assert "working" in page
        assert "<strong>17</strong>" in page
        assert "1 s left" in page or "2 s left" in page
        experiment = client.get(re.findall(r'href="(/experiments/\w+)"', page)[0]).text
        assert "1 k" in experiment
        assert "s ago" in experiment
