"""Suggested edits of a person's pages: kept, shown, decided, applied and taken back."""
