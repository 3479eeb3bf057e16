"""The integer programs of Hashi (chapter 6): with flow, with human-deduced constraints, and with lazy cuts."""

from __future__ import annotations

from math import inf

from puzzles.pencil import Bridge, Hashi
from puzzles.pencil.rules import at
from solvers.pencil.graphs import components
from solvers.programs.model import Model, Row, Values, ones

_BRIDGES = [
    ("6.1a", "minimise 0"),
    ("6.1b", "sum_(q: a in q) (x_q^1 + 2 x_q^2) = L_a,  for all islands a"),
    ("6.1c", "x_q^0 + x_q^1 + x_q^2 = 1,  for all q in B"),
    (
        "6.1d",
        "x_q^0 + x_r^0 >= 1,  for all q = (a, b) horizontal, r = (c, d) vertical with i_c < i_a < i_d, j_a < j_c < j_b",
    ),
]
_FLOW = [
    ("6.1e", "sum_(q leaves a) y_q - sum_(q enters a) y_q = S_a,  for all islands a"),
    ("6.1f", "y_q + y_q' <= M (1 - x_q^0),  for all q in B, with M = k - 1"),
    ("6.1h", "x_q^n in {0, 1},  for all q in B"),
    ("6.1i", "y_q >= 0,  for all q in A"),
]
_PRINTED = {"6.1f": "y_q + y_q' <= M (1 - x_q^0),  for all q in B, with M = 126"}
_PRINTED_ONLY = ("6.1g", "y_q + y_q' >= 1 - x_q^0,  for all q in B")
_HDC = [
    ("6.2", "x_q^0 = 1 for q = (a, b) if L_a = L_b = 1 and k > 2"),
    ("6.3-6.11", "the bridges that labels 1 to 8 with few neighbours enforce"),
]
_CUTS = [
    ("rule", "x_q^n = 0 for n > cap_q = min(2, L_a, L_b), 0 for 1-1 and 1 for 2-2; n_q >= L_a - sum of the other caps"),
    ("cut", "sum_(q leaves N) (1 - x_q^0) >= 1,  for all sets N of islands  (lazy)"),
    ("6.1h", "x_q^n in {0, 1},  for all q in B"),
]
PRINTED_M = 126


def hashi_flow(puzzle: Hashi, as_printed: bool = False) -> Model:
    """Return the model (6.1), in which a flow from the first island reaches all others.

    Args:
        puzzle: The puzzle.
        as_printed: Whether to use M = 126, too small for more than 127 islands, and the redundant (6.1g).
    """
    formulas = [(n, _PRINTED.get(n, text) if as_printed else text) for n, text in [*_BRIDGES, *_FLOW]]
    model, x = _bridges(puzzle, "flow", formulas)
    _flow(model, puzzle, x, as_printed)
    if as_printed:
        model.formulas.insert(-2, _PRINTED_ONLY)
    return model


def hashi_hdc(puzzle: Hashi, as_printed: bool = False) -> Model:
    """Return (6.1) with the human-deduced constraints (6.2) to (6.11).

    Args:
        puzzle: The puzzle.
        as_printed: As for `hashi_flow`; also whether (6.2) holds for two islands, where it leaves no solution.
    """
    model = hashi_flow(puzzle, as_printed)
    model.name = "hdc"
    model.formulas += _HDC
    number = {pair: q for q, pair in enumerate(puzzle.possible)}
    x = [[3 * q, 3 * q + 1, 3 * q + 2] for q in range(len(number))]  # the bridges' variables come first
    labels = [island.label for island in puzzle.islands]
    near = _ends(puzzle)
    for (a, b), q in number.items():
        if labels[a] == labels[b] == 1 and (len(labels) > 2 or as_printed):
            model.equal("6.2", [(x[q][0], 1)], 1)
    for a, label in enumerate(labels):
        around = near[a]
        if label in (2, 4, 6, 8) and 2 * len(around) == label:  # (6.4), (6.7), (6.9), (6.11)
            fixed = [(x[q][2], 1) for q in around]
        elif label == 1 and len(around) == 1:  # (6.3)
            fixed = [(x[around[0]][1], 1)]
        elif label in (3, 5, 7) and 2 * len(around) == label + 1:  # (6.6), (6.8), (6.10)
            fixed = [(x[q][0], 0) for q in around]
        elif label == 2 and len(around) == 2:  # (6.5)
            others = [labels[sum(puzzle.possible[q]) - a] for q in around]
            fixed = [(x[q][0], 0) for q, other in zip(around, reversed(others), strict=True) if other == 1]
        else:
            continue
        for index, value in fixed:
            model.equal("6.3-6.11", [(index, 1)], value)
    return model


