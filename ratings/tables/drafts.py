"""The ranking of a draft: as readers will see it, without links to accounts that are not public yet."""

from __future__ import annotations

from typing import Any

from federation.web.numbers import signed
from ratings.models import ListRow
from ratings.tables.ranking import RankingTable


class DraftTable(RankingTable):
    """Rows of a draft."""

    def render_rating(self, record: ListRow) -> Any:
        """Rating alone."""
        return signed(record.rating).lstrip("+")

    def render_progress(self, record: ListRow) -> Any:
        """Progress alone."""
        return signed(record.progress) if record.progress else ""

    class Meta(RankingTable.Meta):
        pass
