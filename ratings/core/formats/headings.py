"""Meaning of the headings of a sheet, in Catalan, Spanish, English, Italian, Romanian and Russian.

A heading is folded (no case, accents, punctuation or script), divided into words, and each word looked up. What a
column is follows from the words together: *player 1*, *score 1*, *white score*, *winner's score* and so on.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from federation.core.names import fold


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


ROUND = _words(
    "ronda rondes round rounds rd rnd r turno turn tornata runda rundei etapa tur raund jornada ronde rodnya"
    " partida joc game"
)
TABLE = _words("taula mesa table board tauler tablero tavolo masa masa stol doska taules bord tabla")
PLAYER = _words(
    "jugador jugadora player giocatore giocatrice jucator jucatoare jucatorul igrok nom nombre name nome nume"
    " imya fio participant participante partecipante uchastnik joueur"
)
OPPONENT = _words(
    "rival contrincant contrincante opponent opponents oponent oponente adversari adversaria adversario"
    " adversaria avversario avversaria adversar adversarul sopernik contrari contrario"
)
SCORE = _words(
    "puntuacio puntuacion puntuacions punts puntos punt pts points point score scores punteggio punteggi punti"
    " scor scorul punctaj puncte punctajul ochki ochkov schet rezultat rezultatul resultat resultado risultato"
    " result results marcador tanteig p s bally"
)
RESULT = _words("resultat resultado risultato result results rezultat rezultatul schet marcador")
FIRST = _words(
    "1 i a blanc blanca blanco blancs blanques blancos blancas bianchi albele white bianco bianca alb albe belye"
    " belyy w primer primera first primo pervyy local"
)
SECOND = _words(
    "2 ii b negre negra negro negres negros negras neri negrele black nero nera negru negre chernye chernyy segon"
    " segona segundo segunda second secondo vtoroy visitant visitante"
)
WINNER = _words(
    "winner winners guanyador guanyadora ganador ganadora vincitore vincitrice castigator castigatorul pobeditel"
)
LOSER = _words("loser losers perdedor perdedora perdente perdent perdant invins proigravshiy")
NUMBER = _words(
    "num numero number no nr n id codi codigo codice cod llicencia licencia licenza licence license licenta nomer"
)
CLUB = _words("club clubs entitat entidad klub circolo clubul")
COUNTRY = _words("pais country paese tara strana nacionalitat fed federacio")
SUBMITTED = _words("submitted timestamp marca fecha data date hora time enviat vremya otmetka")
EXTRA = _words(
    "scrabble scrabbles scrabblex millor mejor best miglior migliore cea mai luchshiy jugada jugades jugadas play"
    " plays mot palabra word parola cuvant slovo bingo bingos bonus observacions observaciones remarks comentari"
    " comments note affirmation signature signatura email correu spread diferencia"
)
STARTS = _words("starts started first_or_second sortida comenca empieza")
RATING = _words("rating barruf elo rtg clasificacion reyting ratingul puntuacio")
GAMES = _words("games partides partidas partite partide igr igry jugades partida")
WINS = _words("wins victories victorias vittorie victorii pobed pobedy guanyades ganadas vinte castigate won")
SEASON = _words("season temporada stagione sezon sezonul sezon ultima last darrera")
GIVEN = _words("given firstname prenom prenume imya")
FAMILY = _words("surname family cognom cognoms apellido apellidos cognome familia familiya lastname")


def words_of(heading: str) -> tuple[str, ...]:
    """Return the folded words of a heading, figures apart from letters.

    >>> words_of("Puntuació_1"), words_of("Jugador1"), words_of("Счёт 2")
    (('puntuacio', '1'), ('jugador', '1'), ('schet', '2'))
    """
    spaced = re.sub(r"(?<=[^\W\d_])(?=\d)|(?<=\d)(?=[^\W\d_])", " ", heading.replace("_", " "))
    return tuple(fold(spaced).split())


def meaning(heading: str) -> str:
    """Return what a column of a results sheet holds, empty if unknown.

    One of round, table, submitted, starts, extra, result; player, score, number, club with ``_a``, ``_b`` or, where
    the heading names no side, ``_``; winner, loser, winner_score, loser_score, opponent, opponent_score.
    """
    words = words_of(heading)
    if not words:
        return ""
    have = set(words)
    if heading.strip().lower() == "first or second" or have & STARTS:
        return "starts"
    if have & EXTRA:
        return "extra"
    if have & SUBMITTED and not have & (PLAYER | SCORE):
        return "submitted"
    side = "a" if have & FIRST else "b" if have & SECOND else ""
    scored = bool(have & SCORE)
    for group, name in ((WINNER, "winner"), (LOSER, "loser"), (OPPONENT, "opponent")):
        if have & group:
            if have & NUMBER:
                return "number_b" if name != "winner" else "number_a"
            return f"{name}_score" if scored else name
    if scored:
        return _sided("score", side)
    if have & CLUB:
        return _sided("club", side)
    if have & PLAYER and have & NUMBER and not have & _words("nom nombre name nome nume"):
        return _sided("number", side)
    if have & PLAYER:
        return _sided("player", side)
    if have & TABLE:
        return "table"
    if have & ROUND and not side:
        return "round"
    if have & ROUND and have & NUMBER:
        return "round"
    if have & NUMBER:
        return _sided("number", side)
    if side and have <= (FIRST | SECOND) and not have <= {"1", "2", "i", "a", "b", "w"}:
        return _sided("player", side)
    return ""


def _sided(name: str, side: str) -> str:
    return f"{name}_{side}" if side else f"{name}_"


def columns_of(headings: Sequence[str]) -> list[str]:
    """Return the role of each column of a results sheet, empty where a heading says nothing.

    Roles: round, table, a, b, score_a, score_b, number_a, number_b, club_a, club_b, result, submitted, starts, extra;
    ``winner`` and its score stand for a and score_a and are told apart by `names_a_winner`.
    """
    found = [meaning(heading) for heading in headings]
    rival = {"winner": "a", "winner_score": "score_a", "loser": "b", "loser_score": "score_b"}
    rival |= {"opponent": "b", "opponent_score": "score_b"}
    counts: dict[str, int] = {}
    roles: list[str] = []
    sided_scores = any(name in ("score_a", "score_b", "winner_score", "opponent_score") for name in found)
    for name, heading in zip(found, headings, strict=True):
        if name in rival:
            roles.append(rival[name])
        elif name.endswith("_"):
            base = name[:-1]
            counts[base] = counts.get(base, 0) + 1
            single = found.count(name) == 1
            if base == "score" and single and not sided_scores and set(words_of(heading)) & RESULT:
                roles.append("result")
            elif counts[base] == 1:
                roles.append("a" if base == "player" else f"{base}_a")
            elif counts[base] == 2:
                roles.append("b" if base == "player" else f"{base}_b")
            else:
                roles.append("extra")
        else:
            roles.append({"player_a": "a", "player_b": "b"}.get(name, name))
    return [_result_beside_score(role, heading, roles) for role, heading in zip(roles, headings, strict=True)]


def _result_beside_score(role: str, heading: str, roles: Sequence[str]) -> str:
    """Tell a column of results from one of scores where a side has both."""
    if role in ("score_a", "score_b") and roles.count(role) > 1 and set(words_of(heading)) & RESULT:
        return role.replace("score", "result")
    return role


def names_a_winner(headings: Sequence[str]) -> bool:
    """Whether the first player of each row is called the winner."""
    return any(meaning(heading) == "winner" for heading in headings)


def list_meaning(heading: str) -> str:
    """Return what a column of a list of people holds, empty if unknown.

    One of name, given, family, number, rating, games, wins, season, club, country.
    """
    have = set(words_of(heading))
    if have & SEASON:
        return "season"
    if have & GIVEN:
        return "given"
    if have & FAMILY:
        return "family"
    if have & WINS:
        return "wins"
    if have & RATING:
        return "rating"
    if have & GAMES:
        return "games"
    if have & (NUMBER - {"n"}) and not have & _words("nom nombre name nome nume"):
        return "number"
    if have & (PLAYER | _words("persona person persoana chelovek")):
        return "name"
    if have & CLUB:
        return "club"
    if have & COUNTRY:
        return "country"
    return "number" if have & NUMBER else ""
