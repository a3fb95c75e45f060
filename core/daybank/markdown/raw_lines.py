"""A file's bytes by lines, so that an edit of some lines touches no other byte.

Decoding and encoding a whole file again would lose what the encoding cannot say twice: stray bytes,
marks in the middle, mixed line ends. Pure, so any thread may call it.
"""

from __future__ import annotations

import codecs
from collections.abc import Sequence
from dataclasses import dataclass

from daybank.markdown.document import decode

_MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


@dataclass(frozen=True, slots=True)
class RawLines:
    """The bytes between newlines. ``mark`` is the byte-order mark in front; the last piece is
    empty where the file ends with a newline. A carriage return belongs to its piece."""

    mark: bytes
    pieces: tuple[bytes, ...]
    newline: bytes
    codec: str

    @property
    def carriage_return(self) -> bytes:
        return self.encode("\r")

    def encode(self, text: str) -> bytes:
        """``text`` as it is written in the middle of this file. Raises ValueError when the file's
        encoding has not got its letters."""
        return text.encode(self.codec)

    def joined(self, pieces: Sequence[bytes]) -> bytes:
        """The file made of ``pieces`` instead of its own."""
        return self.mark + self.newline.join(pieces)


def split_raw(data: bytes) -> RawLines:
    """Cut ``data`` at its newlines; the pieces are the lines of ``decode(data).text`` in order.

    Raises ValueError for UTF-16 that ends in the middle of a character.
    """
    codec = _codec(data)
    mark = next((m for m in _MARKS if data.startswith(m)), b"")
    newline = "\n".encode(codec)
    if len(newline) == 1:
        return RawLines(mark, tuple(data[len(mark) :].split(newline)), newline, codec)
    if len(data) % 2:
        raise ValueError("half a character at the end")
    pieces = []
    start = at = len(mark)
    while (at := data.find(newline, at)) >= 0:
        if at % 2:
            at += 1
            continue
        pieces.append(data[start:at])
        start = at = at + 2
    return RawLines(mark, (*pieces, data[start:]), newline, codec)


def _codec(data: bytes) -> str:
    """The codec that writes what belongs into the middle of the file: no mark."""
    encoding = decode(data).encoding
    if encoding == "utf-16":
        return "utf-16-le" if data.startswith(codecs.BOM_UTF16_LE) else "utf-16-be"
    return "utf-8" if encoding == "utf-8-sig" else encoding
