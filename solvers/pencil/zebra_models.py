"""The integer program of Zebra puzzles (chapter 7), with the products of the printed form made linear."""

from __future__ import annotations

from puzzles.pencil import Zebra
from puzzles.pencil.zebra import Table
from solvers.programs.model import Model, Values, ones

_FORMULAS = [
    ("7.1a", "sum_j x_ij = 1,  for all houses i and attributes"),
    ("7.1b", "sum_i x_ij = 1,  for all properties j"),
    ("ACC", "same a, b:  x_ia = x_ib,  for all houses i;  not a, b:  x_ia + x_ib <= 1"),
    ("DLC", "at a, h:  x_ha = 1"),
    (
        "ILC",
        "next to a, b:  x_ia <= x_(i-1)b + x_(i+1)b and the same with a, b exchanged;  right of a, b:  x_ia = x_(i-1)b",
    ),
]


def zebra_ip(puzzle: Zebra) -> Model:
    """Return the model of chapter 7: x_ij is 1 if house i has property j."""
    model = Model("ip", _FORMULAS)
    houses = range(puzzle.houses)
    x: dict[str, list[int]] = {}
    for attribute in puzzle.attributes:
        for word in attribute.properties:
            x[word] = [model.binary(f"x_{i + 1},{word}") for i in houses]
            model.equal("7.1b", ones(x[word]), 1)
        for i in houses:
            model.equal("7.1a", ones(x[word][i] for word in attribute.properties), 1)
    model.key = list(range(len(model.variables)))
    for number, (relation, one, other) in enumerate(puzzle.clues, start=1):
        name = f"clue {number}: {puzzle.clues[number - 1]}"
        if isinstance(other, int):
            model.equal("DLC", [(x[one][other - 1], 1)], 1, name)
            continue
        a, b = x[one], x[other]
        for i in houses:
            if relation == "same":
                model.equal("ACC", [(a[i], 1), (b[i], -1)], 0, name)
            elif relation == "not":
                model.at_most("ACC", ones([a[i], b[i]]), 1, name)
            elif relation == "right of":
                model.equal("ILC", [(a[i], 1), *((b[k], -1) for k in (i - 1,) if k >= 0)], 0, name)
                if i == puzzle.houses - 1:
                    model.equal("ILC", [(b[i], 1)], 0, name)
            else:
                near = [k for k in (i - 1, i + 1) if k in houses]
                for first, second in ((a, b), (b, a)):
                    model.at_most("ILC", [(first[i], 1), *((second[k], -1) for k in near)], 0, name)

    def decode(values: Values) -> Table:
        return tuple(
            tuple(max(attribute.properties, key=lambda word: values[x[word][i]]) for i in houses)
            for attribute in puzzle.attributes
        )

    model.decode = decode
    return model
