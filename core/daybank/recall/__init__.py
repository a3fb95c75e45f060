"""Question → cited passages. Reads the index, never the files, and writes nothing."""
