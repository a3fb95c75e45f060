"""Conversation logs are searched by words, newest first, in pages that do not shift; no text
breaks it, and the logs are never written."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest
from core_tools import MakeWorkspace
from hypothesis import given, settings
from hypothesis import strategies as st

from daybank import Workspace
from daybank.cli import main

LOG = "logs/chat.jsonl"
START = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)


def say(text: str, minute: float = 0, *, user: int | None = 7, **more: object) -> str:
    row = {
        "ts": (START + timedelta(minutes=minute)).isoformat(),
        "direction": "in",
        "user_id": user,
        "text": text,
    }
    return json.dumps({**row, **more}, ensure_ascii=False) + "\n"


TALK = (
    say("The wedding order: how many rolls?", 0)
    + say("160 rolls without sesame for the wedding.", 1, direction="out")
    + say("Can I have rolls too?", 2, user=8)
    + say("Thank you.", 3)
)


@pytest.fixture
def ws(make_workspace: MakeWorkspace) -> Workspace:
    return make_workspace({LOG: TALK, "memory/2026-11-20.md": "- Rolls for the wedding.\n"})


def lines(ws: Workspace, text: str, count: int = 20, offset: int = 0) -> list[int]:
    page = ws.search_chat(text, count=count, offset=offset)
    return [message.source.line_start for message in page.messages]


def test_a_message_has_its_time_its_speaker_and_its_place(ws: Workspace) -> None:
    page = ws.search_chat("rolls")
    assert [(m.who, m.untrusted, m.user, str(m.source), m.text) for m in page.messages] == [
        ("other", True, "8", f"{LOG}#L3", "Can I have rolls too?"),
        ("assistant", False, "7", f"{LOG}#L2", "160 rolls without sesame for the wedding."),
        ("owner", False, "7", f"{LOG}#L1", "The wedding order: how many rolls?"),
    ]
    assert [m.when for m in page.messages] == [START + timedelta(minutes=n) for n in (2, 1, 0)]
    assert (page.total, page.torn, page.loosely) == (3, 0, False)
    for message in page.messages:
        assert ws.locate(message.source, message.id) == message.source


def test_all_words_count_and_some_only_where_none_has_all(ws: Workspace) -> None:
    assert lines(ws, "wedding rolls") == [2, 1]
    assert lines(ws, "roll orders wedding") == [1]
    assert lines(ws, '"rolls without"') == [2]
    assert lines(ws, "rolls -sesame") == [3, 1]
    page = ws.search_chat("thank you for the xylophone")
    assert ([m.source.line_start for m in page.messages], page.loosely) == ([4], True)
    assert ws.search_chat("xylophone").total == 0


def test_without_words_all_messages_come(ws: Workspace) -> None:
    assert lines(ws, "") == [4, 3, 2, 1]
    assert lines(ws, "  ", count=2, offset=1) == [3, 2]


def test_a_time_may_be_named(make_workspace: MakeWorkspace) -> None:
    ws = make_workspace({LOG: say("rye bread", -60 * 24 * 30) + say("rye bread", 0)})
    assert lines(ws, "rye in October") == [1]
    assert lines(ws, "rye last week") == [2]


def test_pages_hold_together(make_workspace: MakeWorkspace) -> None:
    archive = "".join(say(f"bread number {n}", n) for n in range(0, 40, 2))
    log = "".join(say(f"bread number {n}", n) for n in range(1, 40, 2))
    ws = make_workspace({LOG: log, "archive/chat-2026.jsonl": archive})
    whole = ws.search_chat("bread", count=100)
    assert [m.text for m in whole.messages] == [f"bread number {n}" for n in reversed(range(40))]
    for size in (1, 7, 40):
        paged = [
            message
            for offset in range(0, 40, size)
            for message in ws.search_chat("bread", count=size, offset=offset).messages
        ]
        assert paged == list(whole.messages)
    beyond = ws.search_chat("bread", offset=40)
    assert (beyond.messages, beyond.total) == ((), 40)
    assert lines(ws, "bread", count=0) == []
    assert lines(ws, "bread", count=-5, offset=-5) == []


def test_torn_lines_are_counted_and_messages_without_a_time_come_last(
    make_workspace: MakeWorkspace,
) -> None:
    log = (
        "[]\n" + say("rye one", ts="no time") + '{"text": "rye tw\n' + say("rye three", -9_000_000)
    )
    ws = make_workspace({LOG: log})
    page = ws.search_chat("rye")
    assert [(m.text, m.when is None) for m in page.messages] == [
        ("rye three", False), ("rye one", True),
    ]  # fmt: skip
    assert page.torn == 2


def test_the_owner_is_who_the_state_says_or_who_wrote_first(make_workspace: MakeWorkspace) -> None:
    log = say("rye from a guest", user=8) + say("rye from me", 1)
    first = make_workspace({LOG: log}).search_chat("rye")
    assert [m.who for m in first.messages] == ["other", "owner"]
    ws = make_workspace({LOG: log, "state/state.json": '{"owner_id": 7}'}, name="other")
    assert [m.who for m in ws.search_chat("rye").messages] == ["owner", "other"]


def test_what_was_said_since_is_found_after_the_next_sync(ws: Workspace) -> None:
    assert lines(ws, "sesame") == [2]
    with open(ws.path / LOG, "a") as file:
        file.write(say("More sesame!", 9))
    ws.sync()
    assert lines(ws, "sesame") == [5, 2]
    (ws.path / LOG).unlink()
    assert lines(ws, "sesame") == []
    ws.sync()
    assert ws.search_chat("") == ws.search_chat("", offset=3)


def test_a_folder_that_was_not_read_yet_is_read(make_workspace: MakeWorkspace) -> None:
    assert lines(make_workspace({LOG: TALK}, sync=False), "sesame") == [2]
    assert lines(make_workspace({}, sync=False, name="empty"), "sesame") == []


NASTY = (
    '"', "-", "NOT", "rolls OR", "rolls*", "(rolls", "rolls)", "words:rolls", "^rolls", "\0", "'",
    "rolls AND", "@", "@nobody", "-rolls", '-"rolls', "???", "🚀", "{rolls}", "NEAR(a b)",
)  # fmt: skip


@pytest.mark.parametrize("text", NASTY)
def test_no_text_breaks_it(ws: Workspace, text: str) -> None:
    page = ws.search_chat(text)
    assert page.total == len(page.messages)


@settings(max_examples=60)
@given(text=st.text(max_size=60))
def test_any_text_at_all(ws: Workspace, text: str) -> None:
    page = ws.search_chat(text)
    assert 0 <= page.total == len(page.messages) <= 4


def test_the_command(ws: Workspace, capsys: pytest.CaptureFixture[str]) -> None:
    before = (ws.path / LOG).read_bytes()

    def run(*more: str) -> tuple[int, str, str]:
        code = main(["chat", "search", "--workspace", str(ws.path), *more])
        return code, *capsys.readouterr()

    code, out, err = run("wedding", "rolls", "--count", "1")
    assert (code, err) == (0, "1 to 1 of 2.\n")
    assert out == (
        "2026-11-20 09:01 · assistant  logs/chat.jsonl#L2\n"
        "  160 rolls without sesame for the wedding.\n"
    )
    code, out, err = run("rolls", "--offset", "0")
    assert "somebody else · not by the owner" in out.split("\n")[0]
    code, out, err = run("wedding rolls", "--offset", "1", "--json")
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert (found["total"], found["torn"], found["loosely"]) == (2, 0, False)
    (message,) = found["messages"]
    assert message == {
        "when": "2026-11-20T09:00:00+00:00",
        "who": "owner",
        "text": "The wedding order: how many rolls?",
        "source": "logs/chat.jsonl#L1",
        "id": message["id"],
        "user": "7",
        "untrusted": False,
    }
    assert run("xylophone") == (1, "", "Nothing found.\n")
    assert run("rolls", "--offset", "9") == (1, "", "3 in all.\n")
    assert (ws.path / LOG).read_bytes() == before


def test_secrets_are_hidden_in_json_only(
    make_workspace: MakeWorkspace, capsys: pytest.CaptureFixture[str]
) -> None:
    ws = make_workspace({LOG: say("The router password is hunter2-EXAMPLE today.")})
    command = ["chat", "search", "--workspace", str(ws.path), "router"]
    main(command)
    assert "hunter2-EXAMPLE" in capsys.readouterr().out
    main([*command, "--json"])
    assert "The router password is [hidden] today." in capsys.readouterr().out
    main([*command, "--json", "--show-secrets"])
    assert "hunter2-EXAMPLE" in capsys.readouterr().out
