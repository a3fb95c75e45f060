"""What a recall answers with: cited results, filters, notices, budget, and always the same."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from datetime import date
from pathlib import Path

import pytest
from core_tools import MakeWorkspace, contents, retain

from daybank import Kind, RecallAnswer, Workspace

DAY = "memory/2026-11-20.md"


def as_text(answer: RecallAnswer) -> str:
    return json.dumps(answer.to_json(), ensure_ascii=False, sort_keys=True)


FOLDER = {
    DAY: "# Thursday\n\nBought flour at the mill.\n\n"
    + retain(
        "W @Mara @Tomás: the flour comes on Tuesdays",
        "O(c=0.8) @Mara: rye flour is worth its price",
        "B: carried flour all day",
        "S @Mara: a day of flour",
    ),
    "memory/2026-11-21.md": retain("W @Tomás: flour is late, until Dec 3, 2026"),
    "bank/opinions.md": "- O(c=0.8) @Mara: rye flour is worth its price\n",
    "bank/entities/Mara.md": "---\ntitle: Mara\naliases: [Marita, Мара]\n---\n# Mara\n\nBakes.\n",
    "logs/chat.jsonl": json.dumps(
        {"ts": "2026-11-20T10:00:00Z", "direction": "in", "user_id": 1, "text": "flour again"}
    )
    + "\n"
    + json.dumps({"ts": "2026-11-20T10:01:00Z", "direction": "in", "user_id": 2, "text": "flour?"})
    + "\n",
    "DREAMS.md": "I dreamt of flour.\n",
    "notes/Bread.md": "# Bread\n\n## Dough\n\n- flour, water, salt\n",
}


@pytest.fixture
def bakery(make_workspace: MakeWorkspace) -> Workspace:
    return make_workspace(FOLDER)


# -- the shape of an answer


def test_every_result_is_cited_and_dated(bakery: Workspace) -> None:
    answer = bakery.recall("flour")
    assert len(answer.results) == 10
    for result in answer.results:
        lines = (bakery.path / result.source.path).read_text().split("\n")
        own = "\n".join(lines[result.source.line_start - 1 : result.source.line_end])
        assert "flour" in own
        assert "flour" in result.content
        assert [result.content[a:b] for a, b in result.highlights] == ["flour"]
        assert result.why.words == ("flour",)
        assert result.id.startswith("f-" if result.kind.is_fact else "p-")
        assert bakery.locate(result.source, result.id) == result.source
    dated = {r.source.path: r.day for r in answer.results}
    assert dated[DAY] == date(2026, 11, 20)
    assert dated["notes/Bread.md"] is None


def test_the_json_has_exactly_its_keys(bakery: Workspace) -> None:
    shown = bakery.recall("flour until Dec 2026", kinds=["world"], entities=["Tomás"]).to_json()
    assert set(shown) == {"query", "results", "notices"}
    assert shown["query"] == {
        "text": "flour until Dec 2026",
        "words": ["flour"],
        "entities": ["Tomás"],
        "since": None,
        "until": "2026-12-31",
        "kinds": ["world"],
    }
    results = shown["results"]
    assert isinstance(results, list)
    late = next(r for r in results if "late" in r["content"])
    assert set(late) == {
        "kind",
        "timestamp",
        "entities",
        "content",
        "source",
        "confidence",
        "id",
        "score",
        "why",
    }
    assert late["kind"] == "world"
    assert late["timestamp"] == {"start": None, "end": "2026-12-03"}
    assert late["entities"] == ["Tomás"]
    assert late["source"] == "memory/2026-11-21.md#L3"
    assert late["confidence"] is None
    assert late["why"] == {
        "words": ["flour"],
        "entities": [],
        "dates": True,
        "context": False,
        "meaning": False,
    }
    json.dumps(shown)


def test_a_day_is_a_plain_timestamp(bakery: Workspace) -> None:
    (opinion,) = bakery.recall("rye price", kinds=["opinion"]).results
    shown = opinion.to_json()
    assert (shown["timestamp"], shown["confidence"]) == ("2026-11-20", 0.8)
    (undated,) = bakery.recall("water salt").results
    assert undated.to_json()["timestamp"] is None
    assert undated.trail == ("Bread", "Dough")


def test_notices_are_spelled_in_the_json(bakery: Workspace) -> None:
    notices = bakery.recall("").to_json()["notices"]
    assert notices == [{"id": "blank", "message": "Type a word, a name or a time."}]


# -- filters


def test_kinds_keep_only_those(bakery: Workspace) -> None:
    for kind in Kind:
        answer = bakery.recall("flour", kinds=[kind])
        assert {r.kind for r in answer.results} == {kind}
    both = bakery.recall("flour", kinds=["opinion", Kind.OBSERVATION])
    assert {r.kind for r in both.results} == {Kind.OPINION, Kind.OBSERVATION}
    counts = dict(bakery.recall("flour", kinds=["opinion"]).kind_counts)
    assert counts == dict(bakery.recall("flour").kind_counts)
    assert counts[Kind.MESSAGE] == 2
    with pytest.raises(ValueError, match="dream"):
        bakery.recall("flour", kinds=["dream"])


def test_kinds_alone_browse(bakery: Workspace) -> None:
    assert {r.kind for r in bakery.recall("", kinds=["world"]).results} == {Kind.WORLD}
    assert bakery.recall("", kinds=["world"]).notices == ()


def test_entities_keep_only_what_mentions_all_of_them(bakery: Workspace) -> None:
    assert contents(bakery.recall("flour", entities=["Mara", "Tomás"])) == [
        "the flour comes on Tuesdays"
    ]
    assert len(bakery.recall("flour", entities=["Mara"]).results) == 3
    assert contents(bakery.recall("flour", entities=["Nobody"])) == []
    assert bakery.recall("", entities=["Tomás"]).query.entities == ("Tomás",)
    assert len(bakery.recall("", entities=["Tomás"]).results) == 2


def test_an_at_sign_asks_for_the_person_only(bakery: Workspace) -> None:
    assert set(contents(bakery.recall("@Tomás"))) == {
        "the flour comes on Tuesdays",
        "flour is late, until Dec 3, 2026",
    }
    assert contents(bakery.recall("@Tomás late")) == ["flour is late, until Dec 3, 2026"]
    assert contents(bakery.recall("@Mara @Tomás")) == ["the flour comes on Tuesdays"]


def test_an_alias_is_the_same_person(bakery: Workspace) -> None:
    expected = contents(bakery.recall("@Mara"))
    for alias in ("@Marita", "@мара", "@MARA", "@[Marita]"):
        assert contents(bakery.recall(alias)) == expected
        assert bakery.recall(alias).query.entities == ("Mara",)
    assert bakery.recall("what says Marita of rye").results[0].why.entities == ("Mara",)


def test_an_unknown_name_is_a_word(bakery: Workspace) -> None:
    answer = bakery.recall("@flour")
    assert answer.query.entities == ()
    assert len(answer.results) == 10


def test_a_phrase_stands_together(bakery: Workspace) -> None:
    assert contents(bakery.recall('"rye flour"')) == ["rye flour is worth its price"]
    assert contents(bakery.recall('"flour rye"')) == []
    assert contents(bakery.recall('"rye flour" Tuesdays late')) == ["rye flour is worth its price"]
    assert contents(bakery.recall('"flour is late" "until Dec"')) == [
        "flour is late, until Dec 3, 2026"
    ]


def test_the_last_word_may_be_half_typed(bakery: Workspace) -> None:
    for query in ("flour tuesd", "tuesd", "comes on tuesda"):
        assert contents(bakery.recall(query))[0] == "the flour comes on Tuesdays", query
    # A finished word is looked for as it stands.
    assert contents(bakery.recall("tuesd ")) == []
    assert contents(bakery.recall("tuesd", k=1)) == ["the flour comes on Tuesdays"]


def test_forms_of_a_word_find_each_other(make_workspace: MakeWorkspace) -> None:
    ws = make_workspace(
        {
            DAY: retain(
                "W: two deliveries came", "W: вчера были поставки муки", "W: las entregas de harina"
            )
        }
    )
    assert contents(ws.recall("delivery?")) == ["two deliveries came"]
    assert contents(ws.recall("поставка")) == ["вчера были поставки муки"]
    assert contents(ws.recall("entrega")) == ["las entregas de harina"]


def test_the_exact_word_comes_before_its_forms(make_workspace: MakeWorkspace) -> None:
    ws = make_workspace({DAY: retain("W: we bake daily", "W: a baked roll", "W: he likes baking")})
    assert contents(ws.recall("baking bread"))[0] == "he likes baking"
    assert contents(ws.recall("baked bread"))[0] == "a baked roll"


def test_a_page_is_found_by_its_title(make_workspace: MakeWorkspace) -> None:
    ws = make_workspace(
        {
            "notes/Borodinsky.md": "Rye, malt, coriander.\n",
            "notes/x.md": "---\ntitle: Sourdough\n---\n- feed it twice\n",
            "notes/y.md": "# Ciabatta\n\n- very wet\n",
        }
    )
    assert contents(ws.recall("borodinsky")) == ["Rye, malt, coriander."]
    assert contents(ws.recall("sourdough")) == ["feed it twice"]
    assert ws.recall("ciabatta").results[0].trail == ("Ciabatta",)


def test_words_may_be_left_out_of_a_persons_notes(bakery: Workspace) -> None:
    assert contents(bakery.recall("@Tomás -late")) == ["the flour comes on Tuesdays"]
    assert "flour?" not in contents(bakery.recall("in November 2026 -flour"))
    assert contents(bakery.recall("-flour", kinds=["world"])) == []


def test_april_may_be_a_person(make_workspace: MakeWorkspace) -> None:
    ws = make_workspace(
        {
            DAY: retain("W @April: likes tea", "W @Mara: likes jam"),
            "memory/2026-04-03.md": "- tea in spring\n",
        }
    )
    assert contents(ws.recall("@April")) == ["likes tea"]
    answer = ws.recall("what does April like")
    assert (answer.query.window, contents(answer)[0]) == (None, "likes tea")
    assert contents(ws.recall("tea in April")) == ["tea in spring"]


# -- entities (A07, A08)


def test_names_that_differ_by_a_number_are_two(make_workspace: MakeWorkspace) -> None:
    ws = make_workspace(
        {
            DAY: retain("W @Flat-7: boiler fixed", "W @Flat-8: still no heating"),
            "memory/2026-11-21.md": retain(*(f"B @Oman @Me: walk {n}" for n in range(40))),
            "memory/2026-11-22.md": retain("W @Roman @Me: joined the choir"),
        }
    )
    assert {e.name for e in ws.entities()} == {"Flat-7", "Flat-8", "Oman", "Roman", "Me"}
    assert contents(ws.recall("@Flat-7")) == ["boiler fixed"]
    assert contents(ws.recall("Flat-8 heating")) == ["still no heating"]
    assert contents(ws.recall("Flat-7"))[0] == "boiler fixed"
    assert contents(ws.recall("@Roman")) == ["joined the choir"]
    roman = ws.entity("Roman")
    assert roman is not None
    assert [fact.content for fact in roman.facts] == ["joined the choir"]
    assert roman.together == (("Me", 1),)


def test_case_makes_no_second_person(make_workspace: MakeWorkspace) -> None:
    ws = make_workspace(
        {
            DAY: retain("W @peter: one", "W @Peter: two", "W @PETER: three", "B: met [[Peter]]"),
            "bank/entities/peter.md": "# Peter\n",
        }
    )
    ws.path.joinpath("bank/entities/peter.md").rename(ws.path / "bank/entities/Peter.md")
    ws.sync()
    (known,) = ws.entities("pet")
    assert (known.name, known.mentions) == ("Peter", 5)
    entity = ws.entity("PETER")
    assert entity is not None
    assert entity.page == "bank/entities/Peter.md"
    assert len(ws.recall("@peter").results) == 5


# -- duplicates, flags, notices


def test_the_same_fact_in_log_and_bank_shows_once(bakery: Workspace) -> None:
    found = [r for r in bakery.recall("rye price").results if "rye" in r.content]
    assert [r.source.path for r in found] == [DAY]


def test_the_same_text_on_two_days_is_two_facts(make_workspace: MakeWorkspace) -> None:
    ws = make_workspace({f"memory/2026-11-{d}.md": retain("B: swam a mile") for d in (20, 21)})
    assert [r.day for r in ws.recall("swam").results] == [date(2026, 11, 21), date(2026, 11, 20)]


def test_the_same_text_twice_on_a_day_is_one(make_workspace: MakeWorkspace) -> None:
    ws = make_workspace(
        {
            DAY: retain("B: swam a mile", "B: Swam  a mile"),
            DAY[:-3] + "-two.md": retain("B: swam a mile"),
        }
    )
    assert len(ws.recall("swam").results) == 1


def test_machines_and_strangers_are_flagged(bakery: Workspace) -> None:
    flags = {r.content: (r.machine, r.untrusted) for r in bakery.recall("flour").results}
    assert flags["I dreamt of flour."] == (True, False)
    assert flags["flour?"] == (False, True)
    assert flags["flour again"] == (False, False)


def test_nothing_in_the_window_says_how_much_is_outside(bakery: Workspace) -> None:
    answer = bakery.recall("flour in March 2029")
    assert answer.results == ()
    (notice,) = answer.notices
    assert notice.id == "nothing-in-window"
    assert "10" in notice.message
    assert bakery.recall("zebra in March 2029").notices[0].id == "nothing-in-window"
    assert bakery.recall("zebra").notices == ()


def test_a_folder_that_was_never_read_says_so(make_workspace: MakeWorkspace) -> None:
    ws = make_workspace({DAY: "flour\n"}, sync=False)
    assert [n.id for n in ws.recall("flour").notices] == ["not-indexed"]
    ws.sync()
    assert ws.recall("flour").notices == ()


# -- how much


def test_k_limits_and_found_counts(make_workspace: MakeWorkspace) -> None:
    ws = make_workspace({DAY: retain(*(f"W: tea number {n}" for n in range(60)))})
    answer = ws.recall("tea", k=7)
    assert (len(answer.results), answer.found, answer.found_is_exact) == (7, 60, True)
    assert contents(ws.recall("tea", k=0)) == []
    assert contents(ws.recall("tea", k=60))[:7] == contents(answer)


def test_a_budget_is_kept_and_told(make_workspace: MakeWorkspace) -> None:
    ws = make_workspace(
        {DAY: retain("W: tea " + "x" * 36, "W: tea for two " + "y" * 400, "W: tea now")}
    )
    answer = ws.recall("tea", budget=20)
    assert sum(len(content) for content in contents(answer)) <= 20 * 4
    assert set(contents(answer)) == {"tea " + "x" * 36, "tea now"}
    assert [notice.id for notice in answer.notices] == ["cut"]
    assert ws.recall("tea", budget=1_000).notices == ()
    assert contents(ws.recall("tea", budget=0)) == []


# -- always the same


QUERIES = [
    "flour",
    "what does Mara think of rye",
    "Tomás late",
    "last week",
    "@Mara",
    '"rye flour"',
    "flour -late",
    "tuesd",
    "in November 2026",
    "bread dough flour water salt",
]


def answers(ws: Workspace) -> Mapping[str, str]:
    return {query: as_text(ws.recall(query)) for query in QUERIES}


def test_a_rebuilt_index_answers_byte_for_byte_the_same(bakery: Workspace) -> None:
    before = answers(bakery)
    bakery.sync(rebuild=True)
    assert answers(bakery) == before


def test_history_leaves_no_trace(make_workspace: MakeWorkspace, tmp_path: Path) -> None:
    ws = make_workspace({"memory/2026-11-21.md": retain("B: other text"), "z.md": "flour gone\n"})
    for path in reversed(FOLDER):
        place = ws.path / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(FOLDER[path])
        ws.sync()
    (ws.path / "z.md").unlink()
    ws.sync()
    grown = answers(ws)
    fresh = make_workspace(FOLDER, name="fresh")
    assert grown == answers(fresh)
    ws.close()
    shutil.rmtree(ws.path / ".memory")
    ws.sync()
    assert answers(ws) == grown


def test_equal_scores_are_ordered_by_day_file_and_line(make_workspace: MakeWorkspace) -> None:
    ws = make_workspace(
        {
            "memory/2026-11-18.md": retain("B: swam one", "B: swam two"),
            "memory/2026-11-20.md": retain("B: swam six", "B: swam few"),
            "memory/2026-11-20-a.md": retain("B: swam nil", "B: swam far"),
        }
    )
    newest_first = ["swam nil", "swam far", "swam six", "swam few", "swam one", "swam two"]
    assert contents(ws.recall("swam")) == newest_first


def test_a_day_that_speaks_of_it_twice_comes_first(make_workspace: MakeWorkspace) -> None:
    ws = make_workspace(
        {
            "memory/2026-11-18.md": retain("B: swam one", "B: swam two"),
            "memory/2026-11-20.md": retain("B: swam six", "B: walked home"),
        }
    )
    assert contents(ws.recall("swam")) == ["swam one", "swam two", "swam six"]


def test_an_old_note_is_not_hidden_by_its_age(make_workspace: MakeWorkspace) -> None:
    files = {f"memory/2026-11-{d:02}.md": f"- keys on the table, day {d}\n" for d in range(1, 27)}
    ws = make_workspace({**files, "memory/2019-03-02.md": "- spare keys are with the neighbour\n"})
    assert contents(ws.recall("spare keys neighbour"))[0] == "spare keys are with the neighbour"


def test_a_busy_day_does_not_hide_the_week(make_workspace: MakeWorkspace) -> None:
    files = {f"memory/2026-11-{d}.md": f"- tea on day {d}\n" for d in (16, 17, 18, 19)}
    busy = "".join(f"- tea cup number {n}\n" for n in range(40))
    ws = make_workspace({**files, "memory/2026-11-20.md": busy})
    for query in ("tea last week", "last week"):
        days = {r.day for r in ws.recall(query, k=15).results}
        assert days == {date(2026, 11, d) for d in (16, 17, 18, 19, 20)}, query


def test_a_bare_month_is_the_coming_one_where_only_that_is_spoken_of(
    make_workspace: MakeWorkspace,
) -> None:
    note = retain("W @Tomás: cerrado del 24 al 26 de diciembre")
    ws = make_workspace({"memory/2026-11-25.md": note})
    answer = ws.recall("¿cuándo cierra Tomás en diciembre?")
    assert contents(answer) == ["cerrado del 24 al 26 de diciembre"]
    assert answer.query.to_json()["since"] == "2026-12-01"
    past = make_workspace(
        {"memory/2026-11-25.md": note, "memory/2025-12-05.md": "- Tomás cierra temprano\n"},
        name="past",
    )
    assert past.recall("cierra Tomás en diciembre").query.to_json()["since"] == "2025-12-01"
