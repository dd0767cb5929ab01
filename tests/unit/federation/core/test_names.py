from __future__ import annotations

import pytest

from federation.core.names import (
    Candidate,
    NameIndex,
    fold,
    fold_key,
    initials,
    reason_for,
    same_spelling,
    sort_key,
    suggest,
)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Gal·la Prat", "Galla Prat"),
        ("Gal·la Prat", "GAL.LA PRAT"),
        ("Gal·la Prat", "Gal-la Prat"),
        ("Gal·la Prat", "Gaŀla Prat"),
        ("Gal·la Prat", "Gal•la Prat"),
        ("Anna Bell-lloc", "Anna Bell lloc"),
        ("Begoña Muñoz", "begona munoz"),
        ("Ștefan Țurcanu", "Şţefan Ţurcanu".replace("Şţ", "Şt")),
        ("Ștefan Țurcanu", "Stefan Turcanu"),
        ("Aina d'Estepa", "Aina d’Estepa"),
        ("Aina d'Estepa", "Aina dEstepa"),
        ("Jürgen Groß", "Jurgen Gross"),
        ("Łukasz Østergård", "Lukasz Ostergard"),
        ("Пётр Ёлкин", "Петр Елкин"),
        ("Вера Осинцева", "Vera Osintseva"),
    ],
)
def test_fold_makes_equal(one: str, other: str) -> None:
    assert fold(one) == fold(other)


def test_word_order_and_comma_do_not_matter_to_the_key() -> None:
    assert fold_key("Càdec, Ona") == fold_key("ona cadec") == "cadec ona"


@pytest.mark.parametrize(
    "latin", ["Vera Osinceva", "Vera Ossintseva", "Wera Ossinzewa", "Osintseva Vera", "Vera Osintzeva"]
)
def test_romanisations_meet(latin: str) -> None:
    assert reason_for("Вера Осинцева", latin) == "script"


@pytest.mark.parametrize(
    ("cyrillic", "latin"),
    [
        ("Юлия Щербакова", "Yuliya Shcherbakova"),
        ("Юлия Щербакова", "Iulia Scherbakova"),
        ("Евгений Кузнецов", "Yevgeniy Kuznetsov"),
        ("Пётр Чайковский", "Piotr Tchaikovsky"),
        ("Алексей Жуков", "Alexey Zhukov"),
        ("Фёдор Хачатурян", "Fyodor Khachaturyan"),
    ],
)
def test_scripts_meet(cyrillic: str, latin: str) -> None:
    assert reason_for(cyrillic, latin) == "script"


def test_only_case_and_blanks_are_the_same_spelling() -> None:
    assert same_spelling("ONA   CÀDEC", "Ona Càdec")
    assert same_spelling("Ona Ca\u0300dec", "Ona Càdec")
    assert not same_spelling("Ona Cadec", "Ona Càdec")
    assert not same_spelling("Càdec Ona", "Ona Càdec")
    assert not same_spelling("Vera Osintseva", "Вера Осинцева")


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("aina maria de la torre", "same"),
        ("Ainà María dé la Torre", "accents"),
        ("de la Torre, Aina Maria", "word_order"),
        ("Aina Maria Delatorre", "joined"),
        ("Aina Maria de la Tor", "truncated"),
        ("A. M. de la Torre", "initials"),
    ],
)
def test_reasons(name: str, reason: str) -> None:
    assert reason_for(name, "Aina Maria de la Torre") == reason


def test_different_people_have_no_reason() -> None:
    assert reason_for("Ona Càdec", "Pol Estepa") is None
    assert reason_for("Ona Càdec", "Ona Cardona") is None


def test_suggestions_are_ordered_and_one_a_person() -> None:
    people = [
        Candidate(1, "Gianmarco Bellondi"),
        Candidate(1, "G. Bellondi"),
        Candidate(2, "Marco Bellandini"),
        Candidate(3, "Pol Estepa"),
    ]
    found = suggest("Gianmarco Belondi", people)
    assert found[0].key == 1
    assert [suggestion.key for suggestion in found].count(1) == 1
    assert 3 not in [suggestion.key for suggestion in found]
    assert found[0].reason == "similar"
    assert found[0].distance == 1


def test_rating_confirms() -> None:
    people = [Candidate("a", "Joan Prat", 900), Candidate("b", "Joana Prat", 1100)]
    found = suggest("Joan Pratt", people, rating=1100)
    assert {suggestion.key: suggestion.rating_confirms for suggestion in found} == {"a": False, "b": True}


def test_index_finds_exact_spelling() -> None:
    index = NameIndex([Candidate(1, "Ona Càdec"), Candidate(2, "ONA CÀDEC"), Candidate(3, "Ona Cadec")])
    assert [candidate.key for candidate in index.with_spelling("ona càdec")] == [1, 2]


def test_no_candidates() -> None:
    assert suggest("Ona", []) == []
    assert NameIndex([Candidate(1, "Ona")]).suggest_many([]) == []
    assert suggest("", [Candidate(1, "Ona")]) == []


@pytest.mark.parametrize(
    ("language", "names"),
    [
        ("ca", ["Cela", "Çelik", "Czar", "Gal·la", "Galla Vila", "Gallart", "Nuria", "Núria", "Иван"]),
        ("es", ["Nuez", "Nuzo", "Ñandú", "Oca"]),
        ("it", ["Abate", "D'Amico", "Danieli", "Zanè"]),
        ("ro", ["az", "ăb", "âb", "ba", "iz", "îa", "sz", "șa", "tz", "ța"]),
        ("ru", ["Егор", "Ёлкин", "Ель", "Жук", "Иван", "Abate"]),
        ("en", ["Abate", "Bell-Lloc", "Bell Z", "Bella", "O'Brien", "Obst"]),
    ],
)
def test_collation(language: str, names: list[str]) -> None:
    mixed = names[::-1]
    assert sorted(mixed, key=lambda name: sort_key(name, language)) == names


def test_sort_key_is_plain() -> None:
    key = sort_key("Ștefan Țurcanu-Vlad 漢", "ro")
    assert key.isascii()
    assert key.isalnum()
    assert key == key.lower()


@pytest.mark.parametrize(
    ("given", "family", "expected"),
    [
        ("Aina Maria", "d'Estepa i Om", "A. M. E. O."),
        ("Вера", "Осинцева", "В. О."),
        ("Ștefan", "Țurcanu-Vlad", "Ș. Ț. V."),
        ("", "", ""),
    ],
)
def test_initials(given: str, family: str, expected: str) -> None:
    assert initials(given, family) == expected
