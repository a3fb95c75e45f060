"""Whatever was done to the files in whatever order, the index equals one made from scratch."""

from __future__ import annotations

import contextlib
import os
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from index_tools import NOON, assert_equals_rebuild

from daybank import Cancelled, open_workspace
from daybank.index import sync as sync_module
from daybank.progress import Progress

FACT = "## Retain\n\n- W @Mara: Was in Lyon (Nov 3, 2025).\n- B @Peter @mara: Ate figs.\n"
TEXTS = [
    "",
    "- a walk by the sea with @Mara\n",
    "- a swim in the sea with @Mara\n",
    FACT,
    FACT.replace("Nov 3", "Nov 9"),
    "## Retain\n\n- S @Mara: Travelled (memory/2025-11-27.md#L3), gladly.\n- W@Mara: not a note\n",
    "## Retain\n\n- S @Mara: Travelled, in May 2024 (memory/2025-11-28.md#L3).\n",
    "- O(c=0.8) @Peter: Likes the sea.\n- O(c=9) @Peter: Broken number.\n",
    "---\ntitle: Mara\naliases: [Mariechen]\ntype: person\n---\n\nMara is tall.\n",
    "---\ntitle: Peter\naliases: [Mara]\n---\n\n- A neighbour.\n",
    "A paragraph on 散歩 and Ψυχή.\n\n| Thing | Cost |\n|---|---|\n| Figs | 3 |\n",
    '{"ts": "2025-11-27T23:30:00+00:00", "direction": "in", "chat_id": 1, "user_id": 1,'
    ' "text": "to the sea"}\n'
    '{"ts": "2025-11-28T01:30:00+00:00", "direction": "in", "chat_id": 1, "user_id": 2,'
    ' "text": "figs?"}\n{"torn',
    '{"owner_id": 1}',
    '{"owner_id": 2}',
]
PLACES = [
    "memory.md",
    "memory/2025-11-27.md",
    "memory/2025-11-28.md",
    "memory/2025-11-27 (1).md",
    "bank/opinions.md",
    "bank/entities/Mara.md",
    "bank/entities/x.md",
    "sub/notes.txt",
    "logs/chat.jsonl",
    "state/state.json",
]
QUERIES = ["sea", "Mara", "what does Peter like", "figs in November 2025", "散歩", "travelled"]

place = st.sampled_from(PLACES)
step = st.one_of(
    st.tuples(st.just("write"), place, st.integers(0, len(TEXTS) - 1)),
    st.tuples(st.just("same size"), place, st.integers(0, len(TEXTS) - 1)),
    st.tuples(st.just("append"), place, st.integers(0, len(TEXTS) - 1)),
    st.tuples(st.just("delete"), place, st.just(0)),
    st.tuples(st.just("touch"), place, st.just(0)),
    st.tuples(st.just("rename"), place, st.integers(0, len(PLACES) - 1)),
    st.tuples(st.just("link"), place, st.integers(0, len(PLACES) - 1)),
    st.tuples(st.just("sync"), st.just(""), st.just(0)),
    st.tuples(st.just("sync"), place, st.just(0)),
    st.tuples(st.just("sync"), st.sampled_from(["memory", "bank", "sub"]), st.just(0)),
    st.tuples(st.just("stop"), st.just(""), st.integers(0, 4)),
    st.tuples(st.just("rebuild"), st.just(""), st.just(0)),
)


@pytest.fixture
def _trusting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is read whose stat is the same, as with files that are old."""
    monkeypatch.setattr(sync_module, "_RACY_NS", -(10**15))


@settings(max_examples=40)
@given(st.lists(step, max_size=14))
def test_any_history_ends_like_a_rebuild(history: list[tuple[str, str, int]]) -> None:
    _live(history, wait=0.0)


@settings(max_examples=20)
@given(st.lists(step, max_size=12))
@pytest.mark.usefixtures("_trusting")
def test_any_history_of_old_files_ends_like_a_rebuild(
    history: list[tuple[str, str, int]],
) -> None:
    _live(history, wait=0.012)  # longer than the clock of the file system ticks


def _live(history: list[tuple[str, str, int]], *, wait: float) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "notes"
        for name in PLACES:
            (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / "memory/2025-11-27.md").write_text(FACT)
        (root / "logs/chat.jsonl").write_text(TEXTS[11])
        with open_workspace(root, clock=NOON) as ws:
            ws.sync()
            for what, name, number in history:
                if what == "sync":
                    ws.sync(within=name)
                elif what == "rebuild":
                    ws.sync(rebuild=True)
                elif what == "stop":
                    _sync_and_stop(ws.sync, number)
                else:
                    time.sleep(wait)
                    _do(root, what, name, number)
            ws.sync()
            assert_equals_rebuild(ws, Path(folder) / "clean", QUERIES)
            assert ws._index.is_sound()


def _do(root: Path, what: str, name: str, number: int) -> None:
    here = root / name
    if what == "write":
        here.unlink(missing_ok=True)
        here.write_text(TEXTS[number])
    elif not here.exists():
        return
    elif what == "same size":
        stat = here.stat()
        text = TEXTS[number].encode()[: stat.st_size]
        here.write_bytes(text + b"\n" * (stat.st_size - len(text)))
        os.utime(here, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    elif what == "append":
        with open(here, "a", encoding="utf-8") as file:
            file.write(TEXTS[number])
    elif what == "delete":
        here.unlink()
    elif what == "touch":
        os.utime(here, (number + 1, number + 1))
    elif what == "rename":
        here.replace(root / PLACES[number])
    elif what == "link" and not (root / PLACES[number]).exists():
        os.link(here, root / PLACES[number])


def _sync_and_stop(sync: Callable[..., object], after: int) -> None:
    flag = threading.Event()

    def watch(progress: Progress) -> None:
        if progress.done >= after:
            flag.set()

    with contextlib.suppress(Cancelled):
        sync(progress=watch, cancel=flag)
