"""The vectors of one space on disk: written at the end, seen by readers only when they are safe.

An **epoch** is two files. ``vectors-N.codes`` holds one int8 row after the other, nothing else, and
is mapped into memory. ``vectors-N.rows`` holds, after a page of header, 24 bytes for each row: the
key, the code's inverse length, a checksum. The header has two slots that take turns; each says
how many rows there are, with a checksum of its own. To append is to write rows behind the last one
that counts, have the disk confirm them, then write the older slot. Killed at any byte, the newer
slot that is whole still tells the truth, and what was half written is written over next time.

Rows of an epoch never move. Compaction writes the next epoch beside it; the ``.rows`` file gets its
name last, and from then on is the one that readers open. A view that is open keeps the files it
has, also where the system cannot delete a file in use: what could not be deleted is tried again.

A store may be used from several threads. Several processes may read; the one that writes holds the
index's lease.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import os
import re
import struct
import threading
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING

from daybank.errors import IndexUnwritable
from daybank.index.vectors.codes import quantise
from daybank.progress import CancelToken, check_cancel
from daybank.workspace import make_below

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from daybank.index.vectors.codes import Codes, Floats
    from daybank.index.vectors.exact import Rows

Key = bytes
KEY_BYTES = 16

_MAGIC = b"DAYBANKV"
_FORMAT = 1
_HEADER = 4096
_STATIC = struct.Struct("<8sII16s16sI")  # magic, format, dimension, identity, space, checksum
_SLOT = struct.Struct("<QQI")  # sequence, count, checksum
_SLOT_AT = (512, 1024)  # sectors of their own: a torn write spoils one
_ROW_BYTES = KEY_BYTES + 4 + 4
_NAME = re.compile(r"vectors-(\d{1,18})\.(rows|codes|rows\.new)")
_COPY_ROWS = 8_192


class WrongSpace(ValueError):
    """The folder holds vectors of another model, version or dimension. A bug of the caller."""


def space_folder(root: Path, space_key: str, dimension: int) -> Path:
    """A folder of its own for each space under ``root``, named safely on every system."""
    plain = re.sub(r"[^a-z0-9]+", "-", space_key.lower()).strip("-")[:40]
    return root / f"{plain or 'space'}-{dimension}-{_space_hash(space_key)[:4].hex()}"


@dataclass(frozen=True, slots=True)
class _Epoch:
    """What the files of one epoch say of themselves, read in one go."""

    number: int
    identity: bytes
    sequence: int
    count: int
    """Rows that are safe to read."""
    damaged: bool
    """Less is there than was promised, or neither slot is whole."""

    def codes(self, folder: Path) -> Path:
        return folder / f"vectors-{self.number}.codes"

    def rows(self, folder: Path) -> Path:
        return folder / f"vectors-{self.number}.rows"


class VectorView:
    """An immutable snapshot: rows 0 … n-1, mapped. Any number of threads may use it."""

    def __init__(
        self, codes: Codes, records: npt.NDArray[np.void], identity: str, generation: str
    ) -> None:
        import numpy as np

        self.codes = codes
        """One int8 row per vector."""
        self.identity = identity
        """Row numbers mean the same in all views with this identity."""
        self.generation = generation
        """Different after every change."""
        self._keys = records["key"]
        dimension = codes.shape[1]
        inverse = np.array(records["inverse"], dtype=np.float32)
        # The longest code is 127 throughout, the shortest has it once; all else is damage.
        with np.errstate(invalid="ignore"):
            good = (inverse >= 0.99 / (127 * dimension**0.5)) & (inverse <= 1.01 / 127)
        inverse[~good] = 0
        self.inverse = inverse
        """The inverse of each code's length; 0 for a row without a direction."""
        self.has_void = not bool(good.all())
        self._table: _KeyTable | None = None
        self._grown_from: _KeyTable | None = None
        self._guard = threading.Lock()

    def __len__(self) -> int:
        return len(self.codes)

    @property
    def dimension(self) -> int:
        return int(self.codes.shape[1])

    def keys_of(self, rows: Rows) -> list[Key]:
        """The keys of ``rows``, in their order."""
        raw = self._keys[rows].tobytes()
        return [raw[at : at + KEY_BYTES] for at in range(0, len(raw), KEY_BYTES)]

    def rows_of(self, keys: Sequence[Key]) -> Rows:
        """The row of each key, in their order; -1 for one that has no vector here."""
        import numpy as np

        if not len(self) or not keys:
            return np.full(len(keys), -1, dtype=np.int64)
        return self._lookup().find(_as_words(keys))

    def _lookup(self) -> _KeyTable:
        with self._guard:
            if self._table is None:
                older, words = self._grown_from, _words(self._keys)
                self._table = older.grown(words) if older is not None else _KeyTable.of(words)
                self._grown_from = None
            return self._table

    def _grows_from(self, older: VectorView) -> None:
        """Let the table of an older view of the same rows spare the work for those."""
        self._grown_from = older._table or older._grown_from


