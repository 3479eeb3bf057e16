"""Colours for colours: 22 that stay apart for normal, red-blind and green-blind eyes, and more when a puzzle has more.

Found by simulated annealing for the largest smallest distance in OKLab, over normal vision and the Machado (2009)
simulations of protanopia and deuteranopia, also from black, white and the frame's grey; in the order that makes the
first few of them the most different. A test measures the distances.
"""

import colorsys

FRAME = "#999999"
"""Grey, colour 0."""
EMPTY_CELL = "#f4f4f4"
DISTINCT = [
    "#f7f51a",
    "#050558",
    "#e255d4",
    "#874915",
    "#adddf8",
    "#b9a11d",
    "#5712d5",
    "#0bd4a5",
    "#0a3c08",
    "#14569a",
    "#7e0c41",
    "#d00559",
    "#cb5a0b",
    "#9afab5",
    "#3497fa",
    "#a5629b",
    "#080ba9",
    "#9436fa",
    "#4b2174",
    "#a6d519",
    "#cea6e8",
    "#08715f",
]


def colour_hex(colour: int) -> str:
    """The colour to draw a side in, as #rrggbb."""
    if colour == 0:
        return FRAME
    if colour <= len(DISTINCT):
        return DISTINCT[colour - 1]
    # Beyond what eyes can keep apart: golden steps around the hue circle, in three lightnesses.
    extra = colour - len(DISTINCT)
    red, green, blue = colorsys.hls_to_rgb(extra * 0.618034 % 1, (0.35, 0.55, 0.75)[extra % 3], 0.7)
    return f"#{round(255 * red):02x}{round(255 * green):02x}{round(255 * blue):02x}"


def colour_rgb(colour: int) -> tuple[int, int, int]:
    """The colour to draw a side in, as three numbers within 0..255."""
    text = colour_hex(colour)
    return int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16)
