"""How likely edges are to match under the configuration model: colours are shuffled among all sides of a class.

`EdgeOdds` follows the edges between two classes of sides, or within the first of them, as tiles are laid. Of a class of
n sides, n_c have colour c. The probability that j edges within it all match is

    j! / (n)_2j  *  [x^j]  product over c of  (sum over i of (n_c)_2i x^i / i!),        (n)_k = n (n-1) ... (n-k+1)

and with edges to the second class, and sides of known colour that a pinned tile asks for, there is a factor (m_c)_k for
the second class, and the falling factorials start where the sides asked for have been taken away.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import comb, gammaln

from puzzles import GREY
from solvers.errors import SolverError

MOST_SIDES = 1_300
"""The largest number of sides in a class; beyond it the probabilities leave the range of a float."""
_LOWER = 1.5
"""By how much the unit of an edge is below the logarithm of the largest factor, so that the probabilities of few edges
and those of all edges are about as far from 1."""


class EdgeOdds:
    """The probability that the next edge matches, given how many have matched.

    Args:
        own: The number of sides of each colour in the first class; grey matches nothing.
        other: The same in the second class.
        most_within: The largest number of edges within the first class.
        most_across: The largest number of edges between the classes.

    Raises:
        SolverError: A class has too many sides.
    """

    def __init__(self, own: NDArray[np.int64], other: NDArray[np.int64], most_within: int, most_across: int) -> None:
        if max(own.sum(), other.sum()) > MOST_SIDES:
            raise SolverError(f"too many sides for an estimate: {max(own.sum(), other.sum())}; at most {MOST_SIDES}")
        self._counts = np.stack([own, other])
        self._asked = np.zeros_like(self._counts)
        self._most = most_within, most_across
        self._within = self._across = 0
        self._log_table = self._tabulated()

    def next_within(self, fewer: NDArray[np.int64]) -> NDArray[np.float64]:
        """Add an edge within the first class; return the logarithm of the probability that it matches.

        Args:
            fewer: Numbers of edges that did not match; the result has an entry for each.
        """
        j, k = np.maximum(self._within - fewer, 0), self._across
        self._within += 1
        return _ratio(self._log_table[j + 1, k], self._log_table[j, k])

    def next_across(self, fewer: NDArray[np.int64]) -> NDArray[np.float64]:
        """Add an edge between the classes; see `next_within`."""
        # If there are edges within the first class, most mismatches are theirs.
        within = bool(self._most[0])
        j = np.maximum(self._within - fewer * within, 0)
        k = np.maximum(self._across - fewer * (not within), 0)
        self._across += 1
        return _ratio(self._log_table[j, k + 1], self._log_table[j, k])

    def next_asked(self, colour: int, own: bool, fewer: NDArray[np.int64]) -> NDArray[np.float64]:
        """Add a side of the first (`own`) or second class that must have a colour; see `next_within`."""
        before = self._log_table
        self._asked[int(not own), colour] += 1
        self._log_table = self._tabulated()
        j, k = np.maximum(self._within - fewer, 0), self._across
        return _ratio(self._log_table[j, k], before[j, k])

    def _tabulated(self) -> NDArray[np.float64]:
        """Return the logarithm of the probability that j edges within and k across match and what is asked for is met.

        Colours are added one by one. An entry counts the ways to choose which of the j and k edges have these colours,
        and to give them sides, in units of a power that keeps it within the range of a float.
        """
        (own, other), (own_asked, other_asked) = self._counts, self._asked
        j, k = np.arange(self._most[0] + 1), np.arange(self._most[1] + 1)
        table = np.zeros((len(j), len(k)))
        table[0, 0], log_unit = 1.0, 0.0
        scales = [np.log(max(1.0, float((own * one).sum()))) - _LOWER for one in (own, other)]
        for colour in range(GREY + 1, len(own)):
            here, there = int(own[colour]), int(other[colour])
            of_within, of_across = np.ogrid[: min(here // 2, len(j) - 1) + 1, : min(here, there, len(k) - 1) + 1]
            ways = _log_falling(here, 2 * of_within + of_across + own_asked[colour])
            ways = ways + _log_falling(there, of_across + other_asked[colour])
            ways = np.exp(ways - of_within * scales[0] - of_across * scales[1])
            within, across = _choices(j, len(ways)), _choices(k, ways.shape[1])
            shifted = np.zeros((ways.shape[1], *table.shape))
            for chosen, part in enumerate(shifted):
                part[:, chosen:] = table[:, : len(k) - chosen] * across[chosen, chosen:]
            summed = np.einsum("wa,ajk->wjk", ways, shifted)
            table = np.zeros_like(table)
            for chosen, part in enumerate(summed):
                table[chosen:] += within[chosen, chosen:, np.newaxis] * part[: len(j) - chosen]
            largest = float(table.max())
            if largest == 0:
                return np.full_like(table, -np.inf)
            table, log_unit = table / largest, log_unit + np.log(largest)
        rows, cols = j[:, np.newaxis], k
        draws = _log_falling(int(own.sum()), 2 * rows + cols + int(own_asked.sum()))
        draws = draws + _log_falling(int(other.sum()), cols + int(other_asked.sum()))
        with np.errstate(divide="ignore"):
            logs = np.log(table) + log_unit + rows * scales[0] + cols * scales[1]
        return np.where(np.isneginf(draws), -np.inf, logs - np.where(np.isneginf(draws), 0.0, draws))


def _choices(edges: NDArray[np.int64], count: int) -> NDArray[np.float64]:
    """Return for each number chosen, up to a count, in how many ways it can be chosen of the edges."""
    chosen = np.arange(count)[:, np.newaxis]
    return np.asarray(comb(edges, chosen))


def _log_falling(start: int, factors: NDArray[np.int64] | int) -> NDArray[np.float64]:
    """Return the logarithm of start (start - 1) ... with so many factors; -inf where there are too many."""
    known = np.asarray(factors)
    inside = known <= start
    return np.asarray(np.where(inside, gammaln(start + 1) - gammaln(np.where(inside, start - known, 0) + 1), -np.inf))


def _ratio(after: NDArray[np.float64], before: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the logarithm of a conditional probability; of what cannot happen, nothing can follow."""
    possible = np.isfinite(after) & np.isfinite(before)
    return np.asarray(np.minimum(np.where(possible, after, -np.inf) - np.where(possible, before, 0.0), 0.0))