class VectorStore:
    """The vectors of one space in ``folder``. The constructor touches no file."""

    def __init__(self, folder: Path, space_key: str, dimension: int) -> None:
        if dimension < 1:
            raise ValueError("a vector has at least one dimension")
        self.folder = folder
        self.dimension = dimension
        self._space = _space_hash(space_key)
        self._guard = threading.RLock()
        self._view: VectorView | None = None

    def __len__(self) -> int:
        epoch = self._epoch()
        return epoch.count if epoch else 0

    # -- reading

    def generation(self) -> str:
        """A text that is different after every change; costs one small read."""
        return _generation(self._epoch())

    def view(self) -> VectorView:
        """The newest snapshot; the same object as long as nothing changed."""
        with self._guard:
            for attempt in itertools.count():
                epoch = self._epoch()
                if self._view is not None and self._view.generation == _generation(epoch):
                    return self._view
                try:
                    fresh = self._map(epoch)
                except FileNotFoundError:
                    if attempt < 20:  # a writer put the next epoch in its place just now
                        continue
                    raise
                if self._view is not None and self._view.identity == fresh.identity:
                    fresh._grows_from(self._view)
                self._view = fresh
                return fresh
        raise AssertionError

    def missing(self, keys: Iterable[Key]) -> list[Key]:
        """Those of ``keys`` that have no vector yet, in order, without repetition."""
        wanted = list(dict.fromkeys(keys))
        rows = self.view().rows_of(wanted)
        return [key for key, row in zip(wanted, rows.tolist(), strict=True) if row < 0]

    def is_sound(self, cancel: CancelToken | None = None) -> bool:
        """Whether every row is what was written. Reads everything."""
        epoch = self._epoch()
        if epoch is None:
            return True
        if epoch.damaged:
            return False
        sound = sum(len(rows) for _, rows in self._sound_rows(epoch, None, cancel))
        return sound == epoch.count

    # -- writing (the caller holds the lease)

    def append(self, keys: Sequence[Key], vectors: npt.NDArray[np.floating]) -> None:
        """Add vectors; a key that is there already, or a second time in ``keys``, is passed over.

        They count all at once or not at all, and the disk has them when this returns. Raises
        IndexUnwritable (a full disk, no permission); what was there before is untouched.
        """
        import numpy as np

        vectors = np.asarray(vectors)
        if vectors.ndim != 2 or vectors.shape != (len(keys), self.dimension):
            raise ValueError(
                f"{len(keys)} keys and vectors of shape {vectors.shape}"
                f" in a space of {self.dimension}"
            )
        places = {key: place for place, key in reversed(list(enumerate(keys)))}
        if any(len(key) != KEY_BYTES for key in places):
            raise ValueError(f"a key has {KEY_BYTES} bytes")
        with self._guard, self._explained():
            epoch = self._writable_epoch()
            chosen = [places[key] for key in self.missing(keys)]
            if not chosen:
                return
            codes, inverse = quantise(vectors[chosen])
            records = _records([keys[place] for place in chosen], codes, inverse)
            with epoch.codes(self.folder).open("r+b") as file:
                _write_at(file, epoch.count * self.dimension, codes.tobytes())
            with epoch.rows(self.folder).open("r+b") as file:
                _write_at(file, _HEADER + epoch.count * _ROW_BYTES, records.tobytes())
                _write_slot(file, epoch.identity, epoch.sequence + 1, epoch.count + len(chosen))

    def compact(
        self,
        keep: Callable[[Key], bool] | Collection[Key],
        cancel: CancelToken | None = None,
    ) -> int:
        """Drop the vectors that ``keep`` does not name, and damaged ones; how many went.

        Rows get new numbers when any went, so a graph over them must be built again.
        """
        with self._guard, self._explained():
            before = self._epoch()
            if before is None:
                return 0
            epoch = self._rewrite(before, None, cancel) if before.damaged else before
            view = self.view()
            rows = _kept_rows(view, keep)
            if len(rows) < len(view) or not self.is_sound(cancel):
                epoch = self._rewrite(epoch, rows, cancel)
            return max(before.count - epoch.count, 0)

    # -- epochs

    def _epoch(self) -> _Epoch | None:
        """The newest epoch whose header is whole."""
        numbers = self._numbers("rows")
        while True:
            for number in sorted(numbers, reverse=True):
                epoch = self._read(number)
                if epoch is not None:
                    return epoch
            # A writer may have put the next epoch in place while this looked at the last one.
            again = self._numbers("rows")
            if again == numbers:
                return None
            numbers = again

    def _numbers(self, *kinds: str) -> set[int]:
        try:
            names = [_NAME.fullmatch(name) for name in os.listdir(self.folder)]
        except FileNotFoundError:
            return set()
        return {int(name[1]) for name in names if name and name[2] in kinds}

    def _read(self, number: int) -> _Epoch | None:
        place = self.folder / f"vectors-{number}.rows"
        try:
            with place.open("rb") as file:
                header = file.read(_HEADER)
                row_bytes = os.fstat(file.fileno()).st_size - _HEADER
            code_bytes = place.with_suffix(".codes").stat().st_size
        except FileNotFoundError:
            return None
        if len(header) < _HEADER:
            return None
        magic, version, dimension, identity, space, check = _STATIC.unpack_from(header)
        if magic != _MAGIC or version != _FORMAT or zlib.crc32(header[: _STATIC.size - 4]) != check:
            return None
        if (space, dimension) != (self._space, self.dimension):
            raise WrongSpace(f"{self.folder} holds another space (of {dimension} dimensions)")
        there = min(row_bytes // _ROW_BYTES, code_bytes // dimension)
        promised = max(
            (
                (sequence, count)
                for sequence, count, check in (_SLOT.unpack_from(header, at) for at in _SLOT_AT)
                if check == _slot_check(identity, sequence, count)
            ),
            default=None,
        )
        if promised is None:
            return _Epoch(number, identity, 0, 0, damaged=True)
        sequence, count = promised
        return _Epoch(number, identity, sequence, min(count, there), damaged=there < count)

    def _map(self, epoch: _Epoch | None) -> VectorView:
        import numpy as np

        if epoch is None or epoch.count == 0:
            codes = np.empty((0, self.dimension), dtype=np.int8)
            records = np.empty(0, dtype=_record_type())
        else:
            codes, records = self._map_rows(epoch, epoch.count)
        identity = epoch.identity.hex() if epoch else ""
        return VectorView(codes, records, identity, _generation(epoch))

    def _map_rows(self, epoch: _Epoch, count: int) -> tuple[Codes, npt.NDArray[np.void]]:
        import numpy as np

        codes = np.memmap(
            epoch.codes(self.folder), dtype=np.int8, mode="r", shape=(count, self.dimension)
        )
        records = np.memmap(
            epoch.rows(self.folder), dtype=_record_type(), mode="r", offset=_HEADER, shape=(count,)
        )
        return np.asarray(codes), np.asarray(records)

    def _writable_epoch(self) -> _Epoch:
        """An epoch that can be appended to, mended or made when there is none."""
        make_below(self.folder.parent.parent, self.folder)
        epoch = self._epoch()
        if epoch is not None and not epoch.damaged:
            self._sweep(epoch.number)
            return epoch
        return self._rewrite(epoch, None, None)

    def _rewrite(self, old: _Epoch | None, rows: Rows | None, cancel: CancelToken | None) -> _Epoch:
        """The next epoch, with ``rows`` of ``old`` (None: all that can be saved) in their order."""
        number = max(self._numbers("rows", "codes", "rows.new"), default=0) + 1
        identity = os.urandom(16)
        new = _Epoch(number, identity, 1, 0, damaged=False)
        unnamed = new.rows(self.folder).with_suffix(".rows.new")
        count = 0
        try:
            with new.codes(self.folder).open("wb") as codes_file, unnamed.open("wb") as rows_file:
                rows_file.write(self._header(identity))
                if old is not None:
                    for codes, records in self._sound_rows(old, rows, cancel):
                        codes_file.write(codes.tobytes())
                        rows_file.write(records.tobytes())
                        count += len(records)
                _sync(codes_file)
                _write_slot(rows_file, identity, 1, count)
            _sync_folder(self.folder)
            os.replace(unnamed, new.rows(self.folder))
        except BaseException:
            for place in (unnamed, new.codes(self.folder)):
                with contextlib.suppress(OSError):
                    place.unlink()
            raise
        _sync_folder(self.folder)
        self._sweep(number)
        return _Epoch(number, identity, 1, count, damaged=False)

    def _header(self, identity: bytes) -> bytes:
        static = _STATIC.pack(_MAGIC, _FORMAT, self.dimension, identity, self._space, 0)[:-4]
        return (static + zlib.crc32(static).to_bytes(4, "little")).ljust(_HEADER, b"\0")

    def _sound_rows(
        self, epoch: _Epoch, rows: Rows | None, cancel: CancelToken | None
    ) -> Iterator[tuple[Codes, npt.NDArray[np.void]]]:
        """Codes and records, a few thousand at a time, of those whose checksum holds."""
        import numpy as np

        row_bytes = max(epoch.rows(self.folder).stat().st_size - _HEADER, 0)
        code_bytes = epoch.codes(self.folder).stat().st_size
        # Beyond the last row that counts may lie rows whose slot is lost: they are as good.
        there = min(row_bytes // _ROW_BYTES, code_bytes // self.dimension)
        if not epoch.damaged:
            there = epoch.count
        if not there:
            return
        codes, records = self._map_rows(epoch, there)
        wanted = _first_of_each(records["key"]) if rows is None else rows
        for start in range(0, len(wanted), _COPY_ROWS):
            check_cancel(cancel)
            part = wanted[start : start + _COPY_ROWS]
            some_codes, some = np.take(codes, part, axis=0), np.take(records, part)
            sound = some["check"] == _checks(some, some_codes)
            yield some_codes[sound], some[sound]

    def _sweep(self, current: int) -> None:
        """Delete what other epochs left behind; a file in use is tried again another time."""
        for name in os.listdir(self.folder):
            match = _NAME.fullmatch(name)
            if match and (int(match[1]) != current or match[2] == "rows.new"):
                with contextlib.suppress(OSError):
                    (self.folder / name).unlink()

    @contextlib.contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise IndexUnwritable(
                "What texts mean cannot be saved.",
                f"{error.strerror or error} (“{self.folder}”). Search by words works meanwhile,"
                " and your notes are untouched.",
            ) from error


class _KeyTable:
    """Keys as two 64-bit words, the first sorted: 12 bytes a key, where a dict needs a hundred."""

    def __init__(
        self,
        words: npt.NDArray[np.uint64],
        first: npt.NDArray[np.uint64],
        rows: npt.NDArray[np.int32],
    ) -> None:
        self._words = words
        self._first = first
        self._rows = rows

    @classmethod
    def of(cls, words: npt.NDArray[np.uint64]) -> _KeyTable:
        import numpy as np

        first = words[:, 0]
        order = np.argsort(first, kind="stable").astype(np.int32)
        return cls(words, first[order], order)

    def grown(self, words: npt.NDArray[np.uint64]) -> _KeyTable:
        """This table for the same keys and some behind them."""
        import numpy as np

        had = len(self._rows)
        new = words[had:, 0]
        order = np.argsort(new, kind="stable").astype(np.int32)
        at = np.searchsorted(self._first, new[order], side="right")
        return _KeyTable(
            words,
            np.insert(self._first, at, new[order]),
            np.insert(self._rows, at, order + had),
        )

    def find(self, wanted: npt.NDArray[np.uint64]) -> Rows:
        import numpy as np

        found = np.full(len(wanted), -1, dtype=np.int64)
        at = np.searchsorted(self._first, wanted[:, 0], side="left")
        end = np.searchsorted(self._first, wanted[:, 0], side="right")
        # Nearly always one turn: keys are hashes, and few share their first eight bytes.
        open_ = np.flatnonzero(at < end)
        while len(open_):
            rows = self._rows[at[open_]]
            same = self._words[rows, 1] == wanted[open_, 1]
            found[open_[same]] = rows[same]
            at[open_] += 1
            open_ = open_[~same & (at[open_] < end[open_])]
        return found


def _space_hash(space_key: str) -> bytes:
    return hashlib.blake2b(space_key.encode("utf-8"), digest_size=16).digest()


def _generation(epoch: _Epoch | None) -> str:
    return f"{epoch.identity.hex()}-{epoch.sequence}-{epoch.count}" if epoch else ""


def _record_type() -> np.dtype[np.void]:
    import numpy as np

    return np.dtype([("key", f"V{KEY_BYTES}"), ("inverse", "<f4"), ("check", "<u4")])


def _records(keys: Sequence[Key], codes: Codes, inverse: Floats) -> npt.NDArray[np.void]:
    import numpy as np

    records = np.zeros(len(keys), dtype=_record_type())
    records["key"] = np.frombuffer(b"".join(keys), dtype=f"V{KEY_BYTES}")
    records["inverse"] = inverse
    records["check"] = _checks(records, codes)
    return records


def _checks(records: npt.NDArray[np.void], codes: Codes) -> npt.NDArray[np.uint32]:
    """One checksum for each row, over its key, its inverse length and its codes."""
    import numpy as np

    heads, tails = records.tobytes(), codes.tobytes()
    size = codes.shape[1]
    sums = (
        zlib.crc32(
            tails[row * size : (row + 1) * size],
            zlib.crc32(heads[row * _ROW_BYTES : row * _ROW_BYTES + KEY_BYTES + 4]),
        )
        for row in range(len(records))
    )
    return np.fromiter(sums, dtype=np.uint32, count=len(records))


def _words(keys: npt.NDArray[np.void]) -> npt.NDArray[np.uint64]:
    """Keys as rows of two 64-bit words."""
    import numpy as np

    return np.ascontiguousarray(keys).view(np.uint64).reshape(-1, 2)


def _as_words(keys: Sequence[Key]) -> npt.NDArray[np.uint64]:
    import numpy as np

    if set(map(len, keys)) - {KEY_BYTES}:
        raise ValueError(f"a key has {KEY_BYTES} bytes")
    return np.frombuffer(b"".join(keys), dtype=np.uint64).reshape(-1, 2)


def _kept_rows(view: VectorView, keep: Callable[[Key], bool] | Collection[Key]) -> Rows:
    import numpy as np

    if callable(keep):
        flags = [
            keep(key)
            for start in range(0, len(view), _COPY_ROWS)
            for key in view.keys_of(np.arange(start, min(start + _COPY_ROWS, len(view))))
        ]
        return np.flatnonzero(flags)
    rows = view.rows_of(list(keep))
    return np.unique(rows[rows >= 0])


def _first_of_each(keys: npt.NDArray[np.void]) -> Rows:
    """The rows of ``keys`` without those whose key came before."""
    import numpy as np

    _, rows = np.unique(_words(keys), axis=0, return_index=True)
    return np.sort(rows).astype(np.int64)


def _slot_check(identity: bytes, sequence: int, count: int) -> int:
    return zlib.crc32(identity + struct.pack("<QQ", sequence, count))


def _write_slot(file: IO[bytes], identity: bytes, sequence: int, count: int) -> None:
    """Only once the rows are safe: the slot that is older now, then the disk's word for it."""
    _sync(file)
    slot = _SLOT.pack(sequence, count, _slot_check(identity, sequence, count))
    _write_at(file, _SLOT_AT[sequence % 2], slot)


def _write_at(file: IO[bytes], position: int, data: bytes) -> None:
    file.seek(position)
    file.write(data)
    _sync(file)


def _sync(file: IO[bytes]) -> None:
    file.flush()
    os.fsync(file.fileno())


def _sync_folder(folder: Path) -> None:
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
