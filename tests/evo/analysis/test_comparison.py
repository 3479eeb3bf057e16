import math
from itertools import pairwise
from pathlib import Path

import pandas as pd
import pytest

from evo.analysis.comparison import compare, fitness_verdicts, notes
from evo.analysis.external_results import add_foreign, read_foreign
from evo.errors import ConfigError
from evo.experiments.rows import Row

LOW, MIDDLE, HIGH = [1, 2, 3, 4], [11, 12, 13, 14], [21, 22, 23, 24]
GA_NORMAL, GA_COMBINED = Row("GA_1", "random", "normal"), Row("GA_1", "random", "combined")
GA_KNOWLEDGE = Row("GA_1", "knowledge", "combined")
MOEA, ES, RAND = Row("MOEA_1", "random"), Row("ES"), Row("RAND")


def frame(scores: dict[Row, list[int]], state: str = "done", budget: int = 1000) -> pd.DataFrame:
    runs = [
        (*row, row.setting.split("_")[0], run, 7, budget, budget * 99 // 100, score, score, "all", 1.5, math.nan, state)
        for row, found in scores.items()
        for run, score in enumerate(found, start=1)
    ]
    names = ["algorithm", "run", "seed", "budget", "evaluations", "best_score", "true_score", "edges", "seconds"]
    found = pd.DataFrame(runs, columns=[*Row._fields, *names, "seconds_limit", "state"])
    return found.assign(board_url="", error="", version="")


def test_a_comparison_by_hand() -> None:
    table = compare(frame({GA_COMBINED: [5, 6, 7, 9, 9], GA_NORMAL: LOW}), "fitness")
    assert table.to_dict("records") == [
        {
            "group": "GA_1 random",
            "first": "combined",
            "second": "normal",
            "first_n": 5,
            "second_n": 4,
            "first_median": 7.0,
            "second_median": 2.5,
            "first_mean": 7.2,
            "second_mean": 2.5,
            "effect": 1.0,
            "magnitude": "large",
            "p": pytest.approx(2 / 126),  # one deal of 9 choose 4, and its mirror
            "p_holm": pytest.approx(2 / 126),
            "decidable": True,
            "significant": True,
            "verdict": "combined better",
            "evidence": "A = 1.00, p = 0.0159",
        }
    ]


def test_only_what_differs_in_one_thing_is_compared() -> None:
    runs = frame({GA_NORMAL: LOW, GA_COMBINED: MIDDLE, GA_KNOWLEDGE: HIGH, Row("GA_2", "random", "normal"): HIGH})
    by_fitness, by_init, by_setting = (compare(runs, by) for by in ("fitness", "init", "setting"))
    assert by_fitness[["group", "first", "second"]].to_numpy().tolist() == [["GA_1 random", "combined", "normal"]]
    assert by_init[["group", "first", "second"]].to_numpy().tolist() == [["GA_1 combined", "knowledge", "random"]]
    assert by_setting[["group", "first", "second"]].to_numpy().tolist() == [["random normal", "GA_1", "GA_2"]]


def test_rows_without_fitness_or_init_meet_all_that_agree_with_what_they_have() -> None:
    foreign = Row("VLNS")
    runs = frame(dict.fromkeys((foreign, MOEA, GA_KNOWLEDGE, GA_COMBINED, GA_NORMAL, ES), LOW))
    met = {tuple(line) for line in compare(runs, "setting")[["group", "first", "second"]].to_numpy()}
    assert met == {
        ("random normal", "GA_1", "MOEA_1"),
        ("random combined", "GA_1", "MOEA_1"),
        *((group, "ES", "GA_1") for group in ("random normal", "random combined", "knowledge combined")),
        *((group, "GA_1", "VLNS") for group in ("random normal", "random combined", "knowledge combined")),
        ("random", "ES", "MOEA_1"),
        ("random", "MOEA_1", "VLNS"),
        ("all", "ES", "VLNS"),
    }


def test_lines_of_a_group_are_together() -> None:
    runs = frame(dict.fromkeys((GA_NORMAL, GA_COMBINED, MOEA, ES, RAND), LOW))
    groups = compare(runs, "setting")["group"].tolist()
    assert sum(one != two for one, two in pairwise(groups)) == len(set(groups)) - 1


def test_verdicts_are_at_corrected_p_values() -> None:
    weak = {Row("A"): LOW, Row("B"): HIGH}
    assert compare(frame(weak), "setting")["p"].tolist() == [pytest.approx(2 / 70)]
    assert compare(frame(weak), "setting")["verdict"].tolist() == ["B better"]
    three = compare(frame(weak | {Row("C"): [31, 32, 33, 34]}), "setting")
    assert three["p_holm"].tolist() == pytest.approx([6 / 70] * 3)
    assert three["verdict"].tolist() == ["no difference shown"] * 3


def test_too_few_runs() -> None:
    table = compare(frame({Row("A"): [1, 2, 3], Row("B"): [4, 5, 6], Row("C"): [7]}), "setting")
    assert table["verdict"].tolist() == ["too few runs"] * 3
    assert table["effect"].tolist() == [0, 0, 0]
    assert not table["decidable"].any()
    assert not table["significant"].any()
    assert table["evidence"].tolist() == ["A = 0.00"] * 3


def test_equal_scores_show_no_difference() -> None:
    line = compare(frame({Row("A"): [5] * 9, Row("B"): [5] * 9}), "setting").iloc[0]
    assert (line["p"], line["effect"], line["magnitude"], line["verdict"]) == (
        1,
        0.5,
        "negligible",
        "no difference shown",
    )


def test_only_runs_that_are_done_count() -> None:
    unfinished = frame({GA_NORMAL: [400] * 5, MOEA: [-1]}, "running")
    runs = pd.concat([frame({GA_NORMAL: LOW, GA_COMBINED: HIGH}), unfinished])
    line = compare(runs, "fitness").iloc[0]
    assert (line["second_n"], line["second_mean"]) == (4, 2.5)
    assert notes(runs) == ["6 of 14 runs are not done and are ignored"]


@pytest.mark.parametrize(
    ("scores", "by", "message"),
    [
        ({}, "setting", "^there is nothing to compare: no run is done yet"),
        ({GA_NORMAL: LOW}, "init", "^there is nothing to compare: only GA_1 random normal has completed runs"),
        ({GA_NORMAL: LOW, GA_COMBINED: LOW}, "init", "^no two rows differ in init alone; compare by fitness"),
        ({GA_NORMAL: LOW, GA_COMBINED: LOW, ES: LOW}, "init", "compare by fitness or setting"),
        ({GA_NORMAL: LOW, GA_KNOWLEDGE: LOW}, "setting", "^no two rows differ in setting alone$"),
        ({Row("A"): LOW, Row("A", "random"): LOW}, "init", "^no two rows differ in init alone$"),
        ({GA_NORMAL: LOW, ES: LOW}, "seed", "by: 'seed' is not one of fitness, init, setting"),
    ],
)
def test_nothing_to_compare(scores: dict[Row, list[int]], by: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        compare(frame(scores), by)


def test_fitness_verdicts_speak_of_combined() -> None:
    own = {Row("own", "", "combined"): LOW, Row("own", "", "normal"): [*HIGH, 25]}  # combined comes first here
    found = fitness_verdicts(frame(own | {GA_NORMAL: LOW, GA_COMBINED: HIGH, GA_KNOWLEDGE: LOW, MOEA: LOW, ES: LOW}))
    assert found.to_dict("list") == {
        "setting": ["GA_1", "own"],
        "init": ["random", ""],
        "normal_n": [4, 5],
        "combined_n": [4, 4],
        "p": pytest.approx([2 * 2 / 126, 2 * 2 / 126]),  # 2/70 keeps the place after 2 * 2/126
        "effect": [1, 0],
        "verdict": ["combined better", "normal better"],
        "evidence": ["A = 1.00, p = 0.0317", "A = 0.00, p = 0.0317"],
    }


def test_fitness_verdicts_of_nothing() -> None:
    assert fitness_verdicts(frame({MOEA: LOW})).columns.tolist() == fitness_verdicts(frame({})).columns.tolist()
    assert len(fitness_verdicts(frame({MOEA: LOW, GA_NORMAL: LOW}))) == 0


def test_notes_on_budgets() -> None:
    same = frame({GA_NORMAL: LOW, ES: LOW})
    assert notes(same) == []
    large = frame(dict.fromkeys((RAND, MOEA, GA_COMBINED, GA_KNOWLEDGE), LOW), budget=50_000_000)
    unknown = frame({Row("VLNS"): LOW}, budget=0)
    assert notes(pd.concat([same, large, unknown])) == [
        "the budgets differ: 1,000 evaluations for ES, GA_1 random normal; "
        "50,000,000 evaluations for RAND, GA_1 random combined and 2 more",
        "the budget of VLNS is unknown",
    ]


def test_notes_on_runs_that_ended_early() -> None:
    runs = frame({GA_NORMAL: LOW, ES: LOW})
    runs.loc[[0, 5], "evaluations"] = [12, 345]
    assert notes(runs) == ["2 of 8 runs ended early, solved or out of time, after 12 to 345 evaluations"]


def out_of_time(scores: dict[Row, list[int]], limit: float, evaluations: int) -> pd.DataFrame:
    return frame(scores, budget=50_000_000).assign(seconds_limit=limit, seconds=limit + 0.01, evaluations=evaluations)


def test_the_budget_of_runs_that_ran_out_of_time_is_time() -> None:
    plain, repaired = out_of_time({GA_NORMAL: LOW}, 60, 17_000_000), out_of_time({Row("mine"): LOW}, 60, 30_000)
    repaired["budget"] = 1_000_000  # which nobody came near to
    runs = pd.concat([plain, repaired], ignore_index=True)
    ended = "8 of 8 runs reached their limit of 60 seconds, after 30,000 to 17,000,000 evaluations"
    assert notes(runs) == [ended]
    runs.loc[7, ["seconds", "evaluations"]] = [12.5, 500]
    assert notes(runs) == [
        "1 of 8 runs ended early, solved or out of time, after 500 evaluations",
        ended.replace("8 of 8", "7 of 8"),
    ]


def test_notes_on_budgets_of_time_that_differ() -> None:
    parts = [
        frame({RAND: LOW}),
        frame({ES: LOW}).assign(seconds_limit=60),  # spent its evaluations in good time
        out_of_time({GA_NORMAL: LOW}, 60, 700),
        out_of_time({MOEA: LOW}, 0.5, 20),
    ]
    assert notes(pd.concat(parts, ignore_index=True)) == [
        "4 of 16 runs reached their limit of 0.5 seconds, after 20 evaluations",
        "4 of 16 runs reached their limit of 60 seconds, after 700 evaluations",
        "the budgets differ: 1,000 evaluations for RAND, ES; 0.5 seconds for MOEA_1 random; "
        "60 seconds for GA_1 random normal",
    ]


def test_notes_on_runs_that_took_longer_than_they_were_given() -> None:
    runs = out_of_time({GA_NORMAL: LOW, GA_KNOWLEDGE: HIGH}, 2, 10_000)
    runs.loc[5:6, "seconds"] = [4.62, 3.1]
    assert notes(runs) == [
        "8 of 8 runs reached their limit of 2 seconds, after 10,000 evaluations",
        "2 of 8 runs exceeded their time limit, taking up to 4.62 seconds (GA_1 knowledge combined)",
    ]


def test_comparisons_that_cannot_be_decided_do_not_weaken_the_others() -> None:
    five = {Row(name): [10 * k + j for j in range(5)] for k, name in enumerate("AB")}
    alone = compare(frame(five), "setting")
    beside = compare(frame(five | {Row(name): [1] for name in "CDEFGH"}), "setting")
    assert alone["p_holm"].tolist() == pytest.approx([2 / 252])
    assert beside.loc[beside["verdict"] != "too few runs", "p_holm"].tolist() == pytest.approx([2 / 252])
    assert beside.loc[beside["verdict"] == "too few runs", "p_holm"].isna().all()


def written(folder: Path, text: str | bytes) -> Path:
    path = folder / "foreign.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_foreign_rows_in_any_order(tmp_path: Path) -> None:
    path = written(
        tmp_path, '\ufeffbest_score,who,setting\r\n458,Schaus,VLNS\r\n\r\n457.0,,VLNS\r\n 4.5e2 ,x,"a, b"\r\n'
    )
    runs = read_foreign(path)
    assert runs.columns.tolist() == frame({})[runs.columns].columns.tolist()
    assert runs[["setting", "algorithm", "init", "fitness", "run", "best_score", "state"]].to_numpy().tolist() == [
        ["VLNS", "VLNS", "", "", 1, 458, "done"],
        ["VLNS", "VLNS", "", "", 2, 457, "done"],
        ["a, b", "a, b", "", "", 1, 450, "done"],
    ]
    assert runs["seconds"].isna().all()


def test_a_table_of_another_experiment_can_be_read(tmp_path: Path) -> None:
    runs = frame({GA_NORMAL: LOW, MOEA: HIGH})
    path = written(tmp_path, pd.concat([runs, frame({ES: [-1]}, "pending")]).to_csv(index=False))
    assert read_foreign(path).equals(runs[read_foreign(path).columns])


def test_foreign_rows_are_compared(tmp_path: Path) -> None:
    path = written(tmp_path, "setting,best_score,init\n" + "".join(f"VLNS,{score},random\n" for score in MIDDLE))
    table = compare(add_foreign(frame({GA_NORMAL: LOW, GA_KNOWLEDGE: HIGH}), path, 480), "setting")
    assert table[["first", "second", "verdict"]].to_numpy().tolist() == [["GA_1", "VLNS", "VLNS better"]]


def test_foreign_rows_may_have_any_initialisation_and_fitness(tmp_path: Path) -> None:
    lines = "".join(f"theirs,{score},greedy,edges\n" for score in MIDDLE)
    path = written(tmp_path, f"setting,best_score,init,fitness\n{lines}")
    runs = add_foreign(frame({Row("GA_1", "greedy", "edges"): LOW}), path, 480)
    table = compare(runs, "setting")
    assert table[["group", "first", "second"]].to_numpy().tolist() == [["greedy edges", "GA_1", "theirs"]]


def test_a_foreign_row_may_not_hide_among_ours(tmp_path: Path) -> None:
    path = written(tmp_path, "setting,best_score\nES,470\n")
    with pytest.raises(ConfigError, match=r"foreign\.csv: 'ES' is already among the results"):
        add_foreign(frame({ES: LOW}), path, 480)
    assert len(add_foreign(frame({}), path, 480)) == 1
    with pytest.raises(ConfigError, match="has a score of 470, but the maximum is 60"):
        add_foreign(frame({}), path, 60)
    vague = written(tmp_path, "setting,best_score\nGA_1,3\n")
    with pytest.raises(ConfigError, match="'GA_1' is already among the results"):
        add_foreign(frame({GA_NORMAL: LOW}), vague, 480)
    other = written(tmp_path, "setting,best_score,init,fitness\nGA_1,3,knowledge,normal\n")
    assert len(add_foreign(frame({GA_NORMAL: LOW}), other, 480)) == 5


WRONG = [
    ("setting,best_score,init\nA,1,a\x00b\n", r"line 2, column init: contains characters that cannot be printed"),
    ("setting,best_score,fitness\nA,1,\x1b[0m\n", r"line 2, column fitness: contains characters that cannot be"),
    ("setting,best_score\nA\x1b[31m,1\n", r"line 2, column setting: contains characters that cannot be printed"),
    ("", r"line 1: no column 'setting'; found nothing"),
    ("setting,score\nA,1\n", r"line 1: no column 'best_score'; found setting, score"),
    ("setting,best_score,setting\nA,1,B\n", r"line 1: column 'setting' occurs twice"),
    ("setting,best_score\n", r"contains no completed run"),
    ("setting,best_score\nA,1\nB\n", r"line 3: 1 columns; expected 2 as in the first line"),
    ("setting,best_score\nA,1\n,2\n", r"line 3, column setting: is empty; expected a name"),
    ("setting,best_score\nA,\n", r"line 2, column best_score: is empty; expected a whole number"),
    ("setting,best_score\nA,-1\n", r"line 2, column best_score: '-1' is not a number of 0 or more"),
    ("setting,best_score\nA,nan\n", r"line 2, column best_score: 'nan' is not a number"),
    ("setting,best_score\nA,1.5\n", r"line 2, column best_score: '1.5' is not a whole number"),
    ("setting,best_score\nA,1e300\n", r"line 2, column best_score: '1e300' is not a whole number"),
    ("setting,best_score,run\nA,1,x\n", r"line 2, column run: 'x' is not a number"),
    ("setting,best_score,seconds\nA,1,inf\n", r"line 2, column seconds: 'inf' is not a number"),
    ('setting,best_score\n"A,1\n', r"line 2: unexpected end of data"),
    (b"setting,best_score\n\xff,1\n", r"is not UTF-8 text"),
]


@pytest.mark.parametrize(("text", "message"), WRONG)
def test_a_wrong_foreign_file_is_named(tmp_path: Path, text: str | bytes, message: str) -> None:
    with pytest.raises(ConfigError, match=rf"foreign\.csv[,:] {message}") as caught:
        read_foreign(written(tmp_path, text))
    assert "\n" not in str(caught.value)


def test_a_foreign_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"none\.csv: cannot be read: No such file"):
        read_foreign(tmp_path / "none.csv")
