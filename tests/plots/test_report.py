import re
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from plots.convergence import convergence_curves, draw_convergence
from plots.distributions import draw_distributions, score_points
from plots.errors import PlotError
from plots.report import BoardPicture, Picture, inline_svg, report_page, run_seeds
from plots.style import picture_bytes
from puzzles import Board, Puzzle
from tests.plots.synthetic import RUNS, runs_frame, study

EVIL = "<script>document.title = 'broken'</script>"
LINK = 'https://e2.bucas.name/#puzzle="><b>&board_w=1'


def _page() -> str:
    frames = study([("GA_1", "random", "normal"), ("GA_1", "random", "combined"), (EVIL, "random", "normal")])
    curves = draw_convergence(convergence_curves(frames["trace"]))
    points = draw_distributions(score_points(frames["runs"]))
    svgs = [picture_bytes(figure, "svg").decode() for figure in (curves, curves, points)]
    board = Board(Puzzle(1, 2, [[1, 2, 3, 4], [5, 6, 7, 8]], strict=False), [[0, 4]], name=EVIL)
    summary = pd.DataFrame({"row": ["GA_1 random", EVIL], **{f"a_long_column_{at}": [1.5, 2.0] for at in range(14)}})
    return report_page(
        EVIL,
        summary,
        frames["runs"],
        notes=[EVIL, "x" * 400],
        pictures=[Picture("name", f"{EVIL} {at}", EVIL, svg) for at, svg in enumerate(svgs)],
        boards=[
            BoardPicture(EVIL, board.to_svg(), LINK),
            BoardPicture("no link", board.to_svg(), "javascript:alert(1)"),
        ],
        settings={EVIL: {EVIL: EVIL, "long": "y" * 400}},
        conclusions=[(EVIL, EVIL, EVIL), ("z" * 400, "not shown", "w" * 400)],
        versions={"numpy": EVIL},
        machine={"cpu": EVIL},
    )


@pytest.fixture(scope="module")
def page() -> str:
    return _page()


def test_everything_printed_is_escaped(page: str) -> None:
    assert "<script" not in page
    assert page.count("&lt;script&gt;") >= 17
    assert "javascript:" not in page
    assert re.findall(r'<a href="([^#"][^"]*)"', page) == [
        "https://e2.bucas.name/#puzzle=&#34;&gt;&lt;b&gt;&amp;board_w=1"
    ]


def test_nothing_is_fetched(page: str) -> None:
    without_links = re.sub(r'<a href="[^"]*"', "", page)
    assert "http:" not in without_links
    assert "https:" not in without_links
    assert not re.findall(r"<(?:img|script|iframe|object|embed|image)\b|@import", without_links)
    assert re.findall(r"<link\b[^>]*>", page) == ['<link rel="icon" href="data:,">']


def test_ids_do_not_collide_and_references_are_kept(page: str) -> None:
    ids = re.findall(r'\sid="([^"]*)"', page)
    assert len(ids) == len(set(ids)) > 100
    used = re.findall(r'href="#([^"]*)"|url\(#([^)]*)\)', page)
    assert len(used) > 100
    assert {one or other for one, other in used} <= set(ids)
    # The first two pictures are the same figure, and must not lean on one another.
    for prefix in ("picture1-", "picture2-", "picture3-"):
        (svg,) = re.findall(rf'<svg id="{prefix}svg".*?</svg>', page, re.DOTALL)
        assert {name[: len(prefix)] for name in re.findall(r"url\(#([^)]*)", svg)} == {prefix}
        assert f'<style type="text/css">#{prefix}svg *{{' in svg


def test_the_same_page_every_time(page: str) -> None:
    assert _page() == page


def _cells(summary: pd.DataFrame) -> list[tuple[str, str]]:
    page = report_page("A study", summary, pd.DataFrame(columns=RUNS))
    return re.findall(r'<td class="(\w+)">([^<]*)</td>', page)


