"""Suggested edits: what they are, where they wait, and how an approved one reaches its page.

``proposal`` holds the values, ``rules`` says what may be suggested, ``hunks`` and ``merge`` work on
text alone, ``store`` keeps them, and ``apply`` is the only part that writes a person's page.
"""
