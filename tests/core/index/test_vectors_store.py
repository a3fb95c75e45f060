"""Vectors on disk: what was added is there, whatever happens while it is added."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from vector_tools import clustered, key, keys

from daybank.errors import Cancelled, IndexUnwritable
from daybank.index.vectors import VectorStore, WrongSpace, available, space_folder
from daybank.index.vectors import store as store_module

np = pytest.importorskip("numpy")

DIMENSION = 24


def make(folder: Path, dimension: int = DIMENSION) -> VectorStore:
    return VectorStore(folder / "space", "mini 1", dimension)


def likeness(store: VectorStore, key_: bytes, vector: object) -> float:
    """The cosine between what is stored for a key and what should be."""
    return float(likenesses(store, [key_], np.asarray(vector)[None])[0])


def likenesses(store: VectorStore, of: list[bytes], vectors: object) -> object:
    view = store.view()
    rows = view.rows_of(of)
    assert (rows >= 0).all()
    codes = view.codes[rows].astype(np.float32)
    return (codes * vectors).sum(1) / np.linalg.norm(codes, axis=1)


def holds(store: VectorStore, count: int, vectors: object) -> bool:
    """Whether keys 0 … count-1 are there with their own vectors."""
    return bool((likenesses(store, keys(0, count), vectors[:count]) > 0.999).all())  # type: ignore[index]


# -- the ordinary life of a store


def test_what_is_added_is_found_by_its_key_in_another_process_too(tmp_path: Path) -> None:
    vectors = clustered(50, DIMENSION)
    make(tmp_path).append(keys(0, 50), vectors)
    again = make(tmp_path)
    assert len(again) == 50
    assert again.view().keys_of(np.arange(50)) == keys(0, 50)
    assert holds(again, 50, vectors)
    assert again.is_sound()


def test_making_a_store_touches_no_file(tmp_path: Path) -> None:
    store = make(tmp_path)
    assert len(store) == 0
    assert store.missing(keys(0, 2)) == keys(0, 2)
    assert len(store.view()) == 0
    assert store.compact(set()) == 0
    assert list(tmp_path.iterdir()) == []


def test_missing_keys_come_in_order_and_once(tmp_path: Path) -> None:
    store = make(tmp_path)
    store.append(keys(0, 5), clustered(5, DIMENSION))
    asked = [key(9), key(3), key(7), key(9), key(0)]
    assert store.missing(asked) == [key(9), key(7)]


def test_keys_that_begin_alike_are_told_apart(tmp_path: Path) -> None:
    store = make(tmp_path)
    alike = [b"\0" * 8 + bytes([n]) * 8 for n in range(6)]
    store.append(alike[:4], clustered(4, DIMENSION))
    assert store.view().rows_of(alike).tolist() == [0, 1, 2, 3, -1, -1]
    store.append(alike[4:], clustered(2, DIMENSION))
    assert store.view().rows_of(alike).tolist() == [0, 1, 2, 3, 4, 5]


def test_a_key_is_stored_once_and_keeps_its_first_vector(tmp_path: Path) -> None:
    store = make(tmp_path)
    vectors = clustered(3, DIMENSION)
    store.append([key(0), key(1), key(0)], vectors)
    store.append([key(1), key(2)], vectors[[2, 2]])
    assert len(store) == 3
    assert likeness(store, key(0), vectors[0]) > 0.999
    assert likeness(store, key(1), vectors[1]) > 0.999


def test_another_dimension_is_refused_and_nothing_changes(tmp_path: Path) -> None:
    store = make(tmp_path)
    store.append(keys(0, 2), clustered(2, DIMENSION))
    for wrong in (clustered(2, DIMENSION + 1), clustered(3, DIMENSION), clustered(2, 24)[0]):
        with pytest.raises(ValueError, match="space of 24"):
            store.append(keys(2, 4), wrong)
    with pytest.raises(ValueError, match="16 bytes"):
        store.append([b"short"], clustered(1, DIMENSION))
    assert len(store) == 2


def test_two_spaces_are_never_mixed(tmp_path: Path) -> None:
    make(tmp_path).append(keys(0, 2), clustered(2, DIMENSION))
    for other in (
        VectorStore(tmp_path / "space", "mini 2", DIMENSION),
        VectorStore(tmp_path / "space", "mini 1", DIMENSION + 8),
    ):
        with pytest.raises(WrongSpace):
            other.view()
        with pytest.raises(WrongSpace):
            other.append(keys(2, 3), clustered(1, other.dimension))
    assert len(make(tmp_path)) == 2


def test_each_space_has_a_folder_that_every_system_can_name(tmp_path: Path) -> None:
    made = [space_folder(tmp_path, name, 384).name for name in ("A/b:c 1", "A/b:c 2", "小", "")]
    assert len(set(made)) == 4
    assert all(name.replace("-", "").isalnum() and name.isascii() for name in made)


def test_a_view_is_a_snapshot_and_the_store_tells_when_there_is_a_newer_one(
    tmp_path: Path,
) -> None:
    store, reader = make(tmp_path), make(tmp_path)
    store.append(keys(0, 3), clustered(3, DIMENSION))
    old = reader.view()
    assert reader.view() is old
    store.append(keys(3, 5), clustered(2, DIMENSION))
    assert reader.generation() != old.generation
    new = reader.view()
    assert (len(old), len(new)) == (3, 5)
    assert old.identity == new.identity


def test_a_vector_without_direction_is_kept_so_that_it_is_not_embedded_again(
    tmp_path: Path,
) -> None:
    store = make(tmp_path)
    odd = np.zeros((4, DIMENSION), dtype=np.float32)
    odd[1, 3], odd[2, 5], odd[3, 0] = np.nan, np.inf, 1e-42
    store.append(keys(0, 4), odd)
    assert store.missing(keys(0, 4)) == []
    assert (store.view().inverse > 0).tolist() == [False, False, False, True]


def test_what_cannot_be_written_is_said_to_a_person(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = make(tmp_path)
    store.append(keys(0, 2), clustered(2, DIMENSION))

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(store_module, "_write_at", full)
        with pytest.raises(IndexUnwritable, match="No space left"):
            store.append(keys(2, 4), clustered(2, DIMENSION))
    assert len(make(tmp_path)) == 2
    store.append(keys(2, 4), clustered(2, DIMENSION))
    assert len(make(tmp_path)) == 4


# -- compaction


def test_compaction_drops_what_no_text_uses_and_readers_keep_what_they_have(
    tmp_path: Path,
) -> None:
    vectors = clustered(40, DIMENSION)
    store, reader = make(tmp_path), make(tmp_path)
    store.append(keys(0, 40), vectors)
    old = reader.view()
    before = old.codes.copy()
    assert store.compact({key(n) for n in range(0, 40, 2)} | {key(99)}) == 20
    assert len(store) == 20
    assert store.missing(keys(0, 40)) == [key(n) for n in range(1, 40, 2)]
    assert all(likeness(store, key(n), vectors[n]) > 0.999 for n in range(0, 40, 2))
    assert (old.codes == before).all()
    new = reader.view()
    assert len(new) == 20
    assert new.identity != old.identity
    store.append(keys(1, 2), vectors[1:2])
    assert len(reader.view()) == 21
    if os.name == "posix":
        assert len(list((tmp_path / "space").iterdir())) == 2


def test_compaction_with_nothing_to_drop_changes_nothing(tmp_path: Path) -> None:
    store = make(tmp_path)
    store.append(keys(0, 5), clustered(5, DIMENSION))
    before = store.generation()
    assert store.compact(lambda _: True) == 0
    assert store.generation() == before
    assert store.compact(lambda key_: key_ != key(2)) == 1
    assert store.missing(keys(0, 5)) == [key(2)]
    assert store.compact(set()) == 4
    assert len(store) == 0


def test_compaction_that_is_stopped_or_fails_leaves_all_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = make(tmp_path)
    store.append(keys(0, 5), clustered(5, DIMENSION))
    before, files = store.generation(), sorted(os.listdir(tmp_path / "space"))
    stop = threading.Event()
    stop.set()
    with pytest.raises(Cancelled):
        store.compact({key(1)}, cancel=stop)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(store_module, "_write_slot", full)
    with pytest.raises(IndexUnwritable):
        store.compact({key(1)})
    assert store.generation() == before
    assert sorted(os.listdir(tmp_path / "space")) == files


# -- interruptions


class PowerCut(BaseException):
    pass


def test_a_write_cut_short_anywhere_leaves_the_store_before_or_after_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    vectors = clustered(30, DIMENSION)
    write_at = store_module._write_at
    outcomes = set()
    for step in range(3):
        for share in (0, 0.01, 0.3, 0.5, 0.97, 1):
            folder = tmp_path / f"{step}-{share}"
            store = make(folder)
            store.append(keys(0, 10), vectors[:10])
            calls = iter(range(100))

            def cut(
                file: object,
                position: int,
                data: bytes,
                step: int = step,
                share: float = share,
                calls: object = calls,
            ) -> None:
                if next(calls) != step:  # type: ignore[call-overload]
                    return write_at(file, position, data)  # type: ignore[arg-type]
                write_at(file, position, data[: int(len(data) * share)])  # type: ignore[arg-type]
                raise PowerCut

            with monkeypatch.context() as patch:
                patch.setattr(store_module, "_write_at", cut)
                with pytest.raises(PowerCut):
                    store.append(keys(10, 20), vectors[10:20])
            again = make(folder)
            outcomes.add(len(again))
            assert len(again) in (10, 20)
            assert holds(again, len(again), vectors)
            again.append(keys(5, 30), vectors[5:30])
            assert len(again) == 30
            assert holds(make(folder), 30, vectors)
            assert again.is_sound()
    assert outcomes == {10, 20}


WRITER = """
import sys
from pathlib import Path
from vector_tools import clustered, keys
from daybank.index.vectors import VectorStore
vectors = clustered(4000, 24)
store = VectorStore(Path(sys.argv[1]) / "space", "mini 1", 24)
start = len(store)
while start < 4000:
    stop = min(start + int(sys.argv[2]), 4000)
    store.append(keys(start, stop), vectors[start:stop])
    print(stop, flush=True)
    start = stop
