"""Integer programs as data: variables, linear rows and an objective, with the equation numbers of the paper.

A model knows nothing of engines. It can be printed in the paper's notation, written as LP or MPS, and given to any
engine of `solvers.programs.engines` that can carry its variables.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any, NamedTuple

Values = Sequence[float]


class Variable(NamedTuple):
    """A variable with its bounds; a binary variable is an integer within 0..1."""

    name: str
    low: float = 0
    high: float = 1
    integer: bool = True


class Row(NamedTuple):
    """A linear row `low <= sum of coefficient * variable <= high`.

    Attributes:
        equation: The number of the equation in the paper, or a word for a row that the paper does not have.
        terms: Pairs of a variable's index and its coefficient.
        low: The lower limit.
        high: The upper limit.
        clue: What the row states of this puzzle, where it is a clue that could be left out.
    """

    equation: str
    terms: tuple[tuple[int, int], ...]
    low: float
    high: float
    clue: str = ""


@dataclass
class Model:
    """An integer program.

    Attributes:
        name: Short name, such as "gbm".
        formulas: The equations in the paper's notation: number and formula, in order.
        variables: The variables.
        rows: The rows.
        objective: Pairs of a variable's index and its coefficient; the sum is minimised. Empty for feasibility.
        floor: A value below which the objective cannot be, known without solving.
        key: The variables that tell solutions apart. All solutions have the same number of them at 1.
        separate: Returns rows that a point violates, of those rows that are too many to be written down; or None.
        decode: Turns the values of the variables into a solution of the puzzle.
    """

    name: str
    formulas: list[tuple[str, str]]
    variables: list[Variable] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    objective: tuple[tuple[int, int], ...] = ()
    floor: float = -inf
    key: list[int] = field(default_factory=list)
    separate: Callable[[Values], list[Row]] | None = None
    decode: Callable[[Values], Any] = list

    def binary(self, name: str) -> int:
        """Add a binary variable and return its index."""
        self.variables.append(Variable(name))
        return len(self.variables) - 1

    def flow(self, name: str, high: float) -> int:
        """Add a continuous variable within 0..high and return its index."""
        self.variables.append(Variable(name, 0, high, False))
        return len(self.variables) - 1

    def row(
        self, equation: str, terms: Iterable[tuple[int, int]], low: float, high: float = inf, clue: str = ""
    ) -> None:
        """Add a row; terms with the same variable are added up."""
        self.rows.append(Row(equation, merged(terms), low, high, clue))

    def equal(self, equation: str, terms: Iterable[tuple[int, int]], value: float, clue: str = "") -> None:
        """Add a row whose sum has one value."""
        self.row(equation, terms, value, value, clue)

    def at_most(self, equation: str, terms: Iterable[tuple[int, int]], value: float, clue: str = "") -> None:
        """Add a row whose sum has an upper limit."""
        self.row(equation, terms, -inf, value, clue)

    @property
    def binary_only(self) -> bool:
        """Whether all variables are binary."""
        return all(v.integer and v.low >= 0 and v.high <= 1 for v in self.variables)

    def __str__(self) -> str:
        """Return the model in the paper's notation, with the number of rows that each equation has here."""
        counts = Counter(row.equation for row in self.rows)
        width = max(len(number) for number, _ in self.formulas)
        lines = [f"{self.name}: {len(self.variables)} variables, {len(self.rows)} rows"]
        for number, formula in self.formulas:
            rows = f"   [{counts[number]} rows]" if counts[number] else ""
            lines.append(f"  ({number}){'':{width - len(number)}}  {formula}{rows}")
        return "\n".join(lines)


def merged(terms: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Return terms with one entry a variable, without zeros."""
    sums: dict[int, int] = {}
    for index, coefficient in terms:
        sums[index] = sums.get(index, 0) + coefficient
    return tuple((index, coefficient) for index, coefficient in sums.items() if coefficient)


def ones(indices: Iterable[int]) -> list[tuple[int, int]]:
    """Return terms with the coefficient 1."""
    return [(index, 1) for index in indices]


def another(model: Model, values: Values) -> Row:
    """Return the row that forbids one solution and no other."""
    chosen = [index for index in model.key if values[index] > 0.5]
    return Row("another", tuple(ones(chosen)), -inf, len(chosen) - 1)
