"""What a person can choose from agrees with what fastembed can run."""

from __future__ import annotations

import pytest

from daybank.embedding.catalogue import CATALOGUE, downloadable, find_model, registry


def test_names_are_those_of_the_settings_page():
    assert {"Built in", "Many languages", "Many languages, thorough"} <= {m.name for m in CATALOGUE}
    assert len({model.id for model in CATALOGUE}) == len(CATALOGUE)


def test_a_model_is_found_by_either_name():
    by_id = find_model("many-languages")
    assert by_id is not None
    assert find_model("sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2") is by_id
    assert find_model("nothing") is None


def test_licences_allow_every_use():
    assert {model.licence for model in CATALOGUE} <= {"Apache-2.0", "MIT"}


def test_it_says_what_fastembed_says():
    pytest.importorskip("fastembed")
    known = registry()
    for model in CATALOGUE:
        entry = known[model.model_id]
        assert entry["dim"] == model.dimension
        assert str(entry["license"]).lower() == model.licence.lower()
    for model in downloadable():
        entry = known[model.model_id]
        assert entry["sources"]["hf"] == model.repository
        assert {entry["model_file"], *entry["additional_files"]} <= set(model.files)
        assert entry["size_in_GB"] * 1e9 == pytest.approx(model.size_bytes)
