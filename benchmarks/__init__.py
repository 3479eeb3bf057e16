"""Speed, measured side by side in one run, so that a busy machine slows both sides. `make bench` runs all of it."""