"""


@pytest.mark.skipif(os.name != "posix", reason="kill -9 is said differently there")
def test_killed_while_it_writes_the_store_goes_on_from_what_was_said_to_be_there(
    tmp_path: Path,
) -> None:
    vectors = clustered(4000, DIMENSION)
    rng = random.Random(5)
    path = os.pathsep.join([str(Path(__file__).parent), *sys.path])
    for _ in range(4):
        writer = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(tmp_path), str(rng.choice([1, 7, 40]))],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": path},
        )
        assert writer.stdout is not None
        said = writer.stdout.readline()
        time.sleep(rng.uniform(0, 0.08))
        writer.send_signal(signal.SIGKILL)
        said += writer.stdout.read()
        writer.wait()
        writer.stdout.close()
        confirmed = [int(line) for line in said.splitlines(keepends=True) if line.endswith("\n")]
        store = make(tmp_path)
        assert len(store) >= confirmed[-1]
        assert holds(store, len(store), vectors)
        assert store.is_sound()
    assert len(store) < 4000


def test_readers_see_only_whole_rows_while_one_appends_and_compacts(tmp_path: Path) -> None:
    vectors = clustered(600, DIMENSION)
    make(tmp_path).append(keys(0, 1), vectors[:1])
    done = threading.Event()
    problems: list[str] = []
    seen: list[set[int]] = [set(), set()]

    def read(number: int) -> None:
        store = make(tmp_path)
        try:
            while True:
                last = done.is_set()
                view = store.view()
                seen[number].add(len(view))
                rows = view.rows_of(keys(0, 600))
                there = np.flatnonzero(rows >= 0)
                codes = view.codes[rows[there]].astype(np.float32)
                cosines = (codes * vectors[there]).sum(1) / np.linalg.norm(codes, axis=1)
                if len(there) != len(view) or cosines.min() < 0.999:
                    problems.append(f"{len(there)} of {len(view)}: {cosines.min()}")
                if last:
                    return
        except Exception as error:
            problems.append(repr(error))
            raise

    readers = [threading.Thread(target=read, args=(number,)) for number in range(2)]
    for reader in readers:
        reader.start()
    writer = make(tmp_path)
    for start in range(0, 600, 20):
        writer.append(keys(start, start + 20), vectors[start : start + 20])
        if start % 100 == 80:
            writer.compact(lambda key_: key_[0] % 8 != 0)
    done.set()
    for reader in readers:
        reader.join()
    assert problems == []
    assert all(len(counts) > 3 for counts in seen)


def test_a_reader_that_looks_while_an_epoch_is_replaced_looks_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, reader = make(tmp_path), make(tmp_path)
    store.append(keys(0, 10), clustered(10, DIMENSION))
    listed = reader._numbers("rows")
    store.compact(set(keys(0, 5)))
    stale = iter([listed])
    numbers = reader._numbers
    monkeypatch.setattr(reader, "_numbers", lambda *kinds: next(stale, None) or numbers(*kinds))
    assert len(reader) == 5


# -- damage


def files(folder: Path) -> tuple[Path, Path]:
    (codes,) = (folder / "space").glob("*.codes")
    (rows,) = (folder / "space").glob("*.rows")
    return codes, rows


@pytest.mark.parametrize("lost", [1, DIMENSION * 3 + 5, DIMENSION * 20, None])
@pytest.mark.parametrize("which", [0, 1])
def test_a_file_cut_short_loses_only_the_rows_that_are_gone(
    tmp_path: Path, which: int, lost: int | None
) -> None:
    vectors = clustered(30, DIMENSION)
    make(tmp_path).append(keys(0, 30), vectors)
    place = files(tmp_path)[which]
    os.truncate(place, 0 if lost is None else place.stat().st_size - lost)
    store = make(tmp_path)
    assert holds(store, len(store), vectors)
    assert not store.is_sound() or len(store) == 0
    left = store.missing(keys(0, 30))
    assert left == keys(len(store), 30)
    store.append(left, vectors[len(store) :])
    assert len(store) == 30
    assert holds(make(tmp_path), 30, vectors)
    assert store.is_sound()


def test_a_file_that_is_gone_means_embedding_again_and_nothing_worse(tmp_path: Path) -> None:
    vectors = clustered(10, DIMENSION)
    for which in (0, 1):
        make(tmp_path).append(keys(0, 10), vectors)
        files(tmp_path)[which].unlink()
        store = make(tmp_path)
        assert store.missing(keys(0, 10)) == keys(0, 10)
        store.append(keys(0, 10), vectors)
        assert holds(store, 10, vectors)


def test_rows_are_saved_when_both_counts_are_lost(tmp_path: Path) -> None:
    vectors = clustered(30, DIMENSION)
    make(tmp_path).append(keys(0, 25), vectors[:25])
    with files(tmp_path)[1].open("r+b") as file:
        file.seek(512)
        file.write(os.urandom(1024))
    store = make(tmp_path)
    assert len(store) == 0
    assert not store.is_sound()
    store.append(keys(20, 30), vectors[20:])
    assert len(store) == 30
    assert holds(make(tmp_path), 30, vectors)


def test_rubbish_anywhere_is_read_without_harm_and_mended_by_compaction(tmp_path: Path) -> None:
    vectors = clustered(200, DIMENSION)
    rng = random.Random(3)
    for trial in range(30):
        folder = tmp_path / str(trial)
        make(folder).append(keys(0, 200), vectors)
        place = rng.choice(files(folder))
        with place.open("r+b") as file:
            file.seek(rng.randrange(place.stat().st_size))
            file.write(rng.randbytes(rng.choice([1, 8, 300])))
        store = make(folder)
        view = store.view()
        assert np.isfinite(view.inverse).all()
        store.compact(set(keys(0, 200)))
        assert store.is_sound()
        gone = np.flatnonzero(store.view().rows_of(keys(0, 200)) < 0)
        store.append([key(int(number)) for number in gone], vectors[gone])
        assert len(store) == 200
        assert holds(store, 200, vectors)


def test_a_row_that_changed_on_disk_is_noticed_and_left_behind(tmp_path: Path) -> None:
    store = make(tmp_path)
    store.append(keys(0, 10), clustered(10, DIMENSION))
    with files(tmp_path)[0].open("r+b") as file:
        file.seek(4 * DIMENSION)
        file.write(b"\x01\x02\x03")
    assert not store.is_sound()
    assert store.compact(set(keys(0, 9))) == 2
    assert store.missing(keys(0, 10)) == [key(4), key(9)]
    assert store.is_sound()


# -- without the libraries


def test_the_module_costs_nothing_to_import_and_tells_what_is_missing() -> None:
    code = (
        "import sys, importlib.util as u; find = u.find_spec\n"
        "u.find_spec = lambda n, *a: None if n in ('numpy', 'usearch') else find(n, *a)\n"
        "import daybank.index.vectors as v\n"
        "there = v.available()\n"
        "print('numpy' in sys.modules, 'usearch' in sys.modules, there.search, there.graph)\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert run.stdout.split() == ["False"] * 4
    assert available().search