def hashi_cuts(puzzle: Hashi) -> Model:
    """Return the model without flow: a rule fixes bridges beforehand, and cuts join what is not connected."""
    model, x = _bridges(puzzle, "cuts", [*_BRIDGES, *_CUTS])
    labels, pairs, near = [island.label for island in puzzle.islands], puzzle.possible, _ends(puzzle)
    cap = [min(2, labels[a], labels[b]) for a, b in pairs]
    if len(labels) > 2:
        cap = [c - 1 if labels[a] == labels[b] == c else c for c, (a, b) in zip(cap, pairs, strict=True)]
    for q, most in enumerate(cap):
        model.at_most("rule", ones(x[q][n] for n in (1, 2) if n > most), 0)
    for a, label in enumerate(labels):
        room = sum(cap[q] for q in near[a])
        for q in near[a]:
            least = label - (room - cap[q])
            if least > 0:
                model.at_most("rule", ones(x[q][n] for n in (0, 1, 2) if n < least), 0)

    def separate(values: Values) -> list[Row]:
        built = [pair for q, pair in enumerate(pairs) if values[x[q][0]] < 0.5]
        parts = components(range(len(labels)), built)
        rows = []
        for part in parts if len(parts) > 1 else []:
            leaving = [x[q][0] for q, (a, b) in enumerate(pairs) if (a in part) != (b in part)]
            rows.append(Row("cut", tuple(ones(leaving)), -inf, len(leaving) - 1))
        return rows

    model.separate = separate
    return model


def _bridges(puzzle: Hashi, name: str, formulas: list[tuple[str, str]]) -> tuple[Model, list[list[int]]]:
    """Return a model with (6.1b) to (6.1d), and its variables x_q^n."""
    model = Model(name, list(formulas))
    x = [[model.binary(f"x{n}_{a},{b}") for n in range(3)] for a, b in puzzle.possible]
    model.key = [index for of_q in x for index in of_q]
    for a, (around, island) in enumerate(zip(_ends(puzzle), puzzle.islands, strict=True)):
        terms = [term for q in around for term in ((x[q][1], 1), (x[q][2], 2))]
        model.equal("6.1b", terms, island.label, f"island {a} at {at((island.row, island.col))}: {island.label}")
    for of_q in x:
        model.equal("6.1c", ones(of_q), 1)
    for q, r in puzzle.crossings:
        model.row("6.1d", ones([x[q][0], x[r][0]]), 1)

    def decode(values: Values) -> tuple[Bridge, ...]:
        counts = [max(range(3), key=lambda n: values[of_q[n]]) for of_q in x]
        return tuple(Bridge(a, b, n) for (a, b), n in zip(puzzle.possible, counts, strict=True) if n)

    model.decode = decode
    return model, x


def _flow(model: Model, puzzle: Hashi, x: list[list[int]], as_printed: bool) -> None:
    supply = len(puzzle.islands) - 1
    big = PRINTED_M if as_printed else supply
    there = [model.flow(f"y_{a},{b}", supply) for a, b in puzzle.possible]
    back = [model.flow(f"y_{b},{a}", supply) for a, b in puzzle.possible]
    for a, around in enumerate(_ends(puzzle)):
        terms = []
        for q in around:
            sign = 1 if puzzle.possible[q][0] == a else -1
            terms += [(there[q], sign), (back[q], -sign)]
        model.equal("6.1e", terms, supply if a == 0 else -1)
    for q in range(len(x)):
        model.at_most("6.1f", [(there[q], 1), (back[q], 1), (x[q][0], big)], big)
        if as_printed:
            model.row("6.1g", [(there[q], 1), (back[q], 1), (x[q][0], 1)], 1)


def _ends(puzzle: Hashi) -> list[list[int]]:
    """Return the possible bridges of each island: the paper's S_a."""
    near: list[list[int]] = [[] for _ in puzzle.islands]
    for q, (a, b) in enumerate(puzzle.possible):
        near[a].append(q)
        near[b].append(q)
    return near
