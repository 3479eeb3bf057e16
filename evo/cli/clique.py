"""The command that turns a puzzle into a graph for clique solvers: clique."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evo.cli.inputs import ForceOption, say


def clique(
    puzzle: Annotated[str, typer.Argument(metavar="PUZZLE", help="Name of a bundled puzzle, or a file.")],
    output: Annotated[
        str | None, typer.Option("--output", "-o", metavar="FILE", help="File for the graph, in the DIMACS format.")
    ] = None,
    corner: Annotated[
        bool,
        typer.Option(help="On squares, put the first corner tile into the upper left corner, as Salassa et al. do."),
    ] = True,
    selections: Annotated[
        int, typer.Option(min=0, help="Number of selections of a heuristic that looks for a large clique.")
    ] = 0,
    seed: Annotated[int, typer.Option(min=0, help="Random seed of the heuristic.")] = 1,
    force: ForceOption = False,
) -> None:
    """Write a puzzle as a clique problem.

    Nodes are placements of a piece, and edges join those without a conflict: a clique with a node a cell is a solution.

    Example: evo clique small.csv -o small.clq --selections 10000000
    """
    import numpy as np

    from puzzles import load
    from puzzles.file_io import check_free, naming, write_bytes
    from solvers.exact.clique import clique_graph, dimacs, first_corner
    from solvers.exact.clique_search import find_clique

    loaded = load(puzzle)
    if output is not None:
        with naming(output):
            check_free(Path(output), force=force)
    graph = clique_graph(loaded, first_corner(loaded) if corner else ())
    say(loaded.notes)
    print(f"{loaded.name}: {graph.nodes} nodes, {graph.edges} edges, density {graph.density:.1%}")
    if output is not None:
        about = f"{loaded.name}: a clique of {graph.cells} nodes is a solution"
        with naming(output):
            write_bytes(Path(output), "".join(dimacs(graph.adjacent, [about])).encode(), force=force)
    if selections:
        found = find_clique(np.random.default_rng(seed), graph.adjacent, selections, graph.cells)
        matched = graph.matched(found.clique)
        print(
            f"clique of {len(found.clique)} of {graph.cells} nodes after {found.selections} selections: "
            f"{matched} of {loaded.max_score} edges match"
        )
