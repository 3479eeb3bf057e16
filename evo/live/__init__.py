"""What a person sees of experiments: their pictures, the report, and the page that follows them while they run."""
