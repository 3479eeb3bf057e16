"""The evolutionary algorithms and what runs them: the problem, both engines, toolboxes, and searches made of these."""
