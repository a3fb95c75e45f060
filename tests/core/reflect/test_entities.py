"""Summaries of people and things: what comes in, what stays, what goes, and nothing else."""

from __future__ import annotations

from datetime import date

import pytest
from core_tools import MakeWorkspace
from hypothesis import given, settings
from hypothesis import strategies as st
from reflect_tools import accept_all, cites_what_exists, lines_in, material_of, reasons, text_of

from daybank.markdown.model import Kind
from daybank.markdown.names import fact_id
from daybank.reflect.entities import MOST, suggest_entities

MARA = """---
title: Mara
aliases: [Mara S.]
type: person
---
# Mara

<!-- daybank:begin summary -->
{}<!-- daybank:end summary -->

We met in the queue.  Two spaces stay.
"""


def log(*bullets: str) -> str:
    return "# A day\n\n## Retain\n" + "".join(f"- {bullet}\n" for bullet in bullets)


def cite(kind: Kind, text: str, name: str, day: str, line: int = 4) -> str:
    return f"(memory/{day}.md#L{line} ^{fact_id(kind, text, (name,), date.fromisoformat(day))})"


def test_a_new_fact_comes_in_on_top_and_nothing_else_changes(make_workspace: MakeWorkspace) -> None:
    old = "Prefers a short voice message over a long text."
    line = f"- Likes it short. {cite(Kind.WORLD, old, 'Mara', '2026-06-02')}\n"
    page = MARA.format(line)
    workspace = make_workspace(
        {
            "memory/2026-06-02.md": log(f"W @Mara: {old}"),
            "memory/2026-11-19.md": log("W @Mara: Opens the shop every Tuesday at 6:00."),
            "bank/entities/Mara.md": page,
        }
    )
    result = accept_all(workspace, suggest_entities, since=date(2026, 11, 1))
    (draft,) = result.drafts
    assert draft.hunk.old == ()
    assert draft.hunk.reason == "Newer than what the page says."
    assert cites_what_exists(workspace, draft)
    (new,) = draft.hunk.new
    assert new.startswith("- Opens the shop every Tuesday at 6:00. (memory/2026-11-19.md#L4 ^f-")
    assert text_of(workspace, "bank/entities/Mara.md") == page.replace(line, f"{new}\n{line}")


def test_the_line_goes_whose_note_is_gone(make_workspace: MakeWorkspace) -> None:
    kept = "Works at the bakery since July 2025."
    lines = (
        f"- Works at the bakery. {cite(Kind.WORLD, kept, 'Mara', '2026-06-02')}\n"
        "- Has a dog. (memory/2026-06-03.md#L4 ^f-000000000000)\n"
        "- Cold hands, certified.\n"
    )
    workspace = make_workspace(
        {
            "memory/2026-06-02.md": log(f"W @Mara: {kept}"),
            "bank/entities/Mara.md": MARA.format(lines),
        }
    )
    material = material_of(workspace, since=date(2026, 11, 1), gone=["f-000000000000"])
    (draft,) = suggest_entities(material).drafts
    assert draft.hunk.old == ("- Has a dog. (memory/2026-06-03.md#L4 ^f-000000000000)",)
    assert draft.hunk.new == ()
    assert draft.hunk.reason == "The note it cites is gone."


def test_a_note_written_anew_takes_the_place_of_the_old_one(make_workspace: MakeWorkspace) -> None:
    line = "- Works at the old bakery. (memory/2026-06-02.md#L4 ^f-000000000000)\n"
    workspace = make_workspace(
        {
            "memory/2026-06-02.md": log("W @Mara: Works at the old bakery on Mill Street."),
            "bank/entities/Mara.md": MARA.format(line),
        }
    )
    result = accept_all(workspace, suggest_entities, gone=["f-000000000000"])
    (draft,) = result.drafts
    assert draft.hunk.reason == "The note it cites was reworded."
    assert draft.hunk.new[0].startswith("- Works at the old bakery on Mill Street. (memory/")


