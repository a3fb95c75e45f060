"""What a person does first, in a real window with a real mouse and keyboard."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from screen_tools import Screen, quit_with_keys, wait_for

pytestmark = pytest.mark.alone

_READ_CLIPBOARD = """
import sys
from PySide6.QtWidgets import QApplication
app = QApplication([])
for _ in range(20):
    app.processEvents()
sys.stdout.write(app.clipboard().text())
"""


def clipboard(screen: Screen) -> str:
    done = subprocess.run(
        [sys.executable, "-c", _READ_CLIPBOARD],
        env=screen.environment,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    return done.stdout


def copied(screen: Screen, asked: str, words: str) -> str:
    """Ask, go to the first result and copy it, until it says ``words``. The answer is given time;
    now and then it is asked again, since the virtual screen loses a key once in a while."""
    tries = 0

    def look() -> str:
        nonlocal tries
        if tries % 5 == 0:
            screen.key("ctrl+f", "ctrl+a")
            screen.type(asked)
        tries += 1
        screen.key("ctrl+f", "Down", "ctrl+c")
        text = clipboard(screen)
        return text if words in text else ""

    return wait_for(look, f"a copied citation with “{words}”", 40)


def test_the_demo_answers_and_a_new_question_is_answered_while_typing(screen: Screen) -> None:
    process = screen.start("--demo")
    window = screen.window("Daybank sample")
    screen.focus(window)
    found = copied(screen, "mill shares a van", "because the mill shares a van")
    assert "memory/2026-11-18.md#L12" in found
    assert quit_with_keys(screen, process) == 0, screen.log()
    assert "Traceback" not in screen.log()


def test_a_folder_of_ones_own_is_opened_and_a_new_note_is_found(
    screen: Screen, tmp_path: Path
) -> None:
    notes = tmp_path / "notes"
    (notes / "memory").mkdir(parents=True)
    log = notes / "memory" / "2026-11-20.md"
    log.write_text("# 2026-11-20\n\n- Planted a walnut behind the shed.\n", encoding="utf-8")
    before = log.read_bytes()
    process = screen.start("--workspace", str(notes))
    window = screen.window("notes")
    screen.focus(window)
    assert "memory/2026-11-20.md#L3" in copied(screen, "walnut", "walnut")
    later = notes / "memory" / "2026-11-21.md"
    later.write_text("- The quince jelly has set.\n", encoding="utf-8")
    assert "memory/2026-11-21.md#L1" in copied(screen, "quince", "quince jelly")
    assert quit_with_keys(screen, process) == 0, screen.log()
    assert log.read_bytes() == before
