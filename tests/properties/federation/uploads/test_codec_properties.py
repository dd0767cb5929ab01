"""Whatever bytes come, the reading goes through JSON unchanged and every issue has a sentence."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from federation.problems import explain
from federation.uploads.codec import reading_as_json, reading_from_json
from ratings.core.formats import read

CELLS = st.text(alphabet=st.sampled_from("NeusRiera·l1029;,\t\"'–=@ÈШ\x00 ½-"), max_size=12)
ROWS = st.lists(st.lists(CELLS, min_size=3, max_size=6).map(";".join), max_size=8)
HEAD = "Ronda;Jugador 1;Puntuació 1;Jugador 2;Puntuació 2"


@settings(max_examples=60, deadline=None)
@given(st.one_of(st.binary(max_size=300), ROWS.map(lambda rows: "\n".join([HEAD, *rows]).encode())))
def test_readings_come_back(data):
    stored = json.loads(json.dumps(reading_as_json(read([("x", data)]))))
    again = reading_from_json(stored)
    assert reading_as_json(again) == stored
    for issue in again.issues:
        assert "%(" not in explain(issue, "uploads")
