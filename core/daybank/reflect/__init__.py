"""The reflect job: from new facts to suggested edits. It reads the files and writes none."""
