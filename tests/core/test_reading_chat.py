"""Conversation logs, read leniently and never written."""

from __future__ import annotations

import json
from datetime import date
from zoneinfo import ZoneInfo

import pytest
from core_tools import MakeWorkspace
from hypothesis import given
from hypothesis import strategies as st

from daybank import Kind
from daybank.markdown.chatlog import message_day, parse_chat

LOG = "logs/chat.jsonl"


def line(text: str, **more: object) -> str:
    row = {"ts": "2026-11-20T09:00:00+00:00", "direction": "in", "user_id": 7, "text": text}
    return json.dumps({**row, **more}, ensure_ascii=False) + "\n"


def test_the_first_person_is_the_owner_and_others_are_not_trusted() -> None:
    text = (
        line("my words")
        + line("an answer", direction="out", user_id=None)
        + line("W @Mara: a stranger's words", user_id=8)
        + line("joined", direction="system", user_id=None)
    )
    messages = parse_chat(LOG, text.encode()).passages
    assert [(m.content, m.said_by, m.untrusted) for m in messages] == [
        ("my words", "owner", False),
        ("an answer", "assistant", False),
        ("W @Mara: a stranger's words", "other", True),
        ("joined", "system", False),
    ]
    assert {m.kind for m in messages} == {Kind.MESSAGE}
    assert [m.source.line_start for m in messages] == [1, 2, 3, 4]


def test_the_owner_may_be_named_elsewhere(make_workspace: MakeWorkspace) -> None:
    ws = make_workspace(
        {
            LOG: line("hello from a guest", user_id=8) + line("hello from me", user_id=7),
            "state/state.json": '{"owner_id": 7}',
        }
    )
    found = {r.content: r.untrusted for r in ws.recall("hello").results}
    assert found == {"hello from me": False, "hello from a guest": True}


def test_torn_and_foreign_lines_are_counted_and_the_rest_is_read() -> None:
    text = (
        line("one")
        + '{"ts": "2026-11-20T09:0\n'
        + "\n"
        + "[1, 2]\n"
        + '{"text": 5}\n'
        + "plain words\n"
        + line("two").rstrip("\n")
    )
    parsed = parse_chat(LOG, text.encode())
    assert [(m.content, m.source.line_start) for m in parsed.passages] == [("one", 1), ("two", 7)]
    (lint,) = parsed.lints
    assert (lint.code, lint.line) == ("torn-line", 2)
    assert lint.message.startswith("4 lines")


def test_newer_rows_with_fewer_and_other_keys_are_read() -> None:
    rows = [
        {"ts": "2026-11-20T09:00:00Z", "direction": "in", "text": "bare"},
        {"ts": "2026-11-20T09:00:00+00:00", "direction": "in", "format": "md", "text": "more",
         "sender_identity": {"name": "x"}, "user_id": "u-1"},
        {"ts": 1795165200, "direction": "out", "text": "seconds"},
        {"ts": "soon", "text": "no day"},
        {"text": "nothing else"},
        {"ts": None, "direction": None, "user_id": None, "text": "nulls"},
    ]  # fmt: skip
    text = "".join(json.dumps(row) + "\n" for row in rows)
    parsed = parse_chat(LOG, text.encode(), zone=ZoneInfo("UTC"))
    assert [m.content for m in parsed.passages] == [row["text"] for row in rows]
    assert [m.day for m in parsed.passages][:2] == [date(2026, 11, 20)] * 2
    assert [m.day for m in parsed.passages][3:] == [None] * 3
    assert parsed.lints == ()


@pytest.mark.parametrize(
    ("stamp", "zone", "day"),
    [
        ("2026-11-20T22:30:00Z", "Asia/Tokyo", date(2026, 11, 21)),
        ("2026-11-20T22:30:00+00:00", "Asia/Tokyo", date(2026, 11, 21)),
        ("2026-11-20T02:17:00Z", "America/Los_Angeles", date(2026, 11, 19)),
        ("2026-11-20T02:17:00", "America/Los_Angeles", date(2026, 11, 20)),
        (float("nan"), "UTC", None),
        (1e30, "UTC", None),
        (True, "UTC", None),
        ({}, "UTC", None),
        ("9999-12-31T23:59:59Z", "Asia/Tokyo", None),
    ],
)
def test_a_message_stands_on_the_persons_day(stamp: object, zone: str, day: date | None) -> None:
    assert message_day(stamp, ZoneInfo(zone)) == day


def test_archives_are_read_and_run_logs_are_not(make_workspace: MakeWorkspace) -> None:
    ws = make_workspace(
        {
            LOG: line("walnut now"),
            "archive/chat_20260101T101010.jsonl": line("walnut before"),
            "logs/tools.jsonl": line("walnut tool"),
        }
    )
    assert {r.content for r in ws.recall("walnut").results} == {"walnut now", "walnut before"}


@given(st.binary(max_size=300))
def test_no_bytes_break_it(data: bytes) -> None:
    parse_chat(LOG, data)


@given(
    st.lists(
        st.dictionaries(
            st.sampled_from(["ts", "text", "direction", "user_id", "session_id"]),
            st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=20)),
        ),
        max_size=5,
    )
)
def test_no_rows_break_it(rows: list[dict[str, object]]) -> None:
    text = "\n".join(json.dumps(row) for row in rows)
    for message in parse_chat(LOG, text.encode("utf-8", "surrogatepass")).passages:
        assert 1 <= message.source.line_start <= len(rows)


def test_role_and_content_are_read_as_other_programs_write_them() -> None:
    lines = (
        '{"role": "user", "content": "Is the kiln on?", "timestamp": "2026-11-26T09:00:00Z"}\n'
        '{"role": "assistant", "content": "Since seven."}\n'
    )
    parsed = parse_chat("logs/chat.jsonl", lines.encode())
    assert [(p.content, p.said_by) for p in parsed.passages] == [
        ("Is the kiln on?", "owner"),
        ("Since seven.", "assistant"),
    ]
    assert str(parsed.passages[0].day) == "2026-11-26"