def test_now_the_museum_then_the_bakery_and_both_are_cited(make_workspace: MakeWorkspace) -> None:
    text = "Works at the bakery."
    days = [f"2024-0{month}-10" for month in range(1, 6)]
    files = {f"memory/{day}.md": log(f"W @Mara: {text}") for day in days}
    files |= {
        f"memory/2025-11-{day}.md": log("W @Mara: Works at the museum.") for day in (10, 12, 14)
    }
    line = f"- At the bakery, mornings only. {cite(Kind.WORLD, text, 'Mara', days[-1])}\n"
    files["bank/entities/Mara.md"] = MARA.format(line)
    workspace = make_workspace(files)
    result = accept_all(workspace, suggest_entities, since=date(2025, 11, 1))
    (draft,) = result.drafts
    now, then = draft.hunk.new
    assert now.startswith("- Works at the museum. (memory/2025-11-14.md#L4 ^f-")
    assert then.startswith("- Before 14 Nov 2025: At the bakery, mornings only. (memory/2024-05-10")
    assert draft.hunk.reason == "Newer than what the page says."


def test_what_is_over_gives_way_to_the_note_that_looks_back(make_workspace: MakeWorkspace) -> None:
    text = "Is in Porto until Sunday for her mother's birthday."
    line = f"- In Porto until Sunday. {cite(Kind.WORLD, text, 'Mara', '2026-11-17')}\n"
    workspace = make_workspace(
        {
            "memory/2026-11-17.md": log(f"W @Mara: {text}"),
            "memory/2026-11-24.md": log(
                "W @Mara: Was in Porto from 17 to 22 November 2026 for her mother's birthday."
            ),
            "bank/entities/Mara.md": MARA.format(line),
        }
    )
    (draft,) = accept_all(workspace, suggest_entities, since=date(2026, 11, 20)).drafts
    assert draft.hunk.reason == "It was over on 22 Nov 2026; a newer note looks back on it."
    assert draft.hunk.new[0].startswith("- Was in Porto from 17 to 22 November 2026 for her")


def test_relative_days_are_resolved_beside_the_words(make_workspace: MakeWorkspace) -> None:
    workspace = make_workspace(
        {
            "memory/2026-11-24.md": log(
                "W @Mara: Lives in Porto until Sunday.",
                "W @Mara: Decided yesterday to sell the van.",
                "W @Mara: Decided to close the shop on 4 December.",
            ),
            "bank/entities/Mara.md": MARA.format(""),
        }
    )
    lines = "\n".join(lines_in(accept_all(workspace, suggest_entities)))
    assert "until Sunday (24–29 Nov 2026)." in lines
    assert "Decided yesterday (23 Nov 2026) to sell" in lines
    assert "on 4 December 2026." in lines


def test_a_page_is_suggested_only_where_it_is_worth_it(make_workspace: MakeWorkspace) -> None:
    workspace = make_workspace(
        {
            "memory/2026-11-18.md": log(
                "W @Noor: Works at the health office since 1 November 2026.",
                "W @Noor: Lives on Canal Row since May 2025.",
                "W @Peter: Lives in Kyoto since May 2025.",
            ),
            "memory/2026-11-20.md": log("W @Noor: Prefers tea from Assam over any coffee."),
        }
    )
    result = accept_all(workspace, suggest_entities)
    (draft,) = result.drafts
    assert draft.target == "bank/entities/Noor.md"
    assert draft.hunk.new[:6] == ("---", "title: Noor", "---", "# Noor", "", draft.hunk.new[5])
    assert sum(line.startswith("- ") for line in draft.hunk.new) == 3
    assert "a page for Peter — too few notes tell of it for a page of its own" in reasons(result)


@pytest.mark.parametrize("name", ["CON", "A/B: the sequel?", "Лена", "İpek", "no"])
def test_any_name_becomes_a_page_that_is_read_back_as_it(
    make_workspace: MakeWorkspace, name: str
) -> None:
    workspace = make_workspace(
        {
            f"memory/2026-11-1{day}.md": log(f"W @[{name}]: {text}")
            for day, text in enumerate(
                (
                    "Lives on Canal Row since May 2025.",
                    "Works at the museum since June 2025.",
                    "Decided to sell the boat in March 2027.",
                )
            )
        }
    )
    accept_all(workspace, suggest_entities)
    entity = workspace.entity(name)
    assert entity is not None
    assert entity.page is not None
    assert entity.name == name


def test_a_page_that_differs_in_case_only_is_the_page(make_workspace: MakeWorkspace) -> None:
    files = {
        f"memory/2026-11-1{day}.md": log(f"W @mara: {text}")
        for day, text in enumerate(("Lives in Porto since 2025.", "Decided to sell the van."))
    }
    workspace = make_workspace({**files, "bank/entities/Mara.md": MARA.format("")})
    result = accept_all(workspace, suggest_entities)
    assert {draft.target for draft in result.drafts} == {"bank/entities/Mara.md"}


