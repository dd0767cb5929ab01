"""Damaged files: never an exception, never a silent loss, never a game that the file did not state."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from federation.core.reading import Reading
from ratings.core.formats import read
from tests.unit.ratings.core.formats.support import FIXTURES, SAMPLES, participants_table, results_table

FILES = {path.name: path.read_bytes() for path in sorted(FIXTURES.iterdir()) if path.suffix != ".md"}
if SAMPLES.is_dir():
    FILES |= {path.name: path.read_bytes() for path in sorted(SAMPLES.iterdir()) if path.suffix not in (".md", ".json")}
FILES["tables"] = results_table()
NAMES = st.sampled_from(sorted(FILES))
# What a file cannot tell about itself: that rows are missing where each row stands alone.
SINGLE_ROWS = (".csv", ".dat", ".rnd", ".tsh", "tables")


def reading_of(name: str, data: bytes) -> Reading:
    files = [("participants", participants_table())] if name == "tables" else []
    reading = read([*files, (name, data)])
    reading.summary()
    assert "unreadable" not in [issue.code for issue in reading.issues]
    return reading


def facts(reading: Reading) -> list[tuple]:
    return [(g.round, g.a, g.b, g.kind, g.score_a, g.score_b, g.result_a) for g in reading.games]


WHOLE = {name: reading_of(name, data) for name, data in FILES.items()}


@given(name=NAMES, place=st.integers(0, 9999))
@settings(max_examples=150, deadline=None)
def test_truncated(name: str, place: int) -> None:
    data = FILES[name]
    cut = data[: place % len(data)]
    reading = reading_of(name, cut)
    new = set(facts(reading)) - set(facts(WHOLE[name]))
    if reading.has_errors:
        return
    assert not new
    if facts(reading) != facts(WHOLE[name]):
        loud = [issue for issue in reading.issues if issue.severity == "warning"]
        assert loud or (name.endswith(SINGLE_ROWS) and cut.endswith((b"\n", b"\r")))


@given(name=NAMES, encoding=st.sampled_from(["utf-16", "utf-16-le", "utf-16-be", "cp1252", "latin-1", "utf-8-sig"]))
@settings(max_examples=60, deadline=None)
def test_encodings(name: str, encoding: str) -> None:
    if name == "tables":
        return
    source = FILES[name]
    text = source.decode("cp1252" if name == "federation5.csv" else "utf-8-sig")
    try:
        data = text.encode(encoding)
    except UnicodeEncodeError:
        return
    reading = reading_of(name, data)
    assert facts(reading) == facts(WHOLE[name])
    assert [person.name for person in reading.people] == [person.name for person in WHOLE[name].people]
    if encoding in ("cp1252", "latin-1") and not text.isascii():
        assert "encoding_guessed" in [issue.code for issue in reading.issues]


@given(name=NAMES, place=st.integers(0, 9999))
@settings(max_examples=100, deadline=None)
def test_duplicated_row(name: str, place: int) -> None:
    lines = FILES[name].splitlines(keepends=True)
    chosen = place % len(lines)
    data = b"".join(lines[: chosen + 1] + lines[chosen:])
    if name == "tables" or lines[chosen].strip().startswith((b"*", b"#", b"0", b"config", b"division", b"\xef")):
        reading_of(name, data)
        return
    reading = reading_of(name, data)
    if not lines[chosen].strip() or (chosen == 0 and not name.endswith((".t", ".tou"))):
        assert set(facts(reading)) == set(facts(WHOLE[name]))
        return
    assert reading.has_errors


@given(name=NAMES, changes=st.lists(st.tuples(st.integers(0, 9999), st.integers(0, 255)), min_size=1, max_size=20))
@settings(max_examples=150, deadline=None)
def test_flipped_bytes(name: str, changes: list[tuple[int, int]]) -> None:
    data = bytearray(FILES[name])
    for place, value in changes:
        data[place % len(data)] = value
    reading_of(name, bytes(data))


@given(data=st.binary(max_size=300))
@settings(max_examples=150, deadline=None)
def test_anything(data: bytes) -> None:
    reading = reading_of("x", data)
    assert reading.games or reading.people or reading.has_errors


@given(
    text=st.text(max_size=200),
    head=st.sampled_from(
        [
            "Ronda;Jugador 1;Punts 1;Jugador 2;Punts 2\n",
            "*M01.01.2024 x\n*A\n",
            "A B 900 1; 400;\n",
            "NICKstateNAME\n",
            "ROUND|TABLE_NO|WHITE_ID|BLACK_ID|WHITE_SCORE|BLACK_SCORE\n",
            "Persona;BARRUF;Partides\n",
        ]
    ),
)
@settings(max_examples=200, deadline=None)
def test_any_text_below_a_heading(text: str, head: str) -> None:
    reading_of("x", (head + text).encode("utf-8", errors="surrogatepass"))
