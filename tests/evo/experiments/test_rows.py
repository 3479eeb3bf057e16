"""What rows are called, and the order in which they are listed."""

import pandas as pd

from evo.experiments.rows import PAPER_ROWS, Row, labelled, rows_of, some_labels
from evo.settings.paper import TABLE_2

ROWS = [
    Row("zebra", "random", "normal"),
    Row("MOEA_1", "knowledge"),
    Row("GA_1", "knowledge", "normal"),
    Row("GA_1", "random", "combined"),
    Row("apple"),
    Row("GA_1", "random", "normal"),
    Row("RAND"),
    Row("zebra", "odd", "normal"),
]
SORTED = [ROWS[at] for at in (6, 5, 3, 2, 1, 0, 7, 4)]


def test_settings_of_the_paper_come_first_and_rows_of_a_setting_stay_together() -> None:
    assert rows_of(pd.DataFrame([*ROWS, *ROWS])) == SORTED
    assert set(PAPER_ROWS) == {Row(one.setting, one.init or "", one.fitness or "") for one in TABLE_2}
    assert PAPER_ROWS[:4] == [
        Row("RAND"),
        Row("ES"),
        Row("GA_1", "random", "normal"),
        Row("GA_1", "random", "combined"),
    ]


def test_a_label_names_the_parts_that_a_row_has() -> None:
    assert Row("GA_1", "random", "combined").label == "GA_1 random combined"
    assert Row("GA_1", "random", "combined").short_label == "GA_1 combined"
    assert Row("MOEA_1", "random").label == "MOEA_1 random"
    assert Row("RAND").label == Row("RAND").short_label == "RAND"
    assert some_labels(ROWS[4:]) == "apple, GA_1 random normal and 2 more"


def test_a_labelled_frame_is_sorted_by_row_and_otherwise_keeps_its_order() -> None:
    frame = labelled(pd.DataFrame([*ROWS, *ROWS]).assign(place=range(16)))
    assert frame["label"].tolist() == [row.label for row in SORTED for _ in range(2)]
    assert frame["short_label"].tolist() == [row.short_label for row in SORTED for _ in range(2)]
    assert frame["place"].tolist()[:4] == [6, 14, 5, 13]
    assert list(labelled(frame.iloc[:0]).columns) == list(frame.columns)
