"""English texts of the issues that readers of files find, by code. Each says what to do.

`N_` only marks a text for the catalogue of translations (``--keyword=N_``); whoever shows it translates it.
"""

from __future__ import annotations


def N_(text: str) -> str:  # noqa: N802 - the customary name of the marker
    """Return the text; marks it for translation."""
    return text


ISSUE_TEXTS: dict[str, str] = {
    # The file as a whole
    "empty_file": N_("The file is empty: choose the file with the results."),
    "unknown_format": N_(
        "The format was not recognised: send a tsh file (.t), an AUPAIR file (.tou), a SwissPerfect export with its "
        "participants, or a sheet (CSV, XLSX) with headings for round, players and scores."
    ),
    "old_excel": N_("This is an old Excel workbook (.xls): open it and save it as .xlsx or CSV."),
    "opendocument": N_("This is an OpenDocument sheet (.ods): save it as .xlsx or CSV."),
    "file_too_large": N_("The file is larger than %(limit)s MB: send only the results."),
    "too_many_files": N_("More than %(limit)s files were sent together: send one event at a time."),
    "too_many_rows": N_("Only the first %(limit)s rows were read: divide the file."),
    "too_many_columns": N_("The row has more than %(limit)s columns: remove what does not belong to the results."),
    "cell_too_long": N_("The cell has more than %(limit)s characters: shorten it."),
    "name_too_long": N_("The name “%(name)s” has more than %(limit)s characters: shorten it."),
    "line_too_long": N_("The line has more than %(limit)s characters: check that the file is a text file of results."),
    "too_many_rounds": N_("Round %(round)s is above the limit of %(limit)s: correct the number of the round."),
    "too_many_issues": N_("%(count)s more issues are not listed: mend the ones above first."),
    "too_many_members": N_("The compressed file has more than %(limit)s members: send only the files of the event."),
    "zip_too_large": N_("The compressed file grows too much (more than %(limit)s times): send it uncompressed."),
    "encrypted_file": N_("The file is protected by a password: remove the protection and send it again."),
    "damaged_archive": N_("The compressed file or workbook is damaged or was cut: save it again and send it whole."),
    "damaged_workbook": N_("The workbook cannot be read: open it, save it again as .xlsx and send it."),
    "external_entities": N_(
        "The workbook contains declarations that are not allowed: save it again from a spreadsheet."
    ),
    "unreadable": N_("The file could not be read: open it in the program that made it, save it again and send it."),
    "nested_archive": N_("A compressed file lies inside another: send the files of the event themselves."),
    "repairs_ignored": N_(
        "Several sheets hold results, so cells cannot be repaired here: correct the workbook itself."
    ),
    "mixed_files": N_("The files sent together are of different formats: send one format at a time."),
    "unused_file": N_("This file holds no results and was not used."),
    "no_rows": N_("There are headings but no results below them: check that the right sheet was saved."),
    "no_games": N_("The file holds no games: check that it is the file with the results."),
    "encoding_guessed": N_(
        "The file is not in UTF-8; it was read as %(encoding)s. Check the accents in the names, or save it as UTF-8."
    ),
    "damaged_bytes": N_(
        "Characters of this line are damaged (not %(encoding)s): correct the line or send the file again."
    ),
    "control_character": N_("The line contains a control character: the file is damaged; correct the line."),
    "unfinished_last_line": N_(
        "The file ends in the middle of its last line: check that nothing is missing at the end."
    ),
    "last_row_cut": N_("The file ends after “%(score)s”, which may have lost a figure: write the whole score."),
    "end_missing": N_("The closing line “%(mark)s” is missing: the file may have been cut; check the last lines."),
    "bad_quotes": N_("A quotation mark in this row is not closed: remove it or close it."),
    "formula_without_value": N_("The cell holds a formula without a saved value: write the value itself."),
    # Headings and rows of a sheet
    "headings_missing": N_(
        "No row of headings was found: the first row must name the columns, for instance "
        "Ronda; Jugador 1; Puntuació 1; Jugador 2; Puntuació 2."
    ),
    "column_missing": N_("The column “%(column)s” is missing: add it, with its heading in the first row."),
    "column_twice": N_("The heading “%(heading)s” stands twice: remove or rename one of the columns."),
    "column_unknown": N_("The column “%(heading)s” was not recognised and is kept as a remark."),
    "row_too_short": N_(
        "The row ends after %(found)s cells, but %(expected)s are needed: complete it, or write BYE for no opponent."
    ),
    "too_many_cells": N_("The row has more cells than headings: remove “%(text)s” or give it a heading."),
    "bad_round": N_("“%(text)s” is not the number of a round: write a number from 1 on."),
    "round_missing": N_("The round is missing: write its number."),
    "no_round_column": N_(
        "There is no column for the round: rounds were counted in the order of the rows; check them."
    ),
    "two_games_a_round": N_(
        "Everybody plays twice in a round: the games were numbered as rounds 1 to %(rounds)s; check them."
    ),
    "name_missing": N_("Both names are missing: write the players, or set the row aside."),
    "number_names_another": N_("Number %(number)s is %(name)s, not “%(text)s”: correct the number or the name."),
    "name_ambiguous": N_("Several people of the list are called %(name)s: write the number as well."),
    "bad_name": N_("“%(text)s” is not a name: write the player's name."),
    "bad_score": N_("“%(text)s” is not a score: write a whole number."),
    "score_missing": N_("The score of %(name)s is missing: write it, or empty both scores if the game was not played."),
    "score_impossible": N_("A score of %(score)s is not possible: correct it."),
    "results_do_not_add_up": N_("%(a)s and %(b)s do not add up to 1: write 1 and 0, 0 and 1, or 0.5 twice."),
    "no_result": N_("Both scores are 0: write the scores, or leave both empty if the game was not played."),
    "winner_lower": N_(
        "The winner %(winner)s has the lower score (%(score_a)s to %(score_b)s): correct names or scores."
    ),
    "result_against_score": N_(
        "The result %(result)s does not fit the scores %(score_a)s and %(score_b)s: correct one of them."
    ),
    "draw_with_winner": N_("Equal scores (%(score)s): the game counts as a draw although the form names a winner."),
    "forfeit_unclear": N_(
        "It is not clear who won by forfeit: write 1 for the player who was present and 0 for the other."
    ),
    "mixed_scores_and_results": N_(
        "Some rows hold scores and others only results (1, 0.5, 0): both were kept as they are."
    ),
    "name_variants": N_(
        "“%(name)s” also stands as “%(other)s” in row %(other_line)s: say whether they are one person."
    ),
    # Games
    "self_play": N_("%(name)s plays against himself or herself in round %(round)s: correct the opponent."),
    "twice_in_round": N_(
        "%(name)s already plays in round %(round)s in row %(other_line)s: correct one of the rows or set it aside."
    ),
    "duplicate_row": N_("This row repeats row %(other_line)s (round %(round)s, %(a)s and %(b)s): set one aside."),
    "maybe_forfeit": N_(
        "%(a)s and %(b)s have %(score_a)s and %(score_b)s in round %(round)s: "
        "it was read as a forfeit, not as a game; confirm it."
    ),
    "pending_game": N_("%(a)s and %(b)s have no result in round %(round)s: the game was read as not played yet."),
    "pending_alone": N_("%(name)s has neither opponent nor score in round %(round)s: say what happened."),
    "no_entry": N_("%(name)s stands in no row of these rounds: %(rounds)s."),
    "round_gap": N_("Round %(round)s has no games although later rounds have: check that none is missing."),
    "round_short": N_(
        "Round %(round)s has %(found)s entries, other rounds up to %(usual)s: check that the file is complete."
    ),
    # tsh and AUPAIR
    "line_not_understood": N_("The line was not understood: “%(text)s”. Correct it or set it aside."),
    "blank_line": N_("An empty line stands between players; it was not counted as a player's number."),
    "rating_missing": N_("After the name “%(name)s” a rating is expected (0 for unrated): add it."),
    "bad_opponent": N_("“%(text)s” is not the number of an opponent in round %(round)s: write a number, 0 for none."),
    "unknown_opponent": N_(
        "%(name)s plays in round %(round)s against number %(number)s, who is not in the file: correct it."
    ),
    "opponent_set_aside": N_(
        "%(name)s plays in round %(round)s against number %(number)s, whose line is set aside: the game is left out; "
        "confirm it."
    ),
    "opponents_disagree": N_(
        "In round %(round)s %(name)s names %(opponent)s, but line %(other_line)s does not name "
        "%(name)s: correct one line."
    ),
    "scores_disagree": N_(
        "In round %(round)s only one of %(name)s and %(opponent)s (line %(other_line)s) has a score: add it."
    ),
    "result_contradicts": N_(
        "In round %(round)s the marks for won, drawn and lost of %(name)s and %(opponent)s (line %(other_line)s) "
        "do not fit their scores %(score_a)s and %(score_b)s: correct one line."
    ),
    "more_scores_than_games": N_(
        "%(name)s has %(scores)s scores but only %(games)s opponents: add the missing opponents."
    ),
    "bad_field": N_("“%(text)s” is not understood in the field “%(field)s”: correct it or remove it."),
    "both_started": N_("In round %(round)s both %(name)s and %(opponent)s are marked as having started: correct one."),
    "unknown_no_game": N_(
        "%(name)s has no opponent in round %(round)s and the mark %(text)s: write 2001 (bye), 2150 (won by forfeit), "
        "100 (lost by forfeit) or 0 (absent)."
    ),
    "bad_round_entry": N_("From here on the line cannot be divided into scores and opponents: “%(text)s”. Correct it."),
    "rounds_missing": N_("%(name)s has %(found)s rounds, others have %(expected)s: check that the line is complete."),
    "name_empty": N_("The line has no name: add it."),
    "same_name_twice": N_(
        "“%(name)s” stands twice in the list (also line %(other_line)s): tell the two apart, or remove one."
    ),
    "bad_date": N_("The date “%(text)s” was not understood: the event's own date is used."),
    "date_swapped": N_("The date %(text)s has day and month exchanged; it was read as %(date)s."),
    "bad_number": N_("“%(text)s” is not a number in the column “%(column)s”: correct it."),
    # SwissPerfect
    "participants_missing": N_(
        "The rounds hold only numbers of players: send them together with the participants (the .trn file of "
        "SwissPerfect, or a sheet with number and name)."
    ),
    "results_missing": N_("There are participants but no results: send the .sco file or the .rnd files as well."),
    "damaged_table": N_("The table is damaged or was cut (%(found)s of %(expected)s records): export it again."),
    "table_without_columns": N_(
        "The table has no columns %(columns)s: it is neither participants nor results of SwissPerfect."
    ),
    "unknown_player": N_("Number %(number)s in round %(round)s is not among the participants: correct it."),
    "number_twice": N_("The number %(number)s stands twice in the list (also line %(other_line)s): correct one."),
    "figure_not_doubled": N_(
        "The figure %(text)s in the column %(column)s is not possible here: export the file again."
    ),
    # Lists
    "wins_above_games": N_("%(name)s has more wins (%(wins)s) than games (%(games)s): correct one of them."),
    "bad_season": N_("“%(text)s” is not a season: write it as 2024-25."),
}
"""Templates by code, with named values in the form of `%`."""
