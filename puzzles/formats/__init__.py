"""File formats: one module per family, each converting text or bytes to a puzzle or a board's cells and back.

Every reader raises `PuzzleError` with the line or position of the first error.
Files count pieces, rows and columns from 1; the rest of the project counts from 0.
"""
