"""Texts into vectors, on this computer only: what makes a search by meaning possible."""
