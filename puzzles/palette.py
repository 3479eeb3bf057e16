"""The palette: 22 display colours that are distinguishable with and without red-green colour blindness, and more.

The colours were found by simulated annealing that maximised the smallest distance in OKLab between any two of them, and
to black, white and the frame's grey, over normal vision and the Machado (2009) simulations of protanopia and
deuteranopia. They are ordered so that the first few differ most. A test measures the distances.
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
    """Return the display colour of a side as #rrggbb."""
    if colour == 0:
        return FRAME
    if colour <= len(DISTINCT):
        return DISTINCT[colour - 1]
    # More colours than eyes can tell apart: golden-ratio steps around the hue circle, in three lightnesses.
    extra = colour - len(DISTINCT)
    red, green, blue = colorsys.hls_to_rgb(extra * 0.618034 % 1, (0.35, 0.55, 0.75)[extra % 3], 0.7)
    return f"#{round(255 * red):02x}{round(255 * green):02x}{round(255 * blue):02x}"


def colour_rgb(colour: int) -> tuple[int, int, int]:
    """Return the display colour of a side as red, green and blue within 0..255."""
    text = colour_hex(colour)
    return int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16)
