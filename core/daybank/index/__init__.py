"""The search index: derived from the files, always rebuildable. The only part that knows SQL."""
