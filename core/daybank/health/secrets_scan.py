"""Passwords and keys that stand in the notes in plain text. Tells where, and never what.

Reads every file once; afterwards only those that the index read anew.
"""

from __future__ import annotations

import threading
from collections import Counter

from daybank.errors import DaybankError
from daybank.health.report import HealthCheck
from daybank.index.store import IndexStore
from daybank.markdown.chatlog import parse_chat
from daybank.markdown.document import decode
from daybank.markdown.model import Role
from daybank.progress import CancelToken, check_cancel
from daybank.secrets import find_secrets
from daybank.workspace import WorkspaceFolder

Found = tuple[tuple[int, str], ...]
"""The line of each secret in a file, and what it is."""


class SecretScan:
    """Looks through the files of one workspace. Any thread may use it; it remembers the lines that
    hold a secret, never the secrets."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._known: dict[str, tuple[bytes, Found]] = {}

    def check(
        self, folder: WorkspaceFolder, store: IndexStore, cancel: CancelToken | None = None
    ) -> HealthCheck:
        """The finding for the files that the index knows, as they are now. What was read before
        it was cancelled need not be read again. Raises Cancelled."""
        hashes = store.hashes()
        sources: dict[str, None] = {}
        kinds: Counter[str] = Counter()
        with self._guard:
            seen: dict[str, tuple[bytes, Found]] = {}
            for path, role in store.files():
                check_cancel(cancel)
                digest = hashes[path][0] if path in hashes else b""
                known = self._known.get(path)
                if known is None or known[0] != digest:
                    found = _secrets_in(folder, path, role)
                    if found is None:  # another check tells of it
                        continue
                    known = self._known[path] = (digest, found)
                seen[path] = known
                for line, what in known[1]:
                    sources.setdefault(f"{path}#L{line}")
                    kinds[what] += 1
            self._known = seen
        if not sources:
            return HealthCheck("secrets", "ok", "No passwords or keys stand in the notes.")
        return HealthCheck("secrets", "warning", _told(kinds), tuple(sources))


def _secrets_in(folder: WorkspaceFolder, path: str, role: Role) -> Found | None:
    """What a file holds; None where it cannot be read."""
    try:
        data = folder.read_bytes(path)
    except DaybankError:
        return None
    if role is Role.CHAT:
        messages = parse_chat(path, data).passages
        return tuple(
            (message.source.line_start, secret.what)
            for message in messages
            for secret in find_secrets(message.content)
        )
    text = decode(data).text
    return tuple((text.count("\n", 0, s.start) + 1, s.what) for s in find_secrets(text))


def _told(kinds: Counter[str]) -> str:
    parts = [
        f"{what} ({count} times)" if count > 1 else what for what, count in sorted(kinds.items())
    ]
    listed = f"{', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else parts[0]
    verb = "stand" if kinds.total() > 1 else "stands"
    return (
        f"What looks like {listed} {verb} in the notes in plain text."
        " Packets and suggestions show [hidden] instead; the notes stay as they are."
    )