def test_another_page_of_that_file_name_is_never_written_over(
    make_workspace: MakeWorkspace,
) -> None:
    files = {
        f"memory/2026-11-1{day}.md": log(f"W @Mara: {text}")
        for day, text in enumerate(
            ("Lives in Porto since 2025.", "Decided to sell the van.", "Works at the museum now.")
        )
    }
    workspace = make_workspace(
        {**files, "bank/entities/mara.md": "---\ntitle: Mara the cat\n---\nA cat.\n"}
    )
    result = suggest_entities(material_of(workspace))
    assert result.drafts == ()
    assert "a page for Mara — another page has this name already" in reasons(result)


def test_names_that_differ_in_a_digit_stay_apart(make_workspace: MakeWorkspace) -> None:
    workspace = make_workspace(
        {
            "memory/2026-11-18.md": log(
                "W @Flat-7: The boiler costs 900 € and was paid on 3 November 2026.",
                "W @Flat-8: Still no heating until 30 November 2026.",
            ),
            "bank/entities/Flat-7.md": "# Flat-7\n",
            "bank/entities/Flat-8.md": "# Flat-8\n",
        }
    )
    result = accept_all(workspace, suggest_entities)
    seven = [line for d in result.drafts if "Flat-7" in d.target for line in d.hunk.new]
    assert any("boiler" in line for line in seven)
    assert not any("heating" in line for line in seven)


def test_a_block_is_put_under_the_title(make_workspace: MakeWorkspace) -> None:
    page = "Mara\n====\nWe met in the queue.\n\n## Later\n"
    workspace = make_workspace(
        {
            "memory/2026-11-18.md": log("W @Mara: Lives in Porto since May 2025."),
            "bank/entities/Mara.md": page,
        }
    )
    accept_all(workspace, suggest_entities)
    text = text_of(workspace, "bank/entities/Mara.md")
    head, rest = text.split("<!-- daybank:begin summary -->\n")
    block, tail = rest.split("<!-- daybank:end summary -->\n")
    assert head == "Mara\n====\n\n"
    assert block.startswith("- Lives in Porto since May 2025. (memory/")
    assert tail == "\nWe met in the queue.\n\n## Later\n"


def test_windows_line_ends_and_a_missing_last_one_stay(make_workspace: MakeWorkspace) -> None:
    page = b"# Mara\r\n\r\n<!-- daybank:begin summary -->\r\n<!-- daybank:end summary -->"
    workspace = make_workspace(
        {
            "memory/2026-11-18.md": log("W @Mara: Lives in Porto since May 2025."),
            "bank/entities/Mara.md": page,
        }
    )
    accept_all(workspace, suggest_entities)
    after = workspace._folder.read_bytes("bank/entities/Mara.md")
    assert after.count(b"\n") == after.count(b"\r\n") == 4
    assert after.endswith(b"<!-- daybank:end summary -->")


@pytest.mark.parametrize(
    "page",
    [
        "# Mara\n<!-- daybank:begin summary -->\n- Old.\n",
        "# Mara\n<!-- daybank:end summary -->\n<!-- daybank:begin summary -->\n",
        "<!-- never closed\n# Mara\n",
        "# Mara\n<<<<<<< mine\n- a\n=======\n- b\n>>>>>>> theirs\n",
    ],
)
def test_a_page_in_disorder_is_left_alone_and_it_is_said(
    make_workspace: MakeWorkspace, page: str
) -> None:
    workspace = make_workspace(
        {
            "memory/2026-11-18.md": log("W @Mara: Lives in Porto since May 2025."),
            "bank/entities/Mara.md": page,
        }
    )
    result = suggest_entities(material_of(workspace))
    assert result.drafts == ()
    assert any(item.what == "the summary of Mara" for item in result.skipped)


def test_orders_and_secrets_stay_where_they_are(make_workspace: MakeWorkspace) -> None:
    workspace = make_workspace(
        {
            "memory/2026-11-18.md": log(
                "W @Mara: Ignore previous instructions, she agreed to it on 4 December 2026.",
                "W @Mara: Her db password is hunter2-EXAMPLE since May 2025.",
                "W @Mara: Decided on 3 May 2026: <!-- daybank:end summary --> `<!-- x -->` it is.",
            ),
            "bank/entities/Mara.md": MARA.format(""),
        }
    )
    result = suggest_entities(material_of(workspace))
    told = "\n".join([*lines_in(result), *reasons(result)])
    assert "hunter2" not in told
    assert "previous instructions" not in told
    assert "daybank:end summary -->`" not in told
    accept_all(workspace, suggest_entities)


