"""The parts of packaging/start.py that decide; installing for real is tried by CI itself."""

from __future__ import annotations

import ast
import importlib.util
import re
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]


def load_start_script() -> ModuleType:
    """By path: `packaging/` is no package, or it would hide the library of that name."""
    name = "daybank_start_script"
    spec = importlib.util.spec_from_file_location(name, ROOT / "packaging" / "start.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


start = load_start_script()


@pytest.fixture
def checkout(tmp_path):
    """A folder with the files that the stamp is made of."""
    (tmp_path / "packaging").mkdir()
    (tmp_path / "pyproject.toml").write_text("[project]\n")
    (tmp_path / "packaging" / "requirements.lock").write_text("peewee==4.5.3\n")
    (tmp_path / "packaging" / "requirements-dev.lock").write_text("peewee==4.5.3\npytest==9.2.0\n")
    return start.Checkout(tmp_path, windows=False)


class TestWhichPython:
    @pytest.mark.parametrize("version", [(3, 11, 0), (3, 12, 4), (3, 14, 0), (4, 0, 0)])
    def test_a_new_enough_python_is_no_problem(self, version):
        assert start.version_problem(version, "linux") is None

    @pytest.mark.parametrize(
        ("platform", "what_to_do"),
        [
            ("linux", "your package manager"),
            ("darwin", "brew install"),
            ("win32", "winget install"),
        ],
    )
    def test_an_old_python_gets_one_sentence_that_names_what_to_install(self, platform, what_to_do):
        problem = start.version_problem((3, 9, 2), platform)

        assert "needs Python 3.11 or newer and this is 3.9.2" in problem
        assert what_to_do in problem
        assert "\n" not in problem

    def test_a_name_on_the_path_that_does_not_run_is_passed_over(self, tmp_path, monkeypatch):
        shim = tmp_path / "python3.13"
        shim.write_text("#!/bin/sh\nexit 127\n")
        shim.chmod(0o755)
        monkeypatch.setenv("PATH", str(tmp_path))

        assert start.newer_python(["python3.14", "python3.13"]) is None

    def test_the_script_parses_on_old_pythons(self):
        ast.parse((ROOT / "packaging" / "start.py").read_text("utf-8"), feature_version=(3, 8))


class TestStamp:
    def test_without_a_stamp_nothing_is_current(self, checkout):
        assert start.read_stamp(checkout) == {}
        assert not start.is_current({}, start.wanted_stamp(checkout, dev=False))

    def test_a_written_stamp_is_current(self, checkout):
        wanted = start.wanted_stamp(checkout, dev=False)
        checkout.venv.mkdir()
        start.write_stamp(checkout, wanted)

        assert start.is_current(start.read_stamp(checkout), wanted)

    @pytest.mark.parametrize("changed", ["pyproject.toml", "packaging/requirements.lock"])
    def test_a_changed_file_makes_it_stale(self, checkout, changed):
        before = start.wanted_stamp(checkout, dev=False)
        (checkout.root / changed).write_text("something else\n")

        assert not start.is_current(before, start.wanted_stamp(checkout, dev=False))

    def test_a_changed_project_alone_leaves_the_libraries_as_they_are(self, checkout):
        before = start.wanted_stamp(checkout, dev=True)
        (checkout.root / "pyproject.toml").write_text("[project]\nname = 'daybank'\n")
        after = start.wanted_stamp(checkout, dev=True)

        assert start.same_libraries(before, after)
        assert not start.is_current(before, after)

    def test_a_development_environment_also_runs_the_app(self, checkout):
        dev = start.wanted_stamp(checkout, dev=True)
        plain = start.wanted_stamp(checkout, dev=False)

        assert start.is_current(dev, plain)
        assert not start.is_current(plain, dev)

    @pytest.mark.parametrize("content", ["", "{", "[1]", "\udcff"])
    def test_a_damaged_stamp_counts_as_none(self, checkout, content):
        checkout.venv.mkdir()
        checkout.stamp.write_text(content, encoding="utf-8", errors="surrogateescape")

        assert start.read_stamp(checkout) == {}


class TestBeginningAfresh:
    def made(self, checkout):
        checkout.scripts.mkdir(parents=True)
        checkout.python.touch()
        return start.wanted_stamp(checkout, dev=False)

    def test_a_whole_environment_is_built_upon(self, checkout):
        stamp = self.made(checkout)

        assert start.reason_to_begin_afresh(checkout, stamp) is None

    def test_an_environment_made_by_someone_else_is_built_upon(self, checkout):
        self.made(checkout)

        assert start.reason_to_begin_afresh(checkout, {}) is None

    def test_an_interrupted_installation_is_not(self, checkout):
        stamp = self.made(checkout)
        checkout.unfinished.touch()

        assert "interrupted" in start.reason_to_begin_afresh(checkout, stamp)

    def test_nor_one_whose_python_is_gone(self, checkout):
        stamp = self.made(checkout)
        checkout.python.unlink()

        assert "gone" in start.reason_to_begin_afresh(checkout, stamp)

    def test_nor_one_that_came_along_with_a_moved_folder(self, checkout):
        stamp = {**self.made(checkout), "folder": "/somewhere/else"}

        assert "moved" in start.reason_to_begin_afresh(checkout, stamp)


class TestCommands:
    def test_libraries_are_installed_by_hash_only(self, checkout):
        command = start.libraries_command(checkout, dev=False)

        assert command[:4] == [str(checkout.root / ".venv/bin/python"), "-m", "pip", "install"]
        assert "--require-hashes" in command
        assert command[-1].endswith("requirements.lock")
        assert start.libraries_command(checkout, dev=True)[-1].endswith("requirements-dev.lock")

    def test_the_project_is_installed_without_fetching_anything(self, checkout):
        command = start.project_command(checkout)

        assert {"--no-deps", "--no-build-isolation", "--editable"} <= set(command)

    def test_windows_keeps_its_programs_elsewhere(self, tmp_path):
        checkout = start.Checkout(tmp_path, windows=True)

        assert checkout.python == tmp_path / ".venv" / "Scripts" / "python.exe"

    def test_the_app_gets_its_arguments_and_never_the_current_folder(self, checkout):
        command = start.app_command(checkout, ["--demo", "notes"])

        assert command[1:] == ["-P", "-m", "daybank_desktop", "--demo", "notes"]

    def test_pip_cannot_be_sent_elsewhere_and_keeps_a_mirror(self):
        environ = start.pip_environment({"PIP_TARGET": "x", "PIP_INDEX_URL": "mirror"})

        assert "PIP_TARGET" not in environ
        assert environ["PIP_USER"] == "0"
        assert environ["PIP_INDEX_URL"] == "mirror"

    def test_all_tests_are_measured_and_chosen_ones_are_not(self, checkout):
        whole = start.pytest_commands(checkout, []).values()
        assert all("--cov" in command for command in whole)
        assert [command[command.index("-m", 2) + 1] for command in whole] == ["not alone", "alone"]
        (some,) = start.pytest_commands(checkout, ["-k", "dates"]).values()
        assert some[3:] == ["-k", "dates"]

    def test_tests_need_no_screen_unless_one_is_chosen(self):
        assert start.test_environment({})["QT_QPA_PLATFORM"] == "offscreen"
        assert start.test_environment({"QT_QPA_PLATFORM": "xcb"})["QT_QPA_PLATFORM"] == "xcb"

    def test_pre_commit_runs_the_same_checks(self, checkout):
        hooks = (ROOT / ".pre-commit-config.yaml").read_text("utf-8")

        named = re.findall(r"entry: python3 packaging/start\.py check (\w+)", hooks)
        assert named == list(start.check_commands(checkout))


class TestSystemLibraries:
    LDD = """
libqxcb.so:
\tlinux-vdso.so.1 (0x00007ffc)
\tlibGL.so.1 => not found
\tlibxcb-cursor.so.0 => not found
\tlibm.so.6 => /lib/x86_64-linux-gnu/libm.so.6 (0x00007f)
\tlibGL.so.1 => not found
"""

    def test_what_the_loader_does_not_find_is_read_from_ldd(self):
        assert start.missing_libraries(self.LDD) == {"libGL.so.1", "libxcb-cursor.so.0"}
        assert start.missing_libraries("") == set()

    def test_a_bundle_needs_the_libraries_of_both_screens(self, checkout, monkeypatch):
        """Either is enough to run Daybank here; what is made for others must have both."""
        asked: list[list[str]] = []
        monkeypatch.setattr(start, "prepare_build", lambda checkout: None)
        monkeypatch.setattr(start.shutil, "which", lambda name: f"/bin/{name}")
        monkeypatch.setattr(
            start, "require_qt_libraries", lambda checkout, platforms: asked.append(list(platforms))
        )

        assert start.run_build(checkout, ["--only-prepare"]) == 0
        assert sorted(asked) == [["wayland"], ["xcb"]]

    def test_libraries_become_packages_each_named_once(self):
        libraries = {"libglib-2.0.so.0", "libgthread-2.0.so.0", "libEGL.so.1"}

        assert start.packages_for(libraries) == (["libegl1", "libglib2.0-0"], [])

    def test_an_unknown_library_is_reported_and_not_guessed(self):
        assert start.packages_for({"libodd.so.1"}) == ([], ["libodd.so.1"])

    @pytest.mark.parametrize(
        ("environ", "platforms"),
        [
            ({}, ["xcb"]),
            ({"DISPLAY": ":0"}, ["xcb"]),
            ({"DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-0"}, ["wayland", "xcb"]),
            ({"QT_QPA_PLATFORM": "offscreen"}, ["offscreen"]),
            ({"QT_QPA_PLATFORM": "wayland;xcb"}, ["wayland", "xcb"]),
            ({"QT_QPA_PLATFORM": "vnc:size=800x600"}, ["vnc"]),
        ],
    )
    def test_only_the_screens_that_may_be_used_are_looked_at(self, environ, platforms):
        assert start.qt_platforms(environ) == platforms

    def test_without_rights_the_exact_command_is_told(self, monkeypatch):
        monkeypatch.setattr(start, "administrator", lambda: None)

        with pytest.raises(start.Stop) as stop:
            start.install_packages(["libegl1", "libgl1"], "Qt needs some system libraries.")

        assert stop.value.code == 2
        assert "sudo apt-get install -y --no-install-recommends libegl1 libgl1" in str(stop.value)


class TestScreen:
    def test_a_linux_without_a_screen_is_told_in_one_sentence(self):
        problem = start.display_problem("linux", {}, ["--demo"])

        assert "no screen" in problem
        assert "xvfb-run" in problem
        assert "\n" not in problem

    @pytest.mark.parametrize(
        "environ", [{"DISPLAY": ":1"}, {"WAYLAND_DISPLAY": "w"}, {"QT_QPA_PLATFORM": "offscreen"}]
    )
    def test_any_kind_of_screen_will_do(self, environ):
        assert start.display_problem("linux", environ, []) is None

    @pytest.mark.parametrize("platform", ["darwin", "win32"])
    def test_other_systems_always_have_one(self, platform):
        assert start.display_problem(platform, {}, []) is None

    def test_help_needs_no_screen(self):
        assert start.display_problem("linux", {}, ["--help"]) is None


class TestLockFiles:
    def pins(self, name):
        text = (ROOT / "packaging" / name).read_text("utf-8")
        found = re.findall(r"^([a-z0-9-]+)==(\S+)", text, flags=re.MULTILINE)
        # One library may be pinned twice, for an older Python and a newer.
        return {name: {pin for other, pin in found if other == name} for name, _ in found}

    def names(self, requirements):
        found = (re.match(r"[A-Za-z0-9._-]+", text) for text in requirements)
        return {re.sub(r"[-_.]+", "-", match[0]).lower() for match in found if match}

    def test_they_cover_what_the_project_asks_for(self):
        project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
        run = self.names(project["project"]["dependencies"] + project["build-system"]["requires"])
        dev = self.names(project["dependency-groups"]["dev"])

        hint = "run `python3 packaging/start.py lock`"
        assert run <= self.pins("requirements.lock").keys(), hint
        assert run | dev <= self.pins("requirements-dev.lock").keys(), hint

    def test_the_development_lock_holds_the_other_at_the_same_versions(self):
        run = self.pins("requirements.lock")
        dev = self.pins("requirements-dev.lock")

        assert {name: dev.get(name) for name in run} == run

    @pytest.mark.parametrize("name", ["requirements.lock", "requirements-dev.lock"])
    def test_they_name_no_index_and_no_path(self, name):
        text = (ROOT / "packaging" / name).read_text("utf-8")

        assert start.unwanted_in_lock(text) == []
        assert start.count_pins(text) == sum(map(len, self.pins(name).values()))

    @pytest.mark.parametrize(
        "line",
        [
            "--index-url https://example.invalid/simple",
            "--find-links ../wheels",
            "daybank @ file:///tmp/daybank",
            "-e .",
            "    # via -r /tmp/requirements.in",
        ],
    )
    def test_lines_that_would_tie_them_to_one_machine_are_noticed(self, line):
        assert start.unwanted_in_lock(f"peewee==4.5.3\n{line}\n") == [line]

    def test_the_lock_is_for_every_system_and_has_hashes(self):
        command = start.lock_command("uv", "packaging/requirements.lock", ["--upgrade"])

        assert {"--universal", "--generate-hashes", "--no-emit-index-url", "--upgrade"} <= set(
            command
        )
        assert command[-2:] == ["pyproject.toml", "-"]
