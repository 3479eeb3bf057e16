"""Variation operators: initialisation, crossover, mutation, selection, dominance, repair. Compiled, on plain arrays.

The compiled operators work on populations (`operators.population`) and serve both engines in `evo`. The functions in
`operators.single_boards` apply them to single boards, for notebooks and experiments.
"""

from operators.counting import EDGES, counted_score, edge_count, most_score, score_text
from operators.crossover import region_crossover
from operators.diversity import differing_cells
from operators.dominance import dominance_rank, dominators, front_distance
from operators.errors import OperatorError
from operators.fitness import FITNESSES, fitness_weights
from operators.initialise import knowledge_board, random_board
from operators.lattice import Lattice, make_lattice
from operators.mutation import mutate, region_exchange, region_rotation
from operators.paths import PATHS, make_path
from operators.population import Population, boards_of, make_population, make_scratch, population_of
from operators.repair import Repair
from operators.selection import WITH_REPLACEMENT, tournament_best, tournament_worst
from operators.single_boards import (
    exchanged,
    knowledge_boards,
    mutated,
    offspring,
    random_boards,
    repaired,
    replaced,
    turned,
)
from operators.variation import Variation, make_variation

__all__ = [
    "EDGES",
    "FITNESSES",
    "PATHS",
    "WITH_REPLACEMENT",
    "Lattice",
    "OperatorError",
    "Population",
    "Repair",
    "Variation",
    "boards_of",
    "counted_score",
    "differing_cells",
    "dominance_rank",
    "dominators",
    "edge_count",
    "exchanged",
    "fitness_weights",
    "front_distance",
    "knowledge_board",
    "knowledge_boards",
    "make_lattice",
    "make_path",
    "make_population",
    "make_scratch",
    "make_variation",
    "most_score",
    "mutate",
    "mutated",
    "offspring",
    "population_of",
    "random_board",
    "random_boards",
    "region_crossover",
    "region_exchange",
    "region_rotation",
    "repaired",
    "replaced",
    "score_text",
    "tournament_best",
    "tournament_worst",
    "turned",
]
