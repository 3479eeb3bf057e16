"""Evolution of orders: DEAP's operators, a decoder of the user's own, and what each scheme does to a population."""

from pathlib import Path

import numpy as np
import pytest
from deap import tools

import evo
from evo.engine.order_search import OrderSearch, make_order_toolbox
from evo.errors import ConfigError, EvoError
from evo.settings.order import ORDER
from evo.settings.registry import make_settings
from operators.orders import drawing_from
from puzzles import Puzzle, generate

PUZZLE, _ = generate(6, 6, 3, 6, 1, hints=3)
OWN = '''
def alternating(rng, sides, order, board):
    """Tiles in order, turned by their number."""
    board.ravel()[:] = [4 * int(tile) + int(tile) % 4 for tile in order]


def lazy(rng, sides, order, board):
    """Leaves the board as it is."""
    board[:] = 0
'''


def boards(settings: ORDER, toolbox=None) -> list[tuple[int, int, bytes]]:
    rng = np.random.default_rng(3) if toolbox is None else toolbox.rng
    return [(one.evaluations, one.best_score, one.best_cells.tobytes()) for one in
            OrderSearch(PUZZLE, settings, rng, toolbox).reports()]  # fmt: skip


@pytest.mark.parametrize("mate", ["ordered", "partially_matched"])
def test_deaps_own_operators_give_the_same_boards(mate: str) -> None:
    settings = ORDER(population=8, evaluations=200, nodes=30, mate=mate, shuffle=0.1)
    rng = np.random.default_rng(3)
    toolbox = make_order_toolbox(PUZZLE, settings, rng)
    toolbox.rng = rng
    of_deap = tools.cxOrdered if mate == "ordered" else tools.cxPartialyMatched
    toolbox.register("mate", drawing_from(rng, of_deap))
    toolbox.register("mutate", drawing_from(rng, tools.mutShuffleIndexes), indpb=settings.shuffle)
    assert boards(settings, toolbox) == boards(settings)


def test_a_decoder_from_a_file_decodes_and_a_broken_one_is_named(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(OWN)
    settings = make_settings(
        {"algorithm": "ORDER", "decoder": f"{tmp_path / 'mine.py'}:alternating", "evaluations": 60, "population": 5}
    )
    found = evo.run(PUZZLE, settings).result().board
    assert (found.cells % 4 == found.cells // 4 % 4).all()
    broken = make_settings({"algorithm": "ORDER", "decoder": f"{tmp_path / 'mine.py'}:lazy"})
    with pytest.raises(EvoError, match="every tile"):
        evo.run(PUZZLE, broken).result()
    absent = make_settings({"algorithm": "ORDER", "decoder": f"{tmp_path / 'mine.py'}:absent"})
    with pytest.raises(ConfigError, match=r"decoder: mine\.py: does not define absent"):
        evo.make_search(PUZZLE, absent)


def test_the_population_of_the_steady_state_never_gets_worse_and_that_of_brkga_keeps_its_elite() -> None:
    for scheme in ("steady", "brkga"):
        settings = ORDER(population=10, evaluations=400, nodes=20, scheme=scheme, shuffle=0.05)
        search = OrderSearch(PUZZLE, settings, np.random.default_rng(1))
        before: list[int] = []
        for report in search.reports():
            if report.evaluations < 10:
                continue
            kept = settings.generation[0] if scheme == "brkga" else 10
            elite = sorted(search._boards.objectives[:, 0].tolist(), reverse=True)[:kept]
            assert not before or all(now >= then for now, then in zip(elite, before, strict=True))
            before = elite


def test_evolved_orders_beat_random_ones(eternity2: Puzzle) -> None:
    """Seeded: eight runs each, first fit."""
    ends = {}
    for scheme in ("steady", "random"):
        kind = ORDER(population=20, evaluations=1_500, decoder="first_fit", scheme=scheme)
        runs = [evo.run(eternity2, kind.model_copy(update={"seed": seed})).result() for seed in range(8)]
        ends[scheme] = np.mean([one.score for one in runs])
    assert ends["steady"] > ends["random"] + 3


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"decoder": "beams"}, "decoder"),
        ({"decoder": "mine.py"}, "decoder"),
        ({"path": "sideways"}, "path: 'sideways' is not one of"),
        ({"population": 5, "tournament": 6}, "tournament: 6 individuals cannot be drawn from 5"),
        ({"scheme": "brkga", "elite": 0.0}, "elite: of 100 individuals 0 are kept"),
        ({"scheme": "brkga", "elite": 0.6, "mutants": 0.4}, "elite: of 100 individuals 60 are kept and 40 are random"),
        ({"mate": "uniform"}, "mate"),
        ({"scheme": "brkga", "mate": "partially_matched"}, "mate: partially_matched is a crossover of permutations"),
        ({"mutate": {"rebuild": 1.0}}, "mutate: there is no such setting"),
        ({"nodes": 0}, "nodes"),
    ],
)
def test_bad_settings_are_named_in_one_line(values: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError, match=message) as caught:
        make_settings({"algorithm": "ORDER", **values})
    assert "\n" not in str(caught.value)
