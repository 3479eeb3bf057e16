"""A sheet for pictures as SVG, in which a cell is one unit wide."""

from __future__ import annotations

from html import escape

CELL_PIXELS = 40
INK, PAPER, SHADE, GIVEN, SOLVED, MARK = "#222222", "#ffffff", "#e9edf2", "#222222", "#14569a", "#d00559"
"""Colours: lines, background, given cells, given content, found content, highlights."""


class Canvas:
    """Collects the shapes of a picture, from back to front.

    Args:
        width: In cells.
        height: In cells.
        title: A one-line description.
    """

    def __init__(self, width: float, height: float, title: str) -> None:
        self._width, self._height, self._title = width, height, title
        self._shapes: list[str] = []

    def rectangle(self, x: float, y: float, width: float, height: float, fill: str) -> None:
        """Add a filled rectangle."""
        self._shapes.append(f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill="{fill}"/>')

    def line(self, x: float, y: float, to_x: float, to_y: float, width: float = 0.03, colour: str = INK) -> None:
        """Add a line with round ends."""
        self._shapes.append(
            f'<path d="M{x:g} {y:g}L{to_x:g} {to_y:g}" stroke="{colour}" stroke-width="{width:g}" '
            'stroke-linecap="round"/>'
        )

    def circle(self, x: float, y: float, radius: float, fill: str, edge: str = "none", width: float = 0.04) -> None:
        """Add a circle."""
        self._shapes.append(
            f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{fill}" stroke="{edge}" stroke-width="{width:g}"/>'
        )

    def outline(self, path: str, fill: str) -> None:
        """Add a filled outline, in SVG's path language."""
        self._shapes.append(f'<path d="{path}" fill="{fill}"/>')

    def write(
        self,
        x: float,
        y: float,
        words: str,
        size: float = 0.6,
        colour: str = INK,
        bold: bool = False,
        anchor: str = "middle",
    ) -> None:
        """Add words, centred at a point by default."""
        weight = ' font-weight="bold"' if bold else ""
        self._shapes.append(
            f'<text x="{x:g}" y="{y:g}" dy="0.36em" font-size="{size:g}" fill="{colour}" '
            f'text-anchor="{anchor}"{weight}>{escape(words)}</text>'
        )

    def svg(self) -> str:
        """Return the document."""
        width, height = self._width + 0.5, self._height + 0.5
        box = f"-0.25 -0.25 {width:g} {height:g}"
        size = f'width="{width * CELL_PIXELS:g}" height="{height * CELL_PIXELS:g}"'
        return "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="{box}" font-family="sans-serif">',
                f"<title>{escape(self._title)}</title>",
                f'<rect x="-0.25" y="-0.25" width="{width:g}" height="{height:g}" fill="{PAPER}"/>',
                *self._shapes,
                "</svg>",
                "",
            ]
        )
