"""Tables of scrabble: one definition each gives the page, the CSV, the XLSX and the JSON."""

from ratings.tables.accounts import account_export, player_export
from ratings.tables.ranking import RankingTable

__all__ = ["RankingTable", "account_export", "player_export"]
