"""Settings of evolution past the paper."""
