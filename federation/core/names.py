"""Names of people: folding, comparing, suggesting, sorting and shortening.

Only `same_spelling` may link a name with a person without asking (ARCHITECTURE section 6). Everything else here makes
suggestions: `fold` forgets case, accents, punctuation and script; `skeleton` also forgets how a Cyrillic name was
romanised.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Generic, Literal, TypeVar

import numpy as np
from rapidfuzz import fuzz, process

Reason = Literal["same", "accents", "word_order", "script", "joined", "truncated", "initials", "similar"]
"""Why a name is suggested: the same spelling; accents, hyphens or the like; order of words; script or romanisation;
blanks; cut at 20 characters; initials; similar letters."""

Key = TypeVar("Key", bound=Hashable)

TRUNCATED_AT = 20
"""Columns of a name in an AUPAIR tournament file; longer names are cut."""

# Letters that do not fall apart into a base letter and an accent.
_LETTERS = str.maketrans(
    {
        "ß": "ss", "ł": "l", "ø": "o", "æ": "ae", "œ": "oe", "đ": "d", "ð": "d", "þ": "th", "ı": "i", "ħ": "h",
        "ŧ": "t", "ŋ": "n", "ĸ": "k", "ə": "e", "ĳ": "ij", "ſ": "s", "ª": "a", "º": "o",
    }
)  # fmt: skip

# One romanisation of the Cyrillic alphabets (close to BGN/PCGN), after accents were taken off: ё is е, й is и there.
_CYRILLIC = {
    "а": "a", "б": "b", "в": "v", "г": "g", "д": "d", "е": "e", "ж": "zh", "з": "z", "и": "i", "й": "y", "к": "k",
    "л": "l", "м": "m", "н": "n", "о": "o", "п": "p", "р": "r", "с": "s", "т": "t", "у": "u", "ф": "f", "х": "kh",
    "ц": "ts", "ч": "ch", "ш": "sh", "щ": "shch", "ъ": "", "ы": "y", "ь": "", "э": "e", "ю": "yu", "я": "ya",
    "ё": "e", "і": "i", "ї": "i", "є": "ye", "ґ": "g", "ў": "u", "ј": "j", "љ": "lj", "њ": "nj", "ћ": "c", "ђ": "dj",
    "џ": "dz", "ѕ": "dz", "ѓ": "g", "ќ": "k", "ѣ": "e", "ѳ": "f", "ѵ": "i",
}  # fmt: skip

_SEPARATED_LL = re.compile(r"(?<!l)l[·.•‧∙⋅・\-‐‑](?=l(?!l))")
_APOSTROPHES = re.compile("['’‘`´ʼʹʺ′ˈ\"“”]")
_NOT_WORD = re.compile(r"[^a-z0-9]+")
_PARTICLES = frozenset(
    "d da das de del dels della der di do dos du e el i la las le les lo los the van von y и".split()  # noqa: SIM905 - a list of words
)


def _fold_cyrillic(text: str) -> str:
    """Romanise, with the endings -ий and -ый as y."""
    text = re.sub(r"[иы][й](?!\w)", "й", text)
    return "".join(_CYRILLIC.get(character, character) for character in text)


@lru_cache(maxsize=400_000)
def _fold_text(text: str) -> str:
    text = unicodedata.normalize("NFC", text).casefold()
    if not text.isascii():
        text = text.replace("ŀ", "l·")
        text = _SEPARATED_LL.sub("l", text)
        # й would lose its breve with the accents and become и.
        text = _fold_cyrillic(text)
        text = unicodedata.normalize("NFKD", text)
        text = "".join(character for character in text if not unicodedata.combining(character))
        text = _fold_cyrillic(text.translate(_LETTERS))
    elif "l.l" in text or "l-l" in text:
        text = _SEPARATED_LL.sub("l", text)
    if not text.isalpha():
        text = _APOSTROPHES.sub("", text)
    return text if text.isascii() and text.isalnum() else _NOT_WORD.sub(" ", text).strip()


def fold(name: str) -> str:
    """Return a name without case, accents, apostrophes, punctuation and script: words of a-z and 0-9.

    >>> fold("Gal·la d'Estepa-Prat"), fold("Șerban Țăran"), fold("Вера Осинцева")
    ('galla destepa prat', 'serban taran', 'vera osintseva')
    """
    # Longer words are no names; remembering them would only fill the memory.
    words = (_fold_text(word) if len(word) <= 40 else _fold_text.__wrapped__(word) for word in name.split())
    return " ".join(filter(None, words))


def fold_key(name: str) -> str:
    """Return the folded words in alphabetical order, the key that ignores word order.

    >>> fold_key("Càdec, Ona") == fold_key("ona CADEC")
    True
    """
    return " ".join(sorted(fold(name).split()))


# Spellings that different romanisations give to one Cyrillic letter, longest first. Sibilants become one letter:
# that is coarse, but what follows from it is only a suggestion.
_SKELETON = (
    (re.compile("shtsch|schtsch|chtch|shch|sht|tsch|tch|sch|zsch|dzh|tsh"), "s"),
    (re.compile("(?<=i)j"), "i"),
    (re.compile("sh|ch|zh|ts|tz|cz|sz|dz|ss|c(?=[eiy])|[zj](?=[aeiouy])"), "s"),
    (re.compile("[zj]$"), "s"),
    (re.compile("kh|h"), "h"),
    (re.compile("x"), "ks"),
    (re.compile("ph"), "f"),
    (re.compile("ff$|w"), "v"),
    (re.compile("ou"), "u"),
    (re.compile("[yj]"), "i"),
    (re.compile("ie|io|eo"), "e"),
    (re.compile("ii+$|ei$|i$"), "i"),
    (re.compile("z"), "s"),
    (re.compile("c"), "k"),
    (re.compile(r"(.)\1+"), r"\1"),
)


@lru_cache(maxsize=400_000)
def _skeleton_word(word: str) -> str:
    for pattern, replacement in _SKELETON:
        word = pattern.sub(replacement, word)
    return word


def skeleton(name: str) -> str:
    """Return what different romanisations of a name have in common, words in alphabetical order.

    >>> skeleton("Вера Осинцева") == skeleton("Osinceva Vera") == skeleton("Wera Ossinzewa")
    True
    """
    return " ".join(sorted(_skeleton_word(word) for word in fold(name).split()))


def spelling(name: str) -> str:
    """Return the key of `same_spelling`: composed letters, no case, single blanks.

    >>> spelling("  ONA   Càdec ")
    'ona càdec'
    """
    return " ".join(unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold()).split())


def same_spelling(one: str, other: str) -> bool:
    """Whether two names are equal, case and blanks aside. Only this may link without asking.

    >>> same_spelling("ONA CÀDEC", "Ona  Càdec"), same_spelling("Ona Cadec", "Ona Càdec")
    (True, False)
    """
    return spelling(one) == spelling(other)


def reason_for(one: str, other: str) -> Reason | None:
    """Return in what two names differ, None if more than a way of writing separates them."""
    if same_spelling(one, other):
        return "same"
    first, second = fold(one), fold(other)
    if not first or not second:
        return None
    either_cyrillic = _has_cyrillic(one) != _has_cyrillic(other)
    if first == second:
        return "script" if either_cyrillic else "accents"
    first_words, second_words = sorted(first.split()), sorted(second.split())
    if first_words == second_words:
        return "script" if either_cyrillic else "word_order"
    if first.replace(" ", "") == second.replace(" ", ""):
        return "joined"
    if skeleton(one) == skeleton(other) and (either_cyrillic or _single_letters(one) != _single_letters(other)):
        return "script"
    if _is_truncation(first, second):
        return "truncated"
    return "initials" if _are_initials(first_words, second_words) else None


def _single_letters(name: str) -> str:
    """Doubled letters are a matter of spelling, not of romanisation."""
    return re.sub(r"(.)\1+", r"\1", fold_key(name))


def _has_cyrillic(text: str) -> bool:
    return any("\u0400" <= character <= "\u052f" for character in text)


def _is_truncation(first: str, second: str) -> bool:
    """Whether the shorter text is the longer one cut near the width of a column, in the same order of words."""
    short, long = sorted((first, second), key=len)
    return TRUNCATED_AT - 3 <= len(short) <= TRUNCATED_AT and len(short) < len(long) and long.startswith(short)


def _are_initials(first: Sequence[str], second: Sequence[str]) -> bool:
    """Whether one name is the other with some words reduced to initials, at least one word being whole."""
    short, long = sorted((list(first), list(second)), key=lambda words: sum(map(len, words)))
    if len(short) < 2 or not any(len(word) > 1 for word in short) or all(len(word) > 1 for word in short):
        return False
    rest = list(long)
    for word in sorted(short, key=len, reverse=True):
        fits = [other for other in rest if (other == word if len(word) > 1 else other.startswith(word))]
        if not fits:
            return False
        rest.remove(fits[0])
    return True


@dataclass(frozen=True, slots=True)
class Candidate(Generic[Key]):
    """A name that may be suggested: a person's name or alias, with the rating if there is one."""

    key: Key
    name: str
    rating: int | None = None


