"""The tests: one folder a room, and `end_to_end`."""
