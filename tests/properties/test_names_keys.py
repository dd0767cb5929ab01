"""Folding, comparing and sorting of names."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from federation.core.names import Candidate, fold, fold_key, initials, same_spelling, skeleton, sort_key, suggest

LETTERS = "aàbcçdéeghiïjlmnñoóqrsșştțțuúüvxyzAÀÇÉÑȘȚабвгёйцчшщюяЁЙЩ·-' .,"
NAMES = st.text(LETTERS, max_size=30)


@given(st.text(max_size=40))
@settings(max_examples=300, deadline=None)
def test_fold_is_plain_and_stable(name: str) -> None:
    folded = fold(name)
    assert folded.isascii()
    assert folded == " ".join(folded.split())
    assert fold(folded) == folded
    assert sort_key(name, "ca").isascii()
    initials(name, name)


@given(NAMES)
@settings(max_examples=300, deadline=None)
def test_case_does_not_matter(name: str) -> None:
    assert fold(name.upper()) == fold(name.lower())
    assert same_spelling(name, f"  {name.upper()} ")


@given(
    st.lists(st.text("abcdeàçñșёйщ", min_size=1, max_size=8), min_size=1, max_size=4), st.randoms(use_true_random=False)
)
@settings(max_examples=200, deadline=None)
def test_word_order_does_not_matter(words: list[str], random) -> None:
    shuffled = list(words)
    random.shuffle(shuffled)
    assert fold_key(" ".join(words)) == fold_key(" ".join(shuffled))
    assert skeleton(" ".join(words)) == skeleton(" ".join(shuffled))


@given(st.lists(NAMES, max_size=12), st.sampled_from(["ca", "es", "it", "ro", "ru", "en"]))
@settings(max_examples=200, deadline=None)
def test_sort_key_prefixes_come_first(names: list[str], language: str) -> None:
    for name in names:
        assert sort_key(name, language) <= sort_key(f"{name} z", language) or not fold(name)
        assert sort_key(name, language) == sort_key(name.strip(), language)


@given(NAMES, st.lists(NAMES, max_size=10))
@settings(max_examples=200, deadline=None)
def test_suggestions_are_repeatable_and_ordered(name: str, others: list[str]) -> None:
    candidates = [Candidate(place, other) for place, other in enumerate(others)]
    found = suggest(name, candidates)
    assert found == suggest(name, candidates)
    assert [suggestion.score for suggestion in found] == sorted((s.score for s in found), reverse=True)
    assert all(0 <= suggestion.score <= 100 for suggestion in found)
