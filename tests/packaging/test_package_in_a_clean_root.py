"""The .deb and the tarball on a Debian without Python: a person installs, searches, reflects,
accepts a suggestion, and removes Daybank again; the notes and settings stay.

Takes minutes and needs root, so it runs only with DAYBANK_PACKAGE_TESTS=1, on what
packaging/linux/build.sh left in dist/ (or in DAYBANK_PACKAGES). DAYBANK_CLEAN_ROOT names a tar of a
root made earlier; DAYBANK_PICTURES a folder for pictures of the screen.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from clean_root import HOME, PERSON, TOOLS, CleanRoot, wait

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = Path(os.environ.get("DAYBANK_PACKAGES", ROOT / "dist"))
NOTES = f"{HOME}/Bakery notes"

pytestmark = [
    pytest.mark.skipif(
        not os.environ.get("DAYBANK_PACKAGE_TESTS"), reason="DAYBANK_PACKAGE_TESTS is not set"
    ),
    pytest.mark.timeout(1200),
]


@pytest.fixture
def display() -> Iterator[str]:
    """A virtual screen with a window manager, open to the root."""
    missing = [name for name in TOOLS if shutil.which(name) is None]
    assert not missing, f"these are needed: {', '.join(missing)}"
    read, write = os.pipe()
    words = ["Xvfb", "-ac", "-displayfd", str(write), "-screen", "0", "1366x768x24"]
    server = subprocess.Popen(words, pass_fds=[write], stderr=subprocess.DEVNULL)
    os.close(write)
    with os.fdopen(read) as told:
        name = f":{told.readline().strip()}"
    manager = subprocess.Popen(
        ["openbox"], env={**os.environ, "DISPLAY": name}, stderr=subprocess.DEVNULL
    )
    yield name
    for process in (manager, server):
        process.terminate()
        process.wait(10)


@pytest.fixture
def root(tmp_path: Path, display: str) -> Iterator[CleanRoot]:
    """A new root with one person in it, who has the sample notes."""
    made = CleanRoot(tmp_path / "root", display)
    made.path.mkdir()
    tar = os.environ.get("DAYBANK_CLEAN_ROOT")
    if tar:
        subprocess.run(["tar", "-xf", tar, "-C", str(made.path)], check=True)
    else:
        release = dict(
            line.split("=", 1) for line in Path("/etc/os-release").read_text().split("\n") if line
        )
        subprocess.run(
            ["mmdebstrap", "--variant=minbase", release["VERSION_CODENAME"], str(made.path)],
            check=True,
        )
    assert not made.has("python3"), "the root is not clean"
    made.run("useradd", "--create-home", "--uid", "1000", PERSON, administrator=True)
    shutil.copytree(ROOT / "resources/sample_workspace", made.inside(NOTES))
    made.inside(f"{HOME}/.run").mkdir(mode=0o700)
    made.run("chown", "-R", f"{PERSON}:{PERSON}", HOME, administrator=True)
    made.run("apt-get", "update", "-q", administrator=True)
    yield made
    for process in made.processes:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(10)
            process.kill()
            process.wait(10)
    shutil.rmtree(made.path, ignore_errors=True)


def only(pattern: str) -> Path:
    """The one package of that kind."""
    found = sorted(PACKAGES.glob(pattern))
    assert len(found) == 1, f"{pattern}: {found}; run packaging/linux/build.sh first"
    return found[0]


def files(folder: Path) -> dict[str, bytes]:
    """Everything in a folder that a person would miss: not what is made again."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "index.sqlite" not in path.name and "vectors" not in path.parts
    }


def waiting(root: CleanRoot) -> list[dict[str, object]]:
    """The suggestions that wait, as the command tells."""
    told = root.run("daybank", "review", "list", "--json", "--workspace", NOTES)
    found: list[dict[str, object]] = json.loads(told)["proposals"]
    return found


def found_without_a_notice(root: CleanRoot) -> str:
    """Where the command finds the same, once no part of the search is off any more."""
    told = json.loads(
        root.run("daybank", "recall", "--json", "--workspace", NOTES, "two kinds of salt")
    )
    source: str = told["results"][0]["source"]
    assert source.startswith("memory/2026-11-24.md")
    left = {notice["id"] for notice in told["notices"]}
    assert left <= {"meaning-partly"}
    return "" if left else source