@dataclass(frozen=True, slots=True)
class Suggestion(Generic[Key]):
    """A suggested person.

    Attributes:
        key: the candidate's key.
        name: the name or alias that fits.
        score: 0 to 100.
        reason: in what the names differ.
        distance: letters that differ, ways of writing aside.
        rating_confirms: whether the file's rating is the candidate's.
    """

    key: Key
    name: str
    score: int
    reason: Reason
    distance: int = 0
    rating_confirms: bool = False


_REASON_SCORES: dict[Reason, int] = {
    "same": 100,
    "accents": 97,
    "word_order": 95,
    "script": 93,
    "joined": 92,
    "truncated": 90,
    "initials": 80,
}

SIMILAR_FROM = 70
"""Lowest similarity of folded names, 0 to 100, that is worth a suggestion."""


class NameIndex(Generic[Key]):
    """Names prepared for many searches; 100 000 names take about a second to prepare and 200 searches less."""

    def __init__(self, candidates: Iterable[Candidate[Key]]) -> None:
        self.candidates = tuple(candidates)
        self._keys = [fold_key(candidate.name) for candidate in self.candidates]
        self._exact: dict[str, list[int]] = {}
        self._skeletons: dict[str, list[int]] | None = None
        for position, candidate in enumerate(self.candidates):
            self._exact.setdefault(spelling(candidate.name), []).append(position)

    def with_spelling(self, name: str) -> list[Candidate[Key]]:
        """Return the candidates spelled so, case and blanks aside, in the order given."""
        return [self.candidates[position] for position in self._exact.get(spelling(name), ())]

    def suggest(self, name: str, limit: int = 5, rating: int | None = None) -> list[Suggestion[Key]]:
        """Return the best suggestions for one name, see `suggest_many`."""
        return self.suggest_many([name], limit, [rating])[0]

    def suggest_many(
        self, names: Sequence[str], limit: int = 5, ratings: Sequence[int | None] = ()
    ) -> list[list[Suggestion[Key]]]:
        """Return for each name its best suggestions, one a person, best first, ties by name and position.

        Args:
            names: names as the file has them.
            limit: most suggestions for one name.
            ratings: rating of each name in the file, if any; equality raises the score.
        """
        if not self.candidates or not names:
            return [[] for _ in names]
        keys = [fold_key(name) for name in names]
        wanted = min(len(self.candidates), 4 * limit + 8)
        found: list[list[Suggestion[Key]]] = []
        block = max(1, 20_000_000 // len(self.candidates))
        for start in range(0, len(names), block):
            scores = process.cdist(
                keys[start : start + block], self._keys, scorer=fuzz.ratio, score_cutoff=50, dtype=np.uint8, workers=-1
            )
            for offset, row in enumerate(scores):
                position = start + offset
                rating = ratings[position] if position < len(ratings) else None
                near = np.argpartition(row, -wanted)[-wanted:] if wanted < len(row) else np.arange(len(row))
                # All of the last score, so that ties do not depend on the partition.
                floor = max(int(row[near].min()), 1)
                near = np.flatnonzero(row >= floor)[: 50 * wanted]
                positions = {int(other) for other in near} | set(self._by_skeleton(names[position]))
                found.append(self._ranked(names[position], keys[position], sorted(positions), limit, rating))
        return found

    def _by_skeleton(self, name: str) -> list[int]:
        if self._skeletons is None:
            self._skeletons = {}
            for position, key in enumerate(self._keys):
                reduced = " ".join(sorted(map(_skeleton_word, key.split())))
                self._skeletons.setdefault(reduced, []).append(position)
        return self._skeletons.get(skeleton(name), [])[:200]

    def _ranked(
        self, name: str, key: str, positions: Iterable[int], limit: int, rating: int | None
    ) -> list[Suggestion[Key]]:
        best: dict[Key, tuple[tuple[int, str, int], Suggestion[Key]]] = {}
        for position in positions:
            candidate = self.candidates[position]
            suggestion = _suggestion(name, key, self._keys[position], candidate, rating)
            if suggestion is None:
                continue
            order = (-suggestion.score, candidate.name, position)
            if candidate.key not in best or order < best[candidate.key][0]:
                best[candidate.key] = (order, suggestion)
        return [suggestion for _, suggestion in sorted(best.values(), key=lambda pair: pair[0])[:limit]]


def _suggestion(
    name: str, key: str, other_key: str, candidate: Candidate[Key], rating: int | None
) -> Suggestion[Key] | None:
    confirms = bool(rating) and rating == candidate.rating
    reason = reason_for(name, candidate.name)
    if reason is not None:
        score = _REASON_SCORES[reason]
    else:
        similarity = max(
            fuzz.ratio(key, other_key),
            fuzz.ratio(fold(name), fold(candidate.name)),
            fuzz.ratio(skeleton(name), skeleton(candidate.name)) - 5,
        )
        if similarity < (SIMILAR_FROM - 10 if confirms else SIMILAR_FROM):
            return None
        reason, score = "similar", round(similarity * 0.9)
    score = min(100, score + 5) if confirms and reason != "same" else score
    distance = 0 if reason not in ("similar", "truncated", "initials") else _letters_apart(key, other_key)
    return Suggestion(candidate.key, candidate.name, score, reason, distance, confirms)


def _letters_apart(one: str, other: str) -> int:
    return round((1 - fuzz.ratio(one, other) / 100) * (len(one) + len(other)) / 2)


def suggest(
    name: str, candidates: Iterable[Candidate[Key]], limit: int = 5, rating: int | None = None
) -> list[Suggestion[Key]]:
    """Return the best suggestions for one name among some candidates.

    For many names over the same candidates make a `NameIndex` once.

    >>> [(s.key, s.reason) for s in suggest("Cadec, Ona", [Candidate(1, "Ona Càdec"), Candidate(2, "Pol Estepa")])]
    [(1, 'word_order')]
    """
    return NameIndex(candidates).suggest(name, limit, rating)


# Letters that have a place of their own in an alphabet, after the letter named.
_OWN_LETTERS: dict[str, dict[str, str]] = {
    "es": {"ñ": "n"},
    "ro": {"ă": "a", "â": "aă", "î": "i", "ș": "s", "ş": "s", "ț": "t", "ţ": "t"},
}
_RUSSIAN = "абвгґдежзиійклмнопрстуўфхцчшщъыьэєюяї"
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def sort_key(name: str, language: str = "en") -> str:
    """Return a text of 0-9 and a-z that sorts names as the language does, in any database and collation.

    First letters, then accents. Blanks, hyphens and apostrophes count less than any letter, «l·l» sorts as two
    letters; ñ comes after n in Spanish, ă, â, î, ș, ț after their letters in Romanian; ё is a variant of е; Cyrillic
    names come after Latin ones, before them in Russian.

    >>> sorted(["Nuñez", "Nuzo", "Núñez", "Nunez"], key=lambda name: sort_key(name, "es"))
    ['Nunez', 'Nuñez', 'Núñez', 'Nuzo']
    """
    language = language.split("-")[0].split("_")[0].lower()
    own = _OWN_LETTERS.get(language, {})
    text = unicodedata.normalize("NFC", name).casefold().replace("ŀ", "l·")
    text = _APOSTROPHES.sub("", _SEPARATED_LL.sub("l", text))
    primary: list[str] = []
    secondary: list[str] = []
    for character in text:
        for code, accent in _weights(character, own, language):
            primary.append(code)
            secondary.append(accent)
    # Blanks and punctuation are one separator, none at the ends.
    codes: list[str] = []
    accents: list[str] = []
    for code, accent in zip(primary, secondary, strict=True):
        if code == "02" and (not codes or codes[-1] == "02"):
            continue
        codes.append(code)
        accents.append(accent)
    if codes and codes[-1] == "02":
        codes.pop()
        accents.pop()
    return "".join(codes) + "00" + "".join(accents).rstrip("0")


def _weights(character: str, own: dict[str, str], language: str) -> list[tuple[str, str]]:
    """Return pairs of a two-digit letter code and a one-digit accent code.

    Codes: 02 separator, 1x digits, Latin letters from 20 in steps of 8 in base 36 so that own letters fit between.
    """
    if character in own:
        after = own[character]
        return [(_code(_latin(after[0]) + len(after)), "0")]
    if "\u0400" <= character <= "\u052f":
        base = "е" if character == "ё" else character
        if base not in _RUSSIAN:
            base = unicodedata.normalize("NFD", base)[0]
        place = _RUSSIAN.find(base)
        if place < 0:
            place = len(_RUSSIAN)
        start = 46 if language == "ru" else 700
        return [(_code(start + place), "1" if character == "ё" else "0")]
    plain = unicodedata.normalize("NFKD", character)
    accent = next((_accent(mark) for mark in plain if unicodedata.combining(mark)), "0")
    letters = "".join(mark for mark in plain if not unicodedata.combining(mark)).translate(_LETTERS)
    weights: list[tuple[str, str]] = []
    for letter in letters:
        if "a" <= letter <= "z":
            weights.append((_code(_latin(letter)), accent if letters == plain[:1] or accent != "0" else "1"))
        elif "0" <= letter <= "9":
            weights.append((_code(36 + int(letter)), "0"))
        elif letter.isalnum():
            weights.append((_code(1200 + ord(letter) % 90), "0"))
        else:
            weights.append(("02", "0"))
    return weights


def _latin(letter: str) -> int:
    return 100 + 4 * (ord(letter) - ord("a"))


def _code(number: int) -> str:
    return _DIGITS[number // 36] + _DIGITS[number % 36]


def _accent(mark: str) -> str:
    place = "\u0301\u0300\u0302\u0308\u0303\u0327\u0306\u030a\u0326\u030c".find(mark)
    return _DIGITS[place + 2] if place >= 0 else "y"


def initials(given: str, family: str) -> str:
    """Return a name as initials for publication; small words in between are left out.

    >>> initials("Aina Maria", "d'Estepa i Om"), initials("Вера", "Осинцева"), initials("", "Bell-Lloc")
    ('A. M. E. O.', 'В. О.', 'B. L.')
    """
    parts = re.split(r"[\s\-‐‑]+", f"{given} {family}".strip())
    words: list[str] = []
    for part in parts:
        pieces = re.split("['’`´ʼ]", part)
        # d'Estepa: the part after the article; O'Brien keeps its O.
        if len(pieces) > 1 and pieces[0].islower() and pieces[-1]:
            part = pieces[-1]
        if part and any(character.isalpha() for character in part):
            words.append(part)
    kept = [word for word in words if word not in _PARTICLES] or words
    letters = [next(character for character in word if character.isalpha()) for word in kept]
    return " ".join(f"{letter.upper()[:1]}." for letter in letters)
