"""Application of the public shell."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class WebConfig(AppConfig):
    """The public shell: base templates, tables, exports, search, feeds, health."""

    name = "federation.web"
    label = "web"
    verbose_name = _("Web")

    def ready(self) -> None:
        """Watch for changes of the settings that every page shows; fill the desk with what lies below."""
        from federation.problems import register_date_writer
        from federation.web import dates, desk_links
        from federation.web.context import connect_signals

        connect_signals()
        register_date_writer(dates.long_date)
        desk_links.register()
