"""Application of people, clubs, seasons, events and entries shared by all games."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class RegistryConfig(AppConfig):
    """People, clubs, seasons, events and entries shared by all games."""

    name = "federation.registry"
    label = "registry"
    verbose_name = _("Registry")

    def ready(self) -> None:
        """Name the audited actions and the sentences of refusals; let an invitation tie its account to a person."""
        from federation.accounts.hooks import register_account_link, register_invitation_acceptor
        from federation.audit.actions import register_actions
        from federation.problems import register_texts
        from federation.registry.problem_texts import TEXTS
        from federation.registry.services.accounts import describe_person, own_lines, tie_account

        register_invitation_acceptor(tie_account, describe_person)
        register_account_link(own_lines)
        register_texts("registry", TEXTS)
        register_actions(
            {
                "person.created": _("entered a person"),
                "person.changed": _("changed a person"),
                "person.confirmed": _("confirmed a person"),
                "person.deleted": _("deleted a record without facts"),
                "person.alias_added": _("added a spelling of a name"),
                "person.alias_removed": _("removed a spelling of a name"),
                "person.identifier_added": _("added an identifier"),
                "person.identifier_removed": _("removed an identifier"),
                "person.account_tied": _("tied an account to a person"),
                "person.account_untied": _("untied an account from a person"),
                "person.merged": _("merged a record into another"),
                "person.merge_kept": _("had another record merged into it"),
                "person.split": _("undid a merge"),
                "person.split_kept": _("lost a record by the undoing of a merge"),
                "person.anonymised": _("anonymised a person"),
                "club.created": _("entered a club"),
                "club.changed": _("changed a club"),
                "club.deleted": _("deleted a club"),
                "season.created": _("entered a season"),
                "season.changed": _("changed a season"),
                "season.deleted": _("deleted a season"),
                "membership.created": _("entered a membership"),
                "membership.changed": _("changed a membership"),
                "membership.deleted": _("deleted a membership"),
                "discipline.saved": _("saved a discipline"),
                "settings.changed": _("changed the settings of the federation"),
                "event.created": _("entered an event"),
                "event.changed": _("changed an event"),
                "event.deleted": _("deleted an event"),
                "event.opened": _("opened an event"),
                "event.submitted": _("handed in an event"),
                "event.approved": _("approved an event"),
                "event.excluded": _("excluded an event"),
                "event.reopened": _("reopened an event"),
                "event.director_named": _("named a director"),
                "event.director_removed": _("removed a director"),
                "entry.added": _("entered a player in an event"),
                "entry.changed": _("changed an entry"),
                "entry.withdrawn": _("noted a withdrawal"),
                "entry.removed": _("removed an entry"),
            }
        )
