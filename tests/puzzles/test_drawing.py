"""The numbers behind the pictures. Whether a picture looks right is for eyes."""

import itertools
import xml.etree.ElementTree as ElementTree

import numpy as np

from puzzles import EMPTY, Board, Puzzle, generate
from puzzles.drawing import board_shapes, piece_sheet
from puzzles.palette import DISTINCT, FRAME, colour_hex, colour_rgb

SVG = "{http://www.w3.org/2000/svg}"

# Machado, Oliveira and Fernandes (2009), severity 1, on linear RGB.
PROTANOPIA = [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
DEUTERANOPIA = [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]


def _oklab(colours: list[str], vision: np.ndarray) -> np.ndarray:
    rgb = np.array([[int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)] for colour in colours])
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    seen = np.clip(linear @ vision.T, 0, 1)
    cones = [[0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566]]
    cones.append([0.0883024619, 0.2817188376, 0.6299787005])
    axes = [[0.2104542553, 0.7936177850, -0.0040720468], [1.9779984951, -2.4285922050, 0.4505937099]]
    axes.append([0.0259040371, 0.7827717662, -0.8086757660])
    return np.cbrt(seen @ np.array(cones).T) @ np.array(axes).T


def test_the_palette_keeps_colours_apart_for_all_eyes() -> None:
    # 0.02 is about the smallest difference that eyes can see.
    colours = [*DISTINCT, FRAME, "#000000", "#ffffff"]
    for vision, least in ((np.eye(3), 0.12), (np.array(PROTANOPIA), 0.08), (np.array(DEUTERANOPIA), 0.08)):
        lab = _oklab(colours, vision)
        distances = [np.linalg.norm(one - other) for one, other in itertools.combinations(lab, 2)]
        assert min(distances) > least


def test_every_colour_has_a_colour_of_its_own() -> None:
    assert len({colour_hex(colour) for colour in range(60)}) == 60
    assert colour_hex(0) == FRAME
    assert colour_rgb(1) == (0xF7, 0xF5, 0x1A)


def test_each_tile_is_four_triangles_in_its_colours() -> None:
    puzzle = Puzzle(1, 2, [[1, 2, 3, 4], [5, 6, 7, 8]], strict=False)
    shapes = board_shapes(Board(puzzle, [[1, EMPTY]]), numbers=True)  # turned clockwise once: 4 on top
    assert shapes.triangles == {
        colour_hex(4): [((0, 0), (1, 0), (0.5, 0.5))],
        colour_hex(1): [((1, 0), (1, 1), (0.5, 0.5))],
        colour_hex(2): [((1, 1), (0, 1), (0.5, 0.5))],
        colour_hex(3): [((0, 1), (0, 0), (0.5, 0.5))],
    }
    assert shapes.empty == [(1, 0)]
    assert shapes.numbers == [((0.5, 0.5), "1")]
    assert shapes.mismatches == []


def test_mismatches_are_marked_along_their_edge() -> None:
    puzzle = Puzzle(2, 2, [[1, 1, 1, 1], [2, 2, 2, 1], [1, 2, 2, 2], [2, 2, 2, 2]], strict=False)
    solved = Board(puzzle, [[0, 4], [8, 12]])
    assert board_shapes(solved).mismatches == []
    turned = Board(puzzle, [[0, 5], [8, 12]])  # the side that matched now points up
    assert board_shapes(turned).mismatches == [((1, 0.2), (1, 0.8))]
    assert board_shapes(turned, mismatches=False).mismatches == []
    lower = Board(puzzle, [[0, 4], [11, 12]])
    assert board_shapes(lower).mismatches == [((0.2, 1), (0.8, 1))]


def test_the_svg_holds_all_shapes(record: Board) -> None:
    root = ElementTree.fromstring(record.to_svg(numbers=True, hints=True))
    paths = [path.get("d") or "" for path in root.iter(f"{SVG}path")]
    assert sum(outline.count("L") for outline in paths) == 256 * 4 + 2 * 10  # triangles; mismatches, drawn twice
    assert sum(outline.count("h1v1h-1z") for outline in paths) == 2 * 5  # hints, drawn twice
    assert [text.text for text in root.iter(f"{SVG}text")] == [str(cell // 4 + 1) for cell in record.cells.ravel()]
    assert root.find(f"{SVG}title").text == "Joshua Blackwood 470: eternity2, 470 of 480 edges match"
    assert record._repr_svg_() == record.to_svg()
    assert len(record.to_svg()) < 60_000


def test_names_cannot_break_out_of_the_svg() -> None:
    puzzle, solution = generate(2, 2, 4, 1, 1)
    nasty = Board(puzzle, solution.cells, "</title><script>alert(1)</script>&")
    root = ElementTree.fromstring(nasty.to_svg())
    assert not list(root.iter(f"{SVG}script"))
    assert "<script>" in root.find(f"{SVG}title").text


def test_a_piece_sheet_shows_each_piece_once_unturned(eternity2: Puzzle) -> None:
    assert piece_sheet(eternity2).cells.ravel().tolist() == list(range(0, 1024, 4))
