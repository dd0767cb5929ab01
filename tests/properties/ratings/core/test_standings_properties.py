"""What must hold for the standings of any event."""

from hypothesis import given
from hypothesis import strategies as st

from ratings.core.standings import Entry, standings

PLAYERS = tuple(range(6))


@st.composite
def entries(draw):
    a, b = draw(st.permutations(PLAYERS))[:2]
    kind = draw(st.sampled_from(["played", "played", "played", "bye", "forfeit", "void", "pending"]))
    if kind == "bye":
        return Entry(a, None, kind="bye", result=draw(st.sampled_from([None, 0, 1, 2])))
    if kind == "played":
        one, other = draw(st.integers(0, 700)), draw(st.integers(0, 700))
        return Entry(a, b, result=1 + (one > other) - (one < other), score_a=one, score_b=other)
    if kind == "forfeit":
        both = draw(st.booleans())
        return Entry(a, b, kind="forfeit", result=None if both else draw(st.sampled_from([0, 2])), both_absent=both)
    return Entry(a, b, kind=kind)


EVENTS = st.lists(entries(), max_size=25)
TIE_BREAKS = st.sampled_from([(), ("direct",), ("spread",), ("direct", "spread"), ("spread", "direct")])


@given(EVENTS, TIE_BREAKS)
def test_everybody_stands_once_and_points_never_rise_down_the_list(rows, tie_breaks):
    lines = standings(PLAYERS, rows, tie_breaks)
    assert sorted(line.player for line in lines) == list(PLAYERS)
    assert [line.points for line in lines] == sorted((line.points for line in lines), reverse=True)
    assert [line.place for line in lines] == sorted(line.place for line in lines)


@given(EVENTS, TIE_BREAKS, st.randoms(use_true_random=False))
def test_order_of_rows_and_sides_is_irrelevant(rows, tie_breaks, random):
    turned = [
        Entry(row.b, row.a, row.kind, 2 - row.result, row.score_b, row.score_a)
        if row.kind == "played" and random.random() < 0.5
        else row
        for row in rows
    ]
    random.shuffle(turned)
    assert standings(PLAYERS, turned, tie_breaks) == standings(PLAYERS, rows, tie_breaks)


@given(EVENTS)
def test_spread_adds_up_to_nothing(rows):
    assert sum(line.spread for line in standings(PLAYERS, rows)) == 0


@given(EVENTS, TIE_BREAKS, st.permutations(PLAYERS))
def test_places_do_not_depend_on_the_order_of_the_players(rows, tie_breaks, order):
    given_order = {line.player: line.place for line in standings(PLAYERS, rows, tie_breaks)}
    assert {line.player: line.place for line in standings(order, rows, tie_breaks)} == given_order


@given(EVENTS)
def test_more_tie_breaks_only_refine(rows):
    coarse = {line.player: line.place for line in standings(PLAYERS, rows, ())}
    fine = {line.player: line.place for line in standings(PLAYERS, rows)}
    for one in PLAYERS:
        for other in PLAYERS:
            if coarse[one] < coarse[other]:
                assert fine[one] < fine[other]
