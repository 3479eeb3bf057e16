"""Regions solved to proof, compiled: strips, rectangles and the border ring, which constructors and searches share."""
