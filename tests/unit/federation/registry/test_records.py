"""Texts as the registry keeps them."""

import pytest

from federation.registry.services.records import clean_text


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("  Neus \t Farriol\n", "Neus Farriol"),
        ("Càdec", "Càdec"),
        ("Neus\x00Farriol", "Neus Farriol"),
        # Marks of direction and other invisible ones: the pages would show another name.
        ("Neus \u202eFarriol", "Neus Farriol"),
        ("\ufeffNeus\u200b Far\u00adriol\u2069", "Neus Farriol"),
        # Joiners belong to the spelling.
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("Pal·lares i Ñó", "Pal·lares i Ñó"),
        (None, ""),
    ],
)
def test_clean_text(typed, kept):
    assert clean_text(typed) == kept
