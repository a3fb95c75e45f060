"""Ends a wait of another thread that waits for sockets."""

from __future__ import annotations

import socket


class Waker:
    """The waiting thread selects on ``end`` too. :meth:`wake` may be called from any thread."""

    def __init__(self) -> None:
        self.end, self._far_end = socket.socketpair()
        self.end.setblocking(False)
        self._far_end.setblocking(False)

    def wake(self) -> None:
        try:
            self._far_end.send(b"!")
        except OSError:  # full, so it will wake; or closed, so nobody waits
            return

    def clear(self) -> None:
        try:
            while self.end.recv(64):
                pass
        except OSError:
            return

    def close(self) -> None:
        self.end.close()
        self._far_end.close()
