"""The knowledge base: topics are read and written by plain names, and no name leads elsewhere."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from core_tools import MakeWorkspace
from hypothesis import given
from hypothesis import strategies as st

from daybank import PathRefused, SourceGone, Workspace
from daybank.cli import main
from daybank.errors import NoteNotSaved, NoteNotUnderstood, ProposalNotSaved, ProposalRefused
from daybank.knowledge import checked_name, summary_of
from daybank.workspace import encode_file_name

OVEN = "# Oven 2\n\nRye on deck 1.\n"
BAD_NAMES = [
    "../../SOUL", "..", ".", "a/../../b", "..\\x", "/etc/hosts", "C:\\x", "C:x", "%2e%2e%2f",
    "foo\x00bar", "foo\nbar", "", "   ", "~", "~/x", "_index", "_INDEX.md", ".hidden", "nul",
    "con.md", "a\u202eb", "x" * 500, "ж" * 200, "\\\\host\\share", "a/b", "end.", "*",
]  # fmt: skip


@pytest.fixture
def ws(make_workspace: MakeWorkspace) -> Workspace:
    return make_workspace({"memory/knowledge/oven-2.md": OVEN, "SOUL.md": "I am.\n"})


def everything(root: Path) -> dict[str, bytes]:
    return {
        str(place.relative_to(root.parent)): place.read_bytes()
        for place in sorted(root.parent.rglob("*"))
        if place.is_file() and ".memory" not in place.parts
    }


@pytest.mark.parametrize("topic", BAD_NAMES)
def test_a_name_that_could_lead_elsewhere_is_refused_and_nothing_touched(
    ws: Workspace, topic: str
) -> None:
    before = everything(ws.path)
    with pytest.raises(PathRefused, match="Nothing was read or written"):
        ws.read_knowledge(topic)
    with pytest.raises(PathRefused, match="Nothing was read or written"):
        ws.write_knowledge(topic, "planted")
    assert everything(ws.path) == before


@given(st.text(max_size=40))
def test_every_name_is_refused_or_is_a_file_right_in_the_folder(topic: str) -> None:
    try:
        name = checked_name(topic)
    except PathRefused:
        return
    assert encode_file_name(name) == name
    assert Path(f"{name}.md").parts == (f"{name}.md",)


def test_a_link_out_of_the_folder_is_neither_read_nor_written(
    ws: Workspace, tmp_path: Path
) -> None:
    outside = tmp_path / "outside.md"
    outside.write_text("the word is abracadabra\n")
    (ws.path / "memory/knowledge/link.md").symlink_to(outside)
    with pytest.raises(SourceGone):
        ws.read_knowledge("link")
    with pytest.raises(PathRefused):
        ws.write_knowledge("link", "planted")
    assert outside.read_text() == "the word is abracadabra\n"
    assert [topic.name for topic in ws.knowledge_topics()] == ["oven-2"]


def test_topics_are_listed_with_their_first_words(make_workspace: MakeWorkspace) -> None:
    ws = make_workspace(
        {
            "memory/knowledge/rye.md": "# Rye\n",
            "memory/knowledge/Market.md": "Stall 14.\n\n## More\nFee 35 €.\nUbe.\nRain.\n",
            "memory/knowledge/_index.md": "# Knowledge Base Index\n",
            "memory/knowledge/deep/other.md": "not a topic\n",
            "knowledge/rye.md": "the other rye\n",
            "knowledge/borek.md": "- with cheese\n",
        }
    )
    assert [(t.name, t.path, t.summary) for t in ws.knowledge_topics()] == [
        ("borek", "knowledge/borek.md", "- with cheese"),
        ("Market", "memory/knowledge/Market.md", "Stall 14. | Fee 35 €. | Ube."),
        ("rye", "memory/knowledge/rye.md", "(empty)"),
    ]


def test_a_summary_leaves_out_what_says_nothing_and_what_is_secret() -> None:
    page = (
        "---\ntitle: Router\n---\nRouter\n======\n\n<!-- a comment -->\n***\n"
        "```sh\n# no heading\n```\nadmin password: hunter2-EXAMPLE\nIn the hall.\n"
    )
    assert summary_of(page) == "```sh | # no heading | ```"
    assert summary_of("The password: hunter2-EXAMPLE\nIn the hall.\n") == "In the hall."
    assert len(summary_of("long " * 100)) <= 150
    assert summary_of("") == "(empty)"


def test_a_topic_is_made_and_written_anew_only_when_asked_for(ws: Workspace) -> None:
    made = ws.write_knowledge("Rye bread", "# Rye\n\nNever stir.")
    assert (made.path, made.before) == ("memory/knowledge/Rye bread.md", None)
    assert ws.read_knowledge("Rye bread") == "# Rye\n\nNever stir.\n"
    with pytest.raises(ProposalRefused, match="already, and it says something else"):
        ws.write_knowledge("rye bread.md", "Stir once.")
    assert ws.read_knowledge("Rye bread") == "# Rye\n\nNever stir.\n"
    again = ws.write_knowledge("rye bread.md", "Stir once.\r\nThen rest.", replace=True)
    assert (again.path, again.before) == (made.path, made.after)
    assert ws.read_knowledge("RYE BREAD") == "Stir once.\nThen rest.\n"
    ws.sync()
    assert [str(r.source) for r in ws.recall("stir once").results] == [f"{made.path}#L1-L2"]
    assert again.proposal is not None
    ws.undo(again.proposal)
    assert ws.read_knowledge("Rye bread") == "# Rye\n\nNever stir.\n"


@pytest.mark.parametrize("replace", [False, True])
def test_saying_what_a_topic_says_already_changes_nothing(ws: Workspace, replace: bool) -> None:
    before = everything(ws.path)
    written = ws.write_knowledge("oven-2", OVEN.replace("\n", "\r\n") + "\n", replace=replace)
    assert (written.before, written.after, written.proposal) == (OVEN.encode(), OVEN.encode(), None)
    assert everything(ws.path) == before
    assert ws.settled_proposals() == ()


@pytest.mark.parametrize("replace", [False, True])
def test_a_blank_topic_may_be_filled(make_workspace: MakeWorkspace, replace: bool) -> None:
    ws = make_workspace({"knowledge/rye.md": " \n\n"})
    assert ws.write_knowledge("rye", "Never stir.", replace=replace).proposal is None
    assert ws.read_knowledge("rye") == "Never stir.\n"


def test_a_replaced_page_comes_back_to_the_byte(make_workspace: MakeWorkspace) -> None:
    page = "# Böden\r\n\r\n- old\r\n".encode("cp1252") + b"- no end"
    ws = make_workspace({"memory/knowledge/floors.md": page})
    written = ws.write_knowledge("floors", "- new", replace=True)
    assert written.proposal is not None
    assert ws.read_knowledge("floors").strip() == "- new"
    ws.undo(written.proposal)
    assert (ws.path / written.path).read_bytes() == page


def test_the_first_topic_makes_the_folder(make_workspace: MakeWorkspace) -> None:
    assert (
        make_workspace({}).write_knowledge("пекарня", "Мука.").path == "memory/knowledge/пекарня.md"
    )
    other = make_workspace({"knowledge/a.md": "x\n"}, name="other")
    assert other.write_knowledge("b", "y").path == "knowledge/b.md"


def test_an_empty_text_and_a_full_disk_leave_the_topic_as_it_was(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(NoteNotUnderstood):
        ws.write_knowledge("oven-2", " \n\n")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(NoteNotSaved) as caught:
        ws.write_knowledge("oven-3", "Deck 3 is slow.")
    assert caught.value.text == "Deck 3 is slow."
    with pytest.raises(ProposalNotSaved):
        ws.write_knowledge("oven-2", "Deck 3 is slow.", replace=True)
    assert ws.read_knowledge("oven-2") == OVEN
    assert [p.name for p in (ws.path / "memory/knowledge").iterdir()] == ["oven-2.md"]


def test_a_topic_that_is_not_there_is_told_of(ws: Workspace) -> None:
    with pytest.raises(SourceGone, match="There is no topic “scones”"):
        ws.read_knowledge("scones")


def test_the_commands(
    ws: Workspace, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(action: str, *more: str) -> tuple[int, str, str]:
        code = main(["knowledge", action, "--workspace", str(ws.path), *more])
        return code, *capsys.readouterr()

    assert run("list") == (0, "oven-2  Rye on deck 1.\n", "")
    assert run("read", "oven-2") == (0, OVEN, "")
    assert run("write", "rye", "Never", "stir.") == (0, "Made memory/knowledge/rye.md.\n", "")
    code, out, err = run("write", "rye", "Stir.")
    assert (code, out) == (2, "")
    assert "it says something else" in err
    assert "--replace" in err
    said = "memory/knowledge/rye.md says that already.\n"
    assert run("write", "rye", "Never stir.") == (0, said, "")
    code, out, _ = run("write", "rye", "Stir.", "--replace")
    (change, *_) = ws.settled_proposals()
    assert (code, out) == (
        0,
        "Wrote memory/knowledge/rye.md. Bring back what stood there with daybank review undo"
        f" {change.id}.\n",
    )
    assert main(["review", "undo", "--workspace", str(ws.path), change.id]) == 0
    capsys.readouterr()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO("Stir. ☕\n".encode())))
    code, out, err = run("write", "rye", "-", "--json", "--replace")
    assert (code, err) == (0, "")
    answer = json.loads(out)
    assert answer.pop("proposal").startswith("p-")
    assert answer == {
        "path": "memory/knowledge/rye.md", "is_new": False, "before": "Never stir.\n",
    }  # fmt: skip
    listed = json.loads(run("list", "--json")[1])
    assert listed["topics"][1] == {
        "topic": "rye", "path": "memory/knowledge/rye.md", "summary": "Stir. ☕",
    }  # fmt: skip
    code, out, err = run("read", "../../SOUL")
    assert (code, out) == (2, "")
    assert err.startswith("daybank: “../../SOUL” is no name for a topic.")
    code, out, err = run("write", "router", "admin password: hunter2-EXAMPLE")
    assert code == 0
    assert "a password" in err
    assert "EXAMPLE" not in err + out


def test_an_empty_knowledge_base_is_said(
    make_workspace: MakeWorkspace, capsys: pytest.CaptureFixture[str]
) -> None:
    ws = make_workspace({})
    assert main(["knowledge", "list", "--workspace", str(ws.path)]) == 1
    assert capsys.readouterr().err == "There is no topic yet.\n"
