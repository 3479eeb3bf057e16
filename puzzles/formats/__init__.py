"""The file formats: one module each, from text or bytes to a puzzle or a board's cells, and back.

Every reader raises `PuzzleError` with the line or position of the first thing that is wrong, and returns nothing then.
Files count pieces, rows and columns from 1, as people do; the rest of the project counts from 0.
"""
