"""The page phases on the sample workspace: what its owner would read, and say yes to."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from reflect_tools import accept_all, cites_what_exists, lines_in, text_of

from daybank import FixedClock, Workspace, open_workspace
from daybank.reflect.core_memory import suggest_core
from daybank.reflect.entities import suggest_entities
from daybank.reflect.lists import suggest_lists
from daybank.resources import resource_path

SINCE = date(2026, 11, 14)


@pytest.fixture
def sample(tmp_path: Path) -> Iterator[Workspace]:
    root = tmp_path / "sample"
    shutil.copytree(resource_path("sample_workspace"), root)
    workspace = open_workspace(root, clock=FixedClock(datetime(2026, 11, 28, 3, tzinfo=UTC)))
    workspace.sync()
    yield workspace
    workspace.close()


def test_all_suggestions_cite_what_is_there_and_come_once(sample: Workspace) -> None:
    before = {path: path.read_bytes() for path in sample.path.glob("memory/*.md")}
    persona = text_of(sample, "USER.md")
    for suggest in (suggest_entities, suggest_lists, suggest_core):
        for since in (SINCE, None):
            result = accept_all(sample, suggest, since=since)
            assert all(cites_what_exists(sample, draft) for draft in result.drafts)
    assert {path: path.read_bytes() for path in sample.path.glob("memory/*.md")} == before
    assert text_of(sample, "USER.md") == persona


def test_the_trip_to_porto_is_over_on_every_page(sample: Workspace) -> None:
    lines = lines_in(accept_all(sample, suggest_entities, since=SINCE))
    lines += lines_in(accept_all(sample, suggest_core, since=SINCE))
    was = [line for line in lines if "Was in Porto from 17 to 22 November 2026" in line]
    assert len(was) == 2
    assert "until 22 November" not in text_of(sample, "memory.md")
    assert "until Sunday 22 November" not in text_of(sample, "bank/entities/Mara.md")


def test_a_quiet_night_changes_few_lines(sample: Workspace) -> None:
    result = accept_all(sample, suggest_entities, since=date(2026, 11, 25))
    changed = [draft for draft in result.drafts if draft.hunk.line > 1]
    assert len(changed) <= 3
    assert all(len(draft.hunk.new) == 1 for draft in changed)