def test_tables_have_as_many_places_as_they_need() -> None:
    summary = pd.DataFrame(
        {
            "row": ["GA_1", None],
            "runs": [10, 7],
            "evaluations": [50_000_000.0, 1_498_593.5],
            "paper_mean": [364.44, float("nan")],
            "mean": [3.0, 4.0],
            "deviation": [0.0, 0.256],
            "difference": [-0.01, -240.8],
            "seconds": [12_345.678, 2.0],
            "whole": [3.0, float("nan")],
            "p": [0.0004, 0.5],
            "done": [True, False],
        }
    )
    cells = _cells(summary)
    assert [text for _, text in cells[:11]] == [
        *("GA_1", "10", "50,000,000", "364.4", "3.0", "0.0", "0.0", "12,345.7", "3", "0.0004", "yes"),
    ]
    assert [text for _, text in cells[11:]] == [
        *("", "7", "1,498,594", "", "4.0", "0.3", "-240.8", "2.0", "", "0.5000", "no"),
    ]
    assert [kind for kind, _ in cells[:11]] == ["text", *["number"] * 9, "text"]


def test_tables_may_have_text_and_numbers_in_a_column() -> None:
    summary = pd.DataFrame(
        {
            "evaluations": pd.Series([5_000, None], dtype=object),
            "p": pd.Series(["too few runs", 1_234.56], dtype=object),
            "note": ["a < b", ""],
        }
    )
    assert _cells(summary) == [
        ("number", "5,000"),
        ("text", "too few runs"),
        ("text", "a &lt; b"),
        ("number", ""),
        ("text", "1,234.6"),
        ("text", ""),
    ]


def test_sections_without_anything_are_left_out() -> None:
    page = report_page("A study", pd.DataFrame({"paper_mean": [1.5]}), pd.DataFrame(columns=RUNS))
    assert re.findall(r"<th scope=\"col\"[^>]*>([^<]*)", page) == ["paper mean"]
    for absent in ("Best boards", "Settings", "Seeds", "Machine", "conclusions<"):
        assert absent not in page


def test_the_papers_conclusions_stand_after_the_pictures(page: str) -> None:
    section = page.index('<h2 id="conclusions">The paper\'s conclusions</h2>')
    assert page.index('<h2 id="picture3">') < section < page.index('<h2 id="boards">')
    assert page.count('<a href="#conclusions">') == 1
    assert "<strong>not shown</strong>" in page[section:]


def test_seeds_are_those_of_the_runs() -> None:
    runs = runs_frame(("mine", "", "", [5]), ("GA_1", "random", "normal", [7, 8])).iloc[::-1]
    assert run_seeds(runs) == {"GA_1 random normal": [(1, 101), (2, 102)], "mine": [(1, 101)]}


def test_what_is_no_picture_is_refused() -> None:
    with pytest.raises(PlotError, match="Convergence: is not an SVG picture"):
        inline_svg("<html></html>", "a-", "Convergence")


@pytest.mark.parametrize("width", [1200, 400])
def test_the_page_in_a_browser(browser: Any, page: str, tmp_path: Path, width: int) -> None:
    path = tmp_path / "report.html"
    path.write_text(page, encoding="utf-8")
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    browser.get(path.as_uri())
    browser.execute_script("document.querySelectorAll('details').forEach(one => one.open = true)")
    assert browser.get_log("browser") == []
    assert browser.execute_script("return performance.getEntriesByType('resource').map(one => one.name)") == []
    assert browser.execute_script("return window.innerWidth") == width
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width
    assert browser.title == EVIL
    assert browser.execute_script("return document.querySelector('h1').innerText") == EVIL
    assert browser.execute_script("return document.querySelectorAll('tbody td')[15].innerText") == EVIL
    assert browser.execute_script("return document.querySelectorAll('script').length") == 0
    pictures = browser.execute_script(
        "return [...document.querySelectorAll('svg')].map(one => one.getBoundingClientRect())"
        ".map(box => [box.width, box.height])"
    )
    assert len(pictures) == 5
    assert min(side for picture in pictures for side in picture) > 100
    # Whatever is wider than the window is in something that scrolls.
    beyond = browser.execute_script(
        "return [...document.querySelectorAll('main *, header *')].filter(one => !one.closest('.wide, svg')"
        " && one.getBoundingClientRect().right > window.innerWidth).map(one => one.outerHTML.slice(0, 99))"
    )
    assert beyond == []
