"""Daybank's place in the tray: its icon, its menu, and what happens where there is none."""
