"""Telling a person who does not look: what is worth it (``policy``), in which words (``words``), by
which means of the system (``freedesktop``, ``balloon``), joined by ``notifier``."""
