"""The window over a folder of notes: PySide6 Widgets on top of the `daybank` library."""