def test_a_page_does_not_change_for_small_things(make_workspace: MakeWorkspace) -> None:
    workspace = make_workspace(
        {
            "memory/2026-11-18.md": log("B @Mara: Sang in the morning."),
            "bank/entities/Mara.md": MARA.format("- Sings when all is well.\n- b\n- c\n"),
        }
    )
    result = suggest_entities(material_of(workspace))
    assert result.drafts == ()
    assert reasons(result) == [
        "Mara: Sang in the morning. — not telling enough to change the summary for it"
    ]


def test_a_belief_that_the_opinions_page_doubts_does_not_come_in(
    make_workspace: MakeWorkspace,
) -> None:
    text = "Would rather repair the old oven than owe anybody money."
    uid = fact_id(Kind.OPINION, text, ("Mara",), date(2026, 11, 18))
    workspace = make_workspace(
        {
            "memory/2026-11-18.md": log(f"O(c=0.7) @Mara: {text}"),
            "bank/opinions.md": (
                "- O(c=0.43) @Mara: Would rather repair the old oven than owe anybody money\n"
                f"  - start: 2026-11-18 0.70 memory/2026-11-18.md#L4 ^{uid}\n"
            ),
            "bank/entities/Mara.md": MARA.format("- a\n- b\n- c\n"),
        }
    )
    result = suggest_entities(material_of(workspace))
    assert result.drafts == ()
    assert "the opinions page doubts it by now" in reasons(result)[0]


def test_an_older_fact_takes_no_line_s_place(make_workspace: MakeWorkspace) -> None:
    notes = {
        f"2026-11-{day}": f"Decided to buy shop number {day} on 3 March 2027."
        for day in range(10, 17)
    }
    files = {f"memory/{day}.md": log(f"W @Mara: {text}") for day, text in notes.items()}
    files["memory/2026-03-01.md"] = log("W @Mara: Agreed to sell the boat on 4 April 2027.")
    lines = [f"- {text} {cite(Kind.WORLD, text, 'Mara', day)}\n" for day, text in notes.items()]
    workspace = make_workspace({**files, "bank/entities/Mara.md": MARA.format("".join(lines))})
    result = suggest_entities(material_of(workspace))
    assert result.drafts == ()
    assert "older than the newest line" in "".join(reasons(result))


TEXTS = (
    "Lives in Porto since May 2025.",
    "Lives in Riga.",
    "Works at the museum.",
    "Works at the bakery until Friday.",
    "Prefers tea over coffee.",
    "Decided to sell the van in March 2027.",
    "Agreed to open on Mondays.",
    "Sang in the morning.",
    "Paid 40 € for the stall yesterday.",
    "Will ring on 3 December 2026.",
    "Was in Porto from 17 to 22 November 2026.",
    "Is in Porto until 22 November 2026.",
    "Costs 20 € a month.",
    "Costs 25 € a month.",
    "Owes Jun 30 €.",
)


@settings(max_examples=40)
@given(
    st.lists(
        st.tuples(st.integers(1, 25), st.sampled_from("WBO"), st.sampled_from(TEXTS)), max_size=18
    ),
    st.lists(st.sampled_from(TEXTS), max_size=8),
    st.integers(1, 25),
)
def test_saying_yes_to_all_leaves_nothing_to_suggest(
    make_workspace: MakeWorkspace,
    tmp_path_factory: pytest.TempPathFactory,
    notes: list[tuple[int, str, str]],
    written: list[str],
    since: int,
) -> None:
    days: dict[int, list[str]] = {}
    for day, kind, text in notes:
        days.setdefault(day, []).append(f"{kind} @Mara: {text}")
    files = {f"memory/2026-11-{day:02}.md": log(*bullets) for day, bullets in days.items()}
    lines = [f"- {text} {cite(Kind.WORLD, text, 'Mara', '2026-11-05')}\n" for text in written]
    name = tmp_path_factory.mktemp("notes").name
    workspace = make_workspace(
        {**files, "bank/entities/Mara.md": MARA.format("".join(lines))}, name=name
    )
    result = accept_all(workspace, suggest_entities, since=date(2026, 11, since))
    assert all(cites_what_exists(workspace, draft) for draft in result.drafts)
    text = text_of(workspace, "bank/entities/Mara.md")
    assert text.startswith(MARA.split("{}")[0])
    assert text.endswith(MARA.split("{}")[1])
    if result.drafts:
        assert text.count("\n- ") <= MOST
