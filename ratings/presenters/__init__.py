"""From rows to what a page shows: texts, links and figures in the language of the reader, without queries."""
