"""Plans: settings files, names, options, and what they become."""

import re
from pathlib import Path

import pytest

from evo.errors import EvoError
from evo.experiments.plan import make_plan, run_seed
from evo.experiments.settings_files import names
from evo.settings.paper import OPEN_CHOICES, TABLE_1, TABLE_2
from evo.settings.registry import make_settings

ROOT = Path(__file__).parents[3]
SMALL = 'algorithm = "GA"\npopulation = 40\ncrossover = 30\nmutation = 9\nelite = 1\nevaluations = 400\n'


def write(folder: Path, name: str, text: str) -> str:
    (folder / name).write_text(text)
    return str(folder / name)


def rows(plan) -> list[str]:
    return [run.label for run in plan.runs]


def test_every_row_of_table_1_has_a_file_that_says_the_same() -> None:
    for name, values in TABLE_1.items():
        assert (ROOT / "runs" / "table1" / f"{name}.toml").exists()
        [run] = make_plan([name]).runs
        expected = make_settings(values | {"seed": run.settings["seed"]}).model_dump(mode="json")
        assert run.settings == expected
        assert run.settings["evaluations"] == 50_000_000


def test_every_row_of_table_1_has_a_file_with_repair_and_else_the_same() -> None:
    for name in TABLE_1:
        assert (ROOT / "runs" / "memetic" / f"{name}_vlns.toml").exists()
        [plain], [repaired] = make_plan([name]).runs, make_plan([f"{name}_vlns"]).runs
        assert repaired.setting == f"{name}_vlns"
        assert repaired.settings["repair"]["kind"] == "vlns"
        assert repaired.settings | {"repair": None, "seed": 0} == plain.settings | {"seed": 0}


def test_the_settings_for_a_minute_and_for_ten_are_limited_by_time_alone() -> None:
    for name, seconds in (("best_60s", 60), ("best_10min", 600)):
        [run] = make_plan([name]).runs
        assert run.seconds == seconds
        assert run.settings["evaluations"] >= 10**9 * seconds
        assert run.settings["init"] in ("random", "knowledge")  # the paper's own
        assert run.settings["pins"] == "none"


def test_searches_that_build_boards() -> None:
    [beam], [backtrack] = make_plan(["BEAM"]).runs, make_plan(["BACKTRACK"]).runs
    assert (beam.algorithm, backtrack.algorithm) == ("BEAM", "BACKTRACK")
    rows = {run.setting: run.settings for run in make_plan(["populations"]).runs}
    assert {(one["algorithm"], one["width"], one["evaluations"]) for one in rows.values()} == {("BEAM", 512, 400)}
    assert rows["restarts"]["fresh"] == 1


def test_the_figures_of_schaus_and_deville() -> None:
    figure3 = make_plan(["figure3"]).runs
    assert sorted({run.settings["size"] for run in figure3}) == [2, 4, 8, 16, 32, 64]
    assert {(run.seconds, run.init, run.settings["plateau"], run.settings["violated"]) for run in figure3} == {
        (30, "random", 0, 0.0)
    }
    assert len(figure3) == 60
    figure5 = make_plan(["figure5"], runs=1).runs
    assert [(run.init, run.settings["cp"]["relaxed"]) for run in figure5] == [
        ("random", 0),
        *(("cp", relaxed) for relaxed in range(0, 31, 5)),
    ]


def test_the_suite_of_table_2_is_its_thirty_rows_ten_times() -> None:
    plan = make_plan(["table2"])
    assert len(plan.runs) == 300
    found = {(run.setting, run.init, run.fitness) for run in plan.runs}
    assert found == {(row.setting, row.init or "", row.fitness or "") for row in TABLE_2}
    assert {run.run for run in plan.runs} == set(range(1, 11))
    assert {run.settings["evaluations"] for run in plan.runs} == {50_000_000}
    assert len({run.settings["seed"] for run in plan.runs}) == 300
    assert len({run.id for run in plan.runs}) == 300
    assert [run.run for run in plan.runs[:30]] == [1] * 30  # one of each row before the second of any


