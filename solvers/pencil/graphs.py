"""Components and cycles of the small graphs that solutions without connectivity rows are."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TypeVar

N = TypeVar("N", bound=Hashable)


def components(nodes: Iterable[N], edges: Iterable[tuple[N, N]]) -> list[set[N]]:
    """Return the connected components, in the order of their first nodes."""
    joined: dict[N, list[N]] = {node: [] for node in nodes}
    for a, b in edges:
        joined[a].append(b)
        joined[b].append(a)
    found: list[set[N]] = []
    seen: set[N] = set()
    for node in joined:
        if node in seen:
            continue
        part, frontier = {node}, [node]
        while frontier:
            for near in joined[frontier.pop()]:
                if near not in part:
                    part.add(near)
                    frontier.append(near)
        seen |= part
        found.append(part)
    return found


def cycle(nodes: Iterable[N], edges: Iterable[tuple[N, N]]) -> set[N]:
    """Return the nodes that are left when nodes with fewer than two edges are taken away until none has."""
    joined: dict[N, set[N]] = {node: set() for node in nodes}
    for a, b in edges:
        joined[a].add(b)
        joined[b].add(a)
    leaves = [node for node, near in joined.items() if len(near) < 2]
    while leaves:
        leaf = leaves.pop()
        for near in joined.pop(leaf, set()):
            joined[near].discard(leaf)
            if len(joined[near]) == 1:
                leaves.append(near)
    return set(joined)