def live_the_main_story(root: CleanRoot, pictures: Path) -> None:
    """Search, reflect, accept; with keys, before the screen."""
    before = files(root.inside(NOTES))
    process = root.start("daybank-desktop", "--workspace", NOTES)
    root.window("Bakery notes")
    wait(lambda: str(root.inside(f"{NOTES}/.memory/index.sqlite").exists() or ""), "the index")
    time.sleep(6)
    empty = root.picture(pictures / "1-started.png")
    root.key("ctrl+f", "ctrl+a")
    root.type("two kinds of salt")
    time.sleep(4)
    assert root.picture(pictures / "2-searched.png") != empty
    wait(lambda: found_without_a_notice(root), "search by meaning to be prepared", 180)

    root.key("ctrl+4")
    time.sleep(2)
    folder = root.inside(f"{NOTES}/.memory/proposals")
    press_until(root, "ctrl+r", lambda: any(folder.glob("*.json")), "suggestions")
    time.sleep(5)
    root.picture(pictures / "3-reflected.png")
    notes = files(root.inside(NOTES))
    assert {k: v for k, v in notes.items() if not k.startswith(".memory")} == before
    assert waiting(root)

    def accepted() -> bool:
        now = files(root.inside(NOTES))
        return any(now.get(name) != content for name, content in before.items())

    press_until(root, "a", accepted, "a page that changed", times=40)
    time.sleep(1)
    root.picture(pictures / "4-accepted.png")
    for _ in range(6):
        root.key("ctrl+q")
        with contextlib.suppress(subprocess.TimeoutExpired):
            assert process.wait(10) == 0, root.log()
            break
    assert process.returncode == 0, f"it does not end: {root.log()}"
    assert "Traceback" not in root.log()


def press_until(
    root: CleanRoot, key: str, done: Callable[[], bool], what: str, times: int = 6
) -> None:
    """Press a key until something has come of it; a virtual screen now and then loses one."""
    for _ in range(times):
        root.key(key)
        deadline = time.monotonic() + (8 if times < 10 else 2)
        while time.monotonic() < deadline:
            if done():
                return
            time.sleep(0.25)
    raise AssertionError(f"pressed {key} for {what}: {root.log()}")


def pictures_in(tmp_path: Path, name: str) -> Path:
    place = Path(os.environ.get("DAYBANK_PICTURES", tmp_path)) / name
    place.mkdir(parents=True, exist_ok=True)
    return place


def test_the_deb_is_installed_used_and_removed(root: CleanRoot, tmp_path: Path) -> None:
    package = only("daybank_*.deb")
    shutil.copy(package, root.inside("/tmp/daybank.deb"))
    root.run("apt-get", "install", "-q", "-y", "--no-install-recommends", "/tmp/daybank.deb",
             administrator=True)  # fmt: skip
    assert not root.has("python3"), "the package brings Python of its own"
    assert "All is well." in root.run("daybank", "--self-check")
    for place in (
        "applications/daybank.desktop",
        "metainfo/org.daybank.Daybank.metainfo.xml",
        "icons/hicolor/48x48/apps/daybank.png",
        "icons/hicolor/scalable/apps/daybank.svg",
    ):
        assert root.inside(f"/usr/share/{place}").is_file()

    live_the_main_story(root, pictures_in(tmp_path, "deb"))

    notes = files(root.inside(NOTES))
    settings = files(root.inside(f"{HOME}/.config/daybank"))
    assert notes
    assert settings
    root.run("apt-get", "purge", "-q", "-y", "daybank", administrator=True)
    assert not root.has("daybank")
    assert not root.inside("/usr/lib/daybank").exists()
    assert files(root.inside(NOTES)) == notes
    assert files(root.inside(f"{HOME}/.config/daybank")) == settings


def test_the_tarball_needs_no_administrator(root: CleanRoot, tmp_path: Path) -> None:
    # What a desktop has anyway: the libraries that the .deb asks for.
    told = subprocess.run(
        ["dpkg-deb", "--field", str(only("daybank_*.deb")), "Depends"],
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    needed = [line.split("|")[0].split("(")[0].strip() for line in told.split(",")]
    root.run("apt-get", "install", "-q", "-y", "--no-install-recommends", *needed,
             administrator=True)  # fmt: skip
    subprocess.run(
        ["tar", "-xf", str(only("daybank-*-linux-*.tar.xz")), "-C", str(root.inside("/opt"))],
        check=True,
    )
    (unpacked,) = root.inside("/opt").glob("daybank-*")

    root.run("sh", f"/opt/{unpacked.name}/install.sh")
    root.run("sh", f"/opt/{unpacked.name}/install.sh")  # again, as an upgrade would
    assert not root.has("python3")
    assert "All is well." in root.run("daybank", "--self-check")
    entry = root.inside(f"{HOME}/.local/share/applications/daybank.desktop").read_text()
    assert f'Exec="{HOME}/.local/bin/daybank-desktop" %f' in entry

    live_the_main_story(root, pictures_in(tmp_path, "tarball"))

    notes = files(root.inside(NOTES))
    root.run("sh", f"{HOME}/.local/lib/daybank/uninstall.sh")
    left = [p for p in root.inside(f"{HOME}/.local").rglob("*daybank*") if "state" not in p.parts]
    assert [p for p in left if p.parent.name != "share"] == [], "only what is the person's is left"
    assert files(root.inside(NOTES)) == notes