def test_settings_are_found_by_name_from_any_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert rows(make_plan(["GA_1"])) == ["GA_1 random normal"]
    assert {"quick", "table2", "RAND", "ES", *TABLE_1} <= set(names())


def test_comments_in_the_files_say_where_numbers_come_from() -> None:
    for path in names().values():
        text = path.read_text()
        assert text.startswith("#")
        assert re.search(r"Table|section|Figure|docs/(vlns|champion|evolution|pencil)\.md|Schaus", text), path


def test_a_setting_extends_another_and_overrides_keys(tmp_path: Path) -> None:
    write(tmp_path, "base.toml", SMALL)
    write(tmp_path, "middle.toml", 'extends = "base.toml"\nelite = 2\nmutation = 8\n')
    source = write(tmp_path, "mine.toml", 'extends = "middle.toml"\ninit = "knowledge"\nruns = 2\n')
    plan = make_plan([source])
    assert rows(plan) == ["mine knowledge normal"] * 2
    assert [plan.runs[0].settings[key] for key in ("elite", "mutation", "crossover")] == [2, 8, 30]


def test_tables_are_merged_and_repair_can_be_taken_away(tmp_path: Path) -> None:
    mine = write(tmp_path, "mine.toml", 'extends = "best_60s"\n[repair]\nmoves = 7\n')
    [run] = make_plan([mine]).runs
    assert (run.settings["repair"]["moves"], run.settings["repair"]["size"]) == (7, 32)
    [run] = make_plan([mine], repair={"size": 5}).runs
    assert (run.settings["repair"]["moves"], run.settings["repair"]["size"]) == (7, 5)
    plain = write(tmp_path, "plain.toml", 'extends = "best_60s"\nrepair = "none"\n')
    assert make_plan([plain]).runs[0].settings["repair"] is None
    suite = write(tmp_path, "suite.toml", '[[rows]]\nextends = "best_60s"\nrepair = { moves = 9 }\n')
    [run] = make_plan([suite]).runs
    assert (run.settings["repair"]["moves"], run.settings["repair"]["size"]) == (9, 32)


def test_a_suite_shares_keys_and_a_row_has_the_last_word_but_for_options(tmp_path: Path) -> None:
    source = write(
        tmp_path,
        "suite.toml",
        'runs = 2\nevaluations = 20_000\nseed = 7\n[[rows]]\nextends = "GA_1"\n'
        '[[rows]]\nextends = "GA_1"\nname = "more"\nevaluations = 30_000\nruns = 1\nfitness = ["normal", "combined"]\n',
    )
    plan = make_plan([source])
    assert rows(plan) == ["GA_1 random normal", "more random normal", "more random combined", "GA_1 random normal"]
    assert [run.settings["evaluations"] for run in plan.runs] == [20_000, 30_000, 30_000, 20_000]
    assert (plan.name, plan.seed) == ("suite", 7)
    plan = make_plan([source], evaluations=40_000, runs=1, seed=8, elite=0, mutation=1000)
    assert [run.settings["evaluations"] for run in plan.runs] == [40_000] * 3
    assert {run.settings["elite"] for run in plan.runs} == {0}
    assert plan.seed == 8


def test_variants_go_where_they_apply_and_it_is_said_where_they_do_not() -> None:
    plan = make_plan(["GA_1", "MOEA_1", "ES"], init=["random", "knowledge"], fitness=["combined"])
    assert rows(plan) == ["GA_1 random combined", "GA_1 knowledge combined", "MOEA_1 random", "MOEA_1 knowledge", "ES"]
    assert plan.notes == [
        "MOEA_1 has no fitness; it runs unchanged",
        "ES has no init; it runs unchanged",
        "ES has no fitness; it runs unchanged",
    ]


def test_a_run_has_the_same_seed_wherever_it_is_asked_for() -> None:
    seeds = {(run.label, run.run): run.settings["seed"] for run in make_plan(["table2"]).runs}
    for run in make_plan(["AIEA_2", "GA_3"], init="knowledge", runs=2).runs:
        assert run.settings["seed"] == seeds[run.label, run.run]
    assert make_plan(["GA_3"], seed=2).runs[0].settings["seed"] not in seeds.values()
    assert run_seed(1, "GA_1 random normal", 1) == 2548582588655194  # results that are out there depend on it
    assert max(seeds.values()) < 2**53


