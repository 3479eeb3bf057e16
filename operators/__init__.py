"""Variation operators: initialisation, crossover, mutation, selection, dominance, repair. Compiled, on plain arrays.

The compiled operators work on populations (`operators.population`) and serve both engines in `evo`. The functions in
`operators.single_boards` apply them to single boards, for notebooks and experiments.
"""

from typing import TYPE_CHECKING

from puzzles.lazy_names import lazy_names

if TYPE_CHECKING:  # the one list of public names; `lazy_names` reads it from this file
    from operators.counting import EDGES as EDGES
    from operators.counting import counted_score as counted_score
    from operators.counting import edge_count as edge_count
    from operators.counting import most_score as most_score
    from operators.counting import score_text as score_text
    from operators.crossover import region_crossover as region_crossover
    from operators.diversity import differing_cells as differing_cells
    from operators.dominance import dominance_rank as dominance_rank
    from operators.dominance import dominators as dominators
    from operators.dominance import front_distance as front_distance
    from operators.errors import OperatorError as OperatorError
    from operators.fitness import FITNESSES as FITNESSES
    from operators.fitness import fitness_weights as fitness_weights
    from operators.initialise import knowledge_board as knowledge_board
    from operators.initialise import random_board as random_board
    from operators.lattice import Lattice as Lattice
    from operators.lattice import make_lattice as make_lattice
    from operators.mutation import mutate as mutate
    from operators.mutation import region_exchange as region_exchange
    from operators.mutation import region_rotation as region_rotation
    from operators.paths import PATHS as PATHS
    from operators.paths import make_path as make_path
    from operators.population import Population as Population
    from operators.population import boards_of as boards_of
    from operators.population import make_population as make_population
    from operators.population import make_scratch as make_scratch
    from operators.population import population_of as population_of
    from operators.repair import Repair as Repair
    from operators.selection import WITH_REPLACEMENT as WITH_REPLACEMENT
    from operators.selection import tournament_best as tournament_best
    from operators.selection import tournament_worst as tournament_worst
    from operators.single_boards import exchanged as exchanged
    from operators.single_boards import knowledge_boards as knowledge_boards
    from operators.single_boards import mutated as mutated
    from operators.single_boards import offspring as offspring
    from operators.single_boards import random_boards as random_boards
    from operators.single_boards import rebuilt as rebuilt
    from operators.single_boards import repaired as repaired
    from operators.single_boards import replaced as replaced
    from operators.single_boards import searched_boards as searched_boards
    from operators.single_boards import turned as turned
    from operators.variation import Variation as Variation
    from operators.variation import make_variation as make_variation

if not TYPE_CHECKING:  # type checkers would take any name for one that exists
    __all__, __getattr__, __dir__ = lazy_names(__name__)
