"""Time as people write it: "last week", "Nov 27–Dec 1, 2025", "since July".

Pure functions over text and an anchor day. No clock, no locale, no files.
"""

from daybank.dates.interval import DatePhrase, Interval

__all__ = ["DatePhrase", "Interval"]