def test_a_setting_that_was_changed_does_not_go_by_the_papers_name(tmp_path: Path) -> None:
    assert rows(make_plan(["GA_1"], tournament=4)) == ["GA_1* random normal"]
    assert rows(make_plan(["ES"], pins="none")) == ["ES*"]
    assert rows(make_plan(["AIEA_3"], pins="all")) == ["AIEA_3* random normal"]
    assert rows(make_plan(["BACKTRACK"], path="row")) == ["BACKTRACK*"]  # open in the paper, which has no BACKTRACK
    assert rows(make_plan(["GA_1_vlns"], turns="quarter")) == ["GA_1_vlns* random normal"]
    same = make_plan(["GA_1"], tournament=3, evaluations=20_000, fitness="combined", init="knowledge", runs=2, seed=5)
    assert rows(same) == ["GA_1 knowledge combined"] * 2
    named = write(tmp_path, "mine.toml", 'extends = "GA_1"\ntournament = 4\n')
    assert rows(make_plan([named])) == ["mine random normal"]


def test_what_the_paper_leaves_open_changes_no_name() -> None:
    generational = {
        "distinct_parents": True,
        "edges": "paper",
        "exchange": "together",
        "framed": False,
        "mutant_tournament": 3,
        "partner_tournament": 1,
        "path": "row",
        "refill": "kept",
        "replacement": False,
        "reported": "final",
        "turns": "quarter",
    }
    immune = {"fewest_mutations": 2, "most_mutations": 9}
    assert {*generational, *immune, "ties"} == OPEN_CHOICES, "add a new choice here"
    for key, value in generational.items():
        assert rows(make_plan(["GA_3"], **{key: value})) == ["GA_3 random normal"], key
    for key, value in immune.items():
        assert rows(make_plan(["AIEA_1"], **{key: value})) == ["AIEA_1 random normal"], key
    assert rows(make_plan(["MOEA_1"], ties="first", **generational)) == ["MOEA_1 random"]
    assert rows(make_plan(["ES", "RAND"], edges="paper")) == ["ES", "RAND"]
    assert rows(make_plan(["ES"], refill=True)) == ["ES"]


def test_a_puzzle_is_found_beside_the_file_that_names_it(tmp_path: Path) -> None:
    from puzzles import generate
    from puzzles.saving import save

    puzzle = generate(5, 5, 3, 4, 1)[0]
    save(puzzle, str(tmp_path / "five.json"))
    source = write(tmp_path, "mine.toml", SMALL + 'puzzle = "five.json"\n')
    assert make_plan([source]).puzzle == puzzle
    text = 'evaluations = 400\n[[rows]]\nextends = "mine.toml"\n[[rows]]\nname = "b"\npuzzle = "five.json"\n'
    suite = write(tmp_path, "suite.toml", text + SMALL.replace("evaluations = 400\n", ""))
    assert make_plan([suite]).puzzle == puzzle


def test_folders_are_safe_whatever_a_setting_is_called(tmp_path: Path) -> None:
    names = ["../../etc", "a b", "a/b", "ä", "日本", "..", "A B"]
    text = "".join(f'[[rows]]\nextends = "GA_1"\nname = "{name}"\n' for name in names)
    ids = [run.id for run in make_plan([write(tmp_path, "odd.toml", text)]).runs]
    assert len({one.lower() for one in ids}) == len(names)
    assert all(re.fullmatch(r"[A-Za-z0-9_-]+", one) for one in ids)


