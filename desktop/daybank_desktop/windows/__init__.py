"""Top-level windows."""
