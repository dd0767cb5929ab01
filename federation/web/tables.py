"""One definition of a table gives the page, the CSV, the XLSX and the JSON.

`BaremTable` keeps the class of django-tables2 for columns, order, visibility and export; its body is written in one
pass instead of through the library's bound cells, which cost ten times as much. A cell is made by the column's
``render(value, record)`` or the table's ``render_<name>``; the export takes the column's ``value(value, record)`` or
the table's ``value_<name>``. What they accept of ``value``, ``record``, ``table`` is looked up once per column.

    class Ranking(BaremTable):
        rank = NumberColumn(_("Rank"))
        name = LinkColumn(_("Player"), row_header=True, href=lambda record: f"/players/{record['number']}/")
        rating = NumberColumn("BARRUF", css="n fig", initial_sort_descending=True)

        class Meta(BaremTable.Meta):
            order_by = "rank"

    table = Ranking(rows, caption=_("BARRUF ranking, list 8")).for_request(request)
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import partial
from itertools import chain
from operator import itemgetter
from typing import Any, Self

import django_tables2 as tables
from django.core.paginator import Page, Paginator
from django.db.models import F, QuerySet
from django.http import HttpRequest, QueryDict
from django.template.loader import render_to_string
from django.utils.html import conditional_escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from federation.web import dates, numbers
from federation.web.formats import export_format

#: Rows on one page of a long list.
PER_PAGE = 100
#: Sort keys taken from an address.
MOST_SORT_KEYS = 3


class Column(tables.Column):  # type: ignore[misc]
    """Column of text.

    Args:
        css: classes of the cells and the head: ``n``, ``c``, ``fig``, ``soft``, ``mid``, ``wide``, ``small``.
        head_css: classes of the head, if they differ. ``fig``, ``soft`` and ``who`` are left out by themselves.
        row_header: whether the cell names its row: ``<th scope="row" class="who">``.
        hidden_label: whether only readers of the text get the head's label.
    """

    default_css = ""

    def __init__(
        self,
        verbose_name: Any = None,
        *args: Any,
        css: str | None = None,
        head_css: str | None = None,
        row_header: bool = False,
        hidden_label: bool = False,
        **kwargs: Any,
    ) -> None:
        # Paths may be written with points or, as the library wants it, with two underscores.
        for name in ("accessor", "order_by"):
            if isinstance(kwargs.get(name), str):
                kwargs[name] = kwargs[name].replace(".", "__")
            elif isinstance(kwargs.get(name), list | tuple):
                kwargs[name] = tuple(path.replace(".", "__") for path in kwargs[name])
        super().__init__(verbose_name, *args, **kwargs)
        self.css = self.default_css if css is None else css
        if row_header:
            self.css = f"who {self.css}".strip()
        plain = [name for name in self.css.split() if name not in ("fig", "soft", "who", "big", "nw")]
        self.head_css = " ".join(plain) if head_css is None else head_css
        self.row_header = row_header
        self.hidden_label = hidden_label

    def render(self, value: Any) -> Any:
        """Return the cell; plain text is escaped."""
        return value

    def value(self, value: Any, **kwargs: Any) -> Any:
        """Return what the export holds."""
        return value


class NumberColumn(Column):
    """Column of numbers, right aligned, in the language's way of writing; the export keeps the number."""

    default_css = "n"

    def __init__(self, *args: Any, places: int | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.places = places

    def render(self, value: Any) -> Any:
        """Return the number as the language writes it."""
        if type(value) is int and value >= 0 and not self.places:
            return value
        return numbers.exact(value, self.places)

    def value(self, value: Any, **kwargs: Any) -> Any:
        """Return the number, also of exact text such as "181/55"."""
        return as_number(value)


class HalvesColumn(NumberColumn):
    """Column of half points, shown as points."""

    def render(self, value: Any) -> Any:
        """Return the points."""
        return numbers.halves(value)

    def value(self, value: Any, **kwargs: Any) -> Any:
        """Return the points as a number."""
        return None if value is None else Decimal(value) / 2


class SignedColumn(NumberColumn):
    """Column of differences: always with a sign; the first click sorts the largest first."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("initial_sort_descending", True)
        super().__init__(*args, **kwargs)

    def render(self, value: Any) -> Any:
        """Return the difference with its sign."""
        return numbers.signed(value, self.places or 0)


class PercentColumn(NumberColumn):
    """Column of shares of one, shown as percent."""

    def render(self, value: Any) -> Any:
        """Return the share as percent."""
        return numbers.percent(value, self.places or 0)


class DateColumn(Column):
    """Column of days; the first click sorts the newest first, the export has ISO dates."""

    default_css = "nw soft"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("initial_sort_descending", True)
        super().__init__(*args, **kwargs)

    def render(self, value: Any) -> Any:
        """Return the day with a short month."""
        return format_html('<time datetime="{}">{}</time>', dates.as_date(value).isoformat(), dates.short_date(value))


class LinkColumn(Column):
    """Column of links: ``href(record)`` gives the address, an empty one leaves plain text."""

    def __init__(self, *args: Any, href: Callable[[Any], str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.address = href

    def render(self, value: Any, record: Any) -> Any:  # type: ignore[override]
        """Return the text as a link."""
        address = self.address(record)
        return format_html('<a href="{}">{}</a>', address, value) if address else value


def as_number(value: Any) -> Any:
    """Return an exact text as a number; other values as they are."""
    if not isinstance(value, str | Fraction):
        return value
    number = numbers.exact_value(value)
    if number is None:
        return value
    if number.denominator == 1:
        return int(number)
    if isinstance(value, str) and "/" not in value:
        return Decimal(value.strip().replace(numbers.MINUS, "-"))
    return numbers.rounded(number, 6)


class BaremTable(tables.Table):  # type: ignore[misc]
    """A table of the site; see the module."""

    class Meta:
        template_name = "web/table.html"
        attrs = {"class": "five sticky sortable"}
        default = ""
        empty_text = ""

    #: Paths that decide between rows equal in every sort key; the primary key always comes last.
    tie_break: Sequence[str] = ()
    #: What an empty table says below its heading, and ways on as pairs of label and address.
    empty_detail: Any = ""
    empty_links: Sequence[tuple[Any, str]] = ()

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Let a table without options of its own, or with few, have those of all tables of the site."""
        super().__init_subclass__(**kwargs)
        own = cls.__dict__.get("Meta")
        for name in ("attrs", "default", "empty_text", "template_name"):
            if not hasattr(own, name):
                setattr(cls._meta, name, getattr(BaremTable.Meta, name))

    def __init__(
        self,
        data: Any,
        *args: Any,
        caption: Any = "",
        sums: Mapping[str, Any] | None = None,
        order_by: Any = None,
        **kwargs: Any,
    ) -> None:
        self.caption = caption
        self.sums = dict(sums or {})
        self.request: HttpRequest | None = None
        self._records: Any = data if isinstance(data, QuerySet | list | tuple) else list(data)
        super().__init__(self._records, *args, order_by=order_by, **kwargs)
        if order_by is None and self._meta.order_by is None:
            # The order given stands, made total.
            self.order_by = ()

    # ---- order -------------------------------------------------------------------------------------------------
    @property
    def order_by(self) -> Any:
        """Sort keys in force: names of columns, with a hyphen in front for descending."""
        return self._order_by

    @order_by.setter
    def order_by(self, value: Any) -> None:
        """Order the rows totally; what is missing comes last in both directions."""
        names = value.split(",") if isinstance(value, str) else [str(name) for name in value or ()]
        known = [name for name in dict.fromkeys(names) if self._sortable(name.removeprefix("-"))][:MOST_SORT_KEYS]
        self._order_by = tables.utils.OrderByTuple(known)
        if isinstance(self._records, QuerySet):
            self.data.data = self._ordered_query(known)
        elif known:
            self.data.data = self._ordered_list(known)

    def _sortable(self, name: str) -> bool:
        return name in self.columns and bool(self.columns[name].orderable)

    def _paths(self, alias: str) -> list[tuple[str, bool]]:
        """Return the paths a sort key stands for and whether each runs down."""
        name, down = alias.removeprefix("-"), alias.startswith("-")
        column = self.columns[name].column
        own = column.order_by or (column.accessor or name,)
        return [(str(path).removeprefix("-"), down != str(path).startswith("-")) for path in own]

    def _ordered_query(self, known: Sequence[str]) -> Any:
        ordering: list[Any] = []
        for path, down in chain.from_iterable(self._paths(alias) for alias in known):
            field = F(path)
            ordering.append(field.desc(nulls_last=True) if down else field.asc(nulls_last=True))
        rows = self._records
        given = () if known else tuple(rows.query.order_by or rows.model._meta.ordering)
        return rows.order_by(*given, *ordering, *self.tie_break, "pk")

    def _ordered_list(self, known: Sequence[str]) -> list[Any]:
        rows = list(self._records)
        # A stable sort from the last key to the first; the order given decides the rest.
        for path, down in reversed(list(chain.from_iterable(self._paths(alias) for alias in known))):
            value_of = _getter(path, rows[0]) if rows else None
            keyed = [(value_of(row), row) for row in rows] if value_of else []
            present = sorted((pair for pair in keyed if pair[0] is not None), key=itemgetter(0), reverse=down)
            rows = [row for _value, row in present] + [row for value, row in keyed if value is None]
        return rows

    # ---- the request -------------------------------------------------------------------------------------------
    def for_request(self, request: HttpRequest, per_page: int | None = PER_PAGE) -> Self:
        """Take order and page from the address; an export has all rows, ``per_page=None`` has them on one page."""
        self.request = request
        chosen = request.GET.get(self.prefixed_order_by_field, "")
        if chosen:
            self.order_by = chosen
            if not self.order_by:
                self.order_by = self._meta.order_by
        if per_page and not export_format(request):
            self.paginator = Paginator(self.data.data, per_page)
            self.page = self.paginator.get_page(request.GET.get(self.prefixed_page_field))
        return self

    def address(self, **changes: Any) -> str:
        """Return this page's query with some parameters changed; empty ones are left out."""
        query = self.request.GET.copy() if self.request else QueryDict(mutable=True)
        query.pop("lang", None)
        for name, value in changes.items():
            query.pop(name, None)
            if value not in (None, ""):
                query[name] = str(value)
        return f"?{query.urlencode()}"

    # ---- the page ----------------------------------------------------------------------------------------------
    @property
    def records(self) -> Any:
        """Records of this page."""
        page: Page[Any] | None = getattr(self, "page", None)
        records = page.object_list if page is not None else self.data.data
        return records if isinstance(records, list | tuple | QuerySet) else list(records)

    @property
    def total(self) -> int:
        """Count of all rows."""
        if hasattr(self, "paginator"):
            return self.paginator.count
        return len(self.records)

    def row_class(self, record: Any) -> str:
        """Return the class of a row: ``me``, ``off`` or none."""
        return ""

    def head(self) -> list[dict[str, Any]]:
        """Return the heads of the visible columns with sort links."""
        active = {name.removeprefix("-"): name.startswith("-") for name in self.order_by or ()}
        default = ",".join(str(name) for name in self._meta.order_by or ())
        first = next(iter(active), None)
        heads = []
        for bound in self.columns:
            down = active.get(bound.name)
            column = bound.column
            head = {
                "label": column.verbose_name if column.verbose_name is not None else bound.header,
                "css": getattr(column, "head_css", ""),
                "hidden": getattr(column, "hidden_label", False),
            }
            if bound.orderable:
                starts_down = column.initial_sort_descending
                turned = starts_down if bound.name != first else not down
                alias = f"-{bound.name}" if turned else bound.name
                changes = {self.prefixed_order_by_field: "" if alias == default else alias}
                head["href"] = self.address(**changes, **{self.prefixed_page_field: ""})
                if bound.name == first:
                    head["sort"] = "descending" if down else "ascending"
            heads.append(head)
        return heads

    def body(self) -> SafeString:
        """Return the rows."""
        records = self.records
        if not len(records):
            return mark_safe("")
        cells = [self._cell(bound, records[0]) for bound in self.columns]
        line = "<tr{}>" + "".join(_cell_format(bound.column) for bound in self.columns) + "</tr>\n"
        has_class = type(self).row_class is not BaremTable.row_class
        return format_html_join("", line, self._lines(records, cells, has_class))

    def _lines(self, records: Iterable[Any], cells: list[Callable[[Any], Any]], has_class: bool) -> Iterator[list[Any]]:
        plain = mark_safe("")
        for record in records:
            css = self.row_class(record) if has_class else ""
            yield [format_html(' class="{}"', css) if css else plain, *[cell(record) for cell in cells]]

    def foot(self) -> list[dict[str, Any]]:
        """Return the cells of the sums, none if there are no sums."""
        if not self.sums:
            return []
        first = True
        cells = []
        for bound in self.columns:
            value = self.sums.get(bound.name, "")
            if isinstance(value, int | Decimal | Fraction | float):
                value = self._call(bound, "render", value, None)
            cells.append({"text": value, "css": getattr(bound.column, "head_css", ""), "header": first})
            first = False
        return cells

    def _call(self, bound: Any, kind: str, value: Any, record: Any) -> Any:
        function, takes = self._maker(bound, kind)
        offered = {"value": value, "record": record, "table": self, "column": bound.column, "bound_column": bound}
        return function(**{name: offered[name] for name in takes})

    def _maker(self, bound: Any, kind: str) -> tuple[Callable[..., Any], tuple[str, ...]]:
        """Return what makes a cell (``render``) or an exported value (``value``), and the arguments it takes."""
        own = getattr(self, f"{kind}_{bound.name}", None)
        function = own or getattr(bound.column, kind, None) or (lambda value: value)
        takes = tuple(
            name
            for name, parameter in inspect.signature(function).parameters.items()
            if parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
            and name in ("value", "record", "table", "column", "bound_column")
        )
        return function, takes

    def _cell(self, bound: Any, sample: Any, kind: str = "render") -> Callable[[Any], Any]:
        """Return a function from a record to its cell, with everything looked up beforehand."""
        function, takes = self._maker(bound, kind)
        value_of = _getter(str(bound.column.accessor or bound.name), sample)
        missing = None if kind == "value" else bound.default
        if missing is None and kind == "render":
            missing = ""
        fixed = {"table": self, "column": bound.column, "bound_column": bound}
        given = {name: fixed[name] for name in takes if name in fixed}
        empty = bound.column.empty_values
        if given:
            function = partial(function, **given)
        if "record" in takes and "value" in takes:
            return lambda record: (
                missing if (value := value_of(record)) in empty else function(value=value, record=record)
            )
        if "record" in takes:
            return lambda record: function(record=record)
        if "value" in takes:
            return lambda record: missing if (value := value_of(record)) in empty else function(value=value)
        return lambda record: function()

    def __html__(self) -> str:
        """Return the whole table: ``{{ table }}``."""
        return self.as_html(self.request)

    def __str__(self) -> str:
        return self.__html__()

    def as_html(self, request: HttpRequest | None = None) -> SafeString:
        """Return the whole table with its pager."""
        if self.request is None:
            self.request = request
        if request is not None:
            self.before_render(request)
        return render_to_string(self.template_name, {"table": self, "request": request})

    def pager(self) -> dict[str, Any] | None:
        """Return what the pager shows, None if there is one page."""
        page: Page[Any] | None = getattr(self, "page", None)
        if page is None or self.paginator.num_pages < 2:
            return None
        field = self.prefixed_page_field

        def address(number: int) -> str:
            return self.address(**{field: number if number > 1 else ""})

        steps = [
            {"number": step, "href": address(step), "is_current": step == page.number}
            if isinstance(step, int)
            else {"number": None}
            for step in self.paginator.get_elided_page_range(page.number, on_each_side=2, on_ends=1)
        ]
        return {
            "first": page.start_index(),
            "last": page.end_index(),
            "total": self.paginator.count,
            "previous": address(page.number - 1) if page.has_previous() else "",
            "next": address(page.number + 1) if page.has_next() else "",
            "steps": steps,
        }

    # ---- the export --------------------------------------------------------------------------------------------
    def export_columns(self) -> list[tuple[str, str]]:
        """Return name and label of the exported columns."""
        return [(bound.name, str(bound.column.verbose_name or bound.header)) for bound in self._exported()]

    def export_rows(self) -> Iterator[list[Any]]:
        """Give the values of all rows in the order of the page."""
        rows = self.data.data
        records = rows.iterator(chunk_size=2000) if isinstance(rows, QuerySet) else iter(rows)
        sample = next(records, None)
        if sample is None:
            return
        cells = [self._cell(bound, sample, "value") for bound in self._exported()]
        for record in chain([sample], records):
            yield [cell(record) for cell in cells]

    def _exported(self) -> list[Any]:
        return [bound for bound in self.columns.iterall() if not bound.column.exclude_from_export]


def _cell_format(column: Any) -> str:
    css = conditional_escape(getattr(column, "css", ""))
    attribute = f' class="{css}"' if css else ""
    if getattr(column, "row_header", False):
        return f'<th scope="row"{attribute}>{{}}</th>'
    return f"<td{attribute}>{{}}</td>"


def _getter(path: str, sample: Any) -> Callable[[Any], Any]:
    """Return a function from a record to the value at a path, for records like the sample; None where it ends."""
    if isinstance(sample, Mapping):
        # Rows of ``values()`` have the whole path as a key.
        if "__" not in path or path in sample:
            return lambda record: record.get(path)
    elif "__" not in path:
        return lambda record: getattr(record, path, None)
    names = path.split("__")

    def walk(record: Any) -> Any:
        for name in names:
            if record is None:
                return None
            record = record.get(name) if isinstance(record, Mapping) else getattr(record, name, None)
        return record

    return walk