BAD = {
    "nothing.toml": (None, "nothing.toml: cannot be read: No such file"),
    "broken.toml": ("a = = 1", "broken.toml: is not TOML: .*line 1"),
    "binary.toml": (b"\xff\xfe\x00", "binary.toml: is not TOML"),
    "empty.toml": ("", "algorithm: is missing"),
    "wrongkey.toml": (SMALL + "elites = 3\n", "wrongkey.toml: elites: there is no such setting"),
    "wrongtype.toml": (
        SMALL.replace("population = 40", 'population = "many"'),
        "wrongtype.toml: population: input should be a valid integer",
    ),
    "sum.toml": (SMALL.replace("30", "31"), "population: 40 is not crossover . mutation . elite"),
    "runs.toml": (SMALL + "runs = 0\n", "runs: expected a whole number from 1"),
    "runs2.toml": (SMALL + "runs = true\n", "runs: expected a whole number from 1"),
    "seed.toml": (SMALL + "seed = -1\n", "seed: expected a whole number from 0"),
    "seed2.toml": (SMALL + "seed = [1]\n", "seed: expected a whole number"),
    "seconds.toml": (SMALL + "seconds = 0\n", "seconds: expected a number above 0"),
    "seconds2.toml": (SMALL + "seconds = nan\n", "seconds: expected a number above 0"),
    "seconds3.toml": (SMALL + 'seconds = "long"\n', "seconds: expected a number above 0"),
    "name.toml": (SMALL + 'name = ""\n', "name: expected 1 to 60 printable characters"),
    "name2.toml": (SMALL + "name = 3\n", "name: expected 1 to 60 printable characters"),
    "self.toml": ('extends = "self.toml"', "extends: 'self.toml' extends itself"),
    "extends.toml": ("extends = 3", "extends: expected a name or a path"),
    "extends2.toml": ('extends = "GA_9"', "GA_9: is neither a bundled setting nor"),
    "extends3.toml": ('extends = "table2"', "'table2' is a suite, not a setting"),
    "rows.toml": ("rows = 3", "rows: expected at least one table"),
    "rows2.toml": ("rows = []", "rows: expected at least one table"),
    "rows3.toml": ("rows = [1]", r"row 1: expected a table"),
    "rows4.toml": ("[[rows]]\npopulation = 3", "row 1: name: is missing"),
    "rows5.toml": ('population = 3\n[[rows]]\nextends = "GA_1"', "population: belongs to a row"),
    "rows6.toml": ('[[rows]]\nextends = "GA_1"\n[[rows]]\nextends = "GA_1"', "'GA_1 random normal' occurs twice"),
    "init.toml": (SMALL + 'init = ["random", "random"]\n', "init: expected one or more different values"),
    "init2.toml": (SMALL + "init = []\n", "init: expected one or more"),
    "init3.toml": (SMALL + 'init = ["random", "best"]\n', "init: input should be 'random', 'knowledge' or 'search'"),
    "es.toml": ('algorithm = "ES"\ninit = "random"\n', "init: ES has no such setting"),
    "small.toml": ('extends = "GA_1"\nevaluations = 10\n', "evaluations: 10 do not suffice for a population of 10000"),
    "sizes.toml": (SMALL + 'puzzle = "no_such_puzzle"\n', "no_such_puzzle"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_wrong_is_said_in_one_line(name: str, tmp_path: Path) -> None:
    content, message = BAD[name]
    if content is not None:
        (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(EvoError, match=message) as caught:
        make_plan([str(tmp_path / name)])
    assert "\n" not in str(caught.value)


def test_wrong_names_and_options_are_said(tmp_path: Path) -> None:
    for sources, overrides, message in (
        ([], {}, "expected the name of a setting"),
        (["ga_1"], {}, "did you mean GA_1"),
        (["GA1"], {}, "did you mean GA_1"),
        (["zzz"], {}, "expected one of ES, RAND"),
        (["GA_1", "GA_1"], {}, "occurs twice"),
        (["ES"], {"init": ["random"]}, "init: none of the settings has such a key"),
        (["MOEA_1"], {"fitness": ["normal"]}, "fitness: none of the settings has such a key"),
        (["GA_1"], {"tournaments": 3}, "GA_1: tournaments: there is no such setting"),
        (["GA_1"], {"runs": 10**9}, "runs: expected a whole number"),
        (["GA_1"], {"puzzle": str(tmp_path / "none.json")}, "none.json"),
    ):
        with pytest.raises(EvoError, match=message):
            make_plan(sources, **overrides)
