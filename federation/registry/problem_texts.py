"""What the registry says to a person who broke one of its rules."""

from __future__ import annotations

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

TEXTS: Final[dict[str, Promise]] = {
    # Persons
    "stale": _("%(who)s changed this record meanwhile (%(what)s). Look at the new values and enter your change again."),
    "name_missing": _("Write the family name."),
    "field_unknown": _("The field “%(field)s” cannot be changed here."),
    "value_invalid": _("%(field)s: %(problem)s"),
    "identifier_taken": _("%(scheme)s %(value)s already belongs to %(name)s, number %(number)s."),
    "identifier_invalid": _("Write the identifier without blanks, 40 characters at most."),
    "person_merged": _("This record was merged into number %(number)s. Work on that one."),
    "person_anonymised": _("Number %(number)s is anonymised and can no longer be changed."),
    "person_not_provisional": _("Number %(number)s is not waiting for confirmation."),
    "account_taken": _("This account is already tied to number %(number)s."),
    "person_has_account": _("Number %(number)s is already tied to another account."),
    "person_unknown": _("There is no person with number %(number)s."),
    "person_has_facts": _("Number %(number)s has entries, memberships or merges and is never deleted."),
    # Merge, split, anonymise
    "merge_same": _("Choose two different records."),
    "two_people": _("Both records played in round %(round)s of %(event)s: they are two people and cannot be merged."),
    "merge_two_accounts": _("Both records are tied to an account. Untie one of them first."),
    "merged_elsewhere": _("Number %(number)s was already merged into number %(target)s."),
    "reason_missing": _("Write the reason."),
    "merge_not_latest": _("Number %(number)s was merged again since. Undo the later merge first."),
    "merge_undone": _("This merge was already undone."),
    "confirmation_wrong": _("Type the number %(number)s to confirm."),
    # Seasons, memberships, clubs
    "season_overlap": _("These dates overlap with season %(season)s (%(starts)s to %(ends)s)."),
    "season_order": _("The first day of a season comes before its last day."),
    "season_has_facts": _("Season %(season)s has events or memberships and is never deleted."),
    "season_events_outside": ngettext_lazy(
        "%(count)s event of season %(season)s would lie outside these dates.",
        "%(count)s events of season %(season)s would lie outside these dates.",
        "count",
    ),
    "membership_twice": _("%(name)s already has a membership for season %(season)s."),
    "membership_dates": _("The membership ends before it begins."),
    "membership_missing": _("%(name)s has no membership or licence on %(date)s."),
    "club_has_facts": _("%(club)s has people, memberships or events and is never deleted. Make it inactive instead."),
    "club_name_taken": _("There is already a club called %(name)s."),
    "season_code_taken": _("There is already a season %(season)s of this discipline."),
    "lines_wrong": ngettext_lazy(
        "%(count)s line must be mended; nothing was stored.",
        "%(count)s lines must be mended; nothing was stored.",
        "count",
    ),
    "line_unreadable": _("This line cannot be read. Write number; address of the club; licence, without quotes."),
    "lines_too_many": _("The list has more than %(limit)s lines. Divide it."),
    "line_repeated": _("Number %(number)s stands already in line %(line)s. Remove one of the lines."),
    "club_unknown": _("There is no club with the address “%(club)s”. Correct it or leave the cell empty."),
    "licence_too_long": _("A licence has 40 characters at most."),
    "slug_taken": _("The address “%(slug)s” is in use. Choose another one."),
    # Events
    "season_missing": _("No season of %(discipline)s includes %(date)s. Enter the season first."),
    "season_other_discipline": _("Season %(season)s belongs to another discipline."),
    "event_known": _("%(event)s is entered already, on the same days. Give another name to what is played beside it."),
    "newcomer_known": _(
        "The register has this name already: %(names)s. Enter that record, or say that this is somebody else."
    ),
    "event_dates": _("The first day of an event is not after its last day."),
    "event_state": _("%(event)s is %(state)s: this step is not possible now."),
    "event_has_facts": _("%(event)s has entries or results and is never deleted. Exclude it instead."),
    "event_closed": _("%(event)s is %(state)s. Reopen it before changing it."),
    "event_without_entries": _("%(event)s has no entries yet."),
    "provisional_persons": ngettext_lazy(
        "%(count)s player is waiting for confirmation by the registry: %(names)s. Confirm or merge the record first.",
        "%(count)s players are waiting for confirmation by the registry: %(names)s. Confirm or merge them first.",
        "count",
    ),
    "already_entered": _("%(name)s is already entered with number %(number)s."),
    "entry_number_taken": _("Number %(number)s in the event belongs to %(name)s."),
    "entry_number_invalid": _("The number of an entry is between 1 and 9999."),
    "entry_has_facts": _("%(name)s has results in this event. Withdraw the entry instead of removing it."),
    "withdrawn_round": _("Name a round between 0 and %(rounds)s."),
    "rounds_invalid": _("An event has between 0 and 200 rounds."),
}
