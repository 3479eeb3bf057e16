"""Linear rows over binary variables as clauses.

A row that is a clause, or a few, becomes these. Any other row becomes a decision diagram: a node stands for the sum of
the terms so far, has an auxiliary variable, and implies its successors; sums that cannot end within the limits are
excluded. Propagation on these clauses finds everything that the row alone implies.
"""

from __future__ import annotations

from itertools import combinations, product

from solvers.programs.model import Row

_SMALL = 5  # rows with so few terms are written down assignment by assignment


class Clauses:
    """Translates rows; variable i of the model is the literal i + 1, and auxiliary variables follow.

    Args:
        variables: The number of variables of the model.
    """

    def __init__(self, variables: int) -> None:
        self._last = variables
        self.contradiction = False

    def of(self, row: Row) -> list[list[int]]:
        """Return the clauses of a row; a row that nothing satisfies sets `contradiction`."""
        literals = [(index + 1) * (1 if coefficient > 0 else -1) for index, coefficient in row.terms]
        weights = [abs(int(coefficient)) for _, coefficient in row.terms]
        shift = sum(int(coefficient) for _, coefficient in row.terms if coefficient < 0)
        total = sum(weights)
        low = int(max(row.low - shift, 0))
        high = int(min(row.high - shift, total))
        if low > high:
            self.contradiction = True
            return []
        if low == 0 and high == total:
            return []
        if high == 0:
            return [[-literal] for literal in literals]
        if low == total:
            return [[literal] for literal in literals]
        if set(weights) == {1}:
            if low == 0 and high == total - 1:
                return [[-literal for literal in literals]]
            if high == total and low == 1:
                return [literals]
            if high == 1 and total <= 9:
                pairs = [[-one, -other] for one, other in combinations(literals, 2)]
                return [literals, *pairs] if low == 1 else pairs
        if len(literals) <= _SMALL:
            return _excluded(literals, weights, low, high)
        return self._diagram(literals, weights, low, high)

    def _diagram(self, literals: list[int], weights: list[int], low: int, high: int) -> list[list[int]]:
        order = sorted(range(len(literals)), key=lambda k: -weights[k])
        rest = [0] * (len(order) + 1)
        for position in reversed(range(len(order))):
            rest[position] = rest[position + 1] + weights[order[position]]
        clauses: list[list[int]] = []
        level: dict[int, int] = {0: 0}  # sum so far -> the node's variable; 0 is the root, which is true
        for position, k in enumerate(order):
            following: dict[int, int] = {}
            for done, node in level.items():
                premise = [-node] if node else []
                for literal, after in ((-literals[k], done + weights[k]), (literals[k], done)):
                    if after > high or after + rest[position + 1] < low:
                        clauses.append([*premise, literal])
                    elif not (after >= low and after + rest[position + 1] <= high):
                        if after not in following:
                            self._last += 1
                            following[after] = self._last
                        clauses.append([*premise, literal, following[after]])
            level = following
        return clauses


def _excluded(literals: list[int], weights: list[int], low: int, high: int) -> list[list[int]]:
    """Return a clause for each assignment outside the limits."""
    return [
        [-literal if chosen else literal for literal, chosen in zip(literals, choice, strict=True)]
        for choice in product((False, True), repeat=len(literals))
        if not low <= sum(weight for weight, chosen in zip(weights, choice, strict=True) if chosen) <= high
    ]
