"""Arrays in, bulk out: the road of results between the database and the rules, without one object for each row.

Reading gives integers as arrays (binary COPY on PostgreSQL). Writing takes columns (COPY on PostgreSQL, ``executemany``
elsewhere). Blobs are canonical: equal content gives equal bytes before compression, and the digest is taken over these.
"""

from __future__ import annotations

import hashlib
import json
import struct
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import islice
from typing import Any, Final

import numpy as np
from django.db import connection, models
from numpy.typing import NDArray

from federation.core.errors import InvariantError

IntArray = NDArray[np.int64]

_COPY_HEADER: Final = 19
_COUNT: Final = struct.Struct(">h")
_LENGTH: Final = struct.Struct(">i")
#: Head of an array in binary: dimensions, whether it has nulls, type of the elements, their number, first subscript.
_ARRAY: Final = struct.Struct(">5i")
_ELEMENT: Final = np.dtype([("length", ">i4"), ("value", ">i8")])
_BLOCK: Final = 4_000
_MANY_ROWS: Final = 10_000
_FETCH: Final = 20_000
_DTYPES: Final = ("<i1", "<i2", "<i4", "<i8")


def is_postgresql() -> bool:
    """Whether the database is PostgreSQL, which has COPY."""
    return connection.vendor == "postgresql"


# ---- reading ------------------------------------------------------------------------------------


def any_of(column: str) -> str:
    """Return the SQL for «column is one of the given integers»; the parameter is ``id_list(...)``."""
    return f"{column} = ANY(%s)" if is_postgresql() else f"{column} IN (SELECT value FROM json_each(%s))"  # noqa: S608


def id_list(ids: Iterable[int] | IntArray) -> Any:
    """Return the parameter for ``any_of``."""
    values = ids.tolist() if isinstance(ids, np.ndarray) else list(ids)
    return values if is_postgresql() else json.dumps(values)


def read_integers(sql: str, params: Sequence[Any], columns: int) -> IntArray:
    """Run a query of integer columns without nulls and return them as rows of one array, one for each column.

    Args:
        sql: A SELECT of `columns` integer expressions.
        params: Parameters of the query.
        columns: Number of columns.

    Returns:
        Array of shape (columns, rows).
    """
    if is_postgresql():
        return _read_copy(sql, params, columns)
    with connection.cursor() as cursor:
        cursor.execute(sql, params)
        blocks = []
        while rows := cursor.fetchmany(_FETCH):
            blocks.append(np.array(rows, dtype=np.int64).T)
    return np.ascontiguousarray(np.hstack(blocks)) if blocks else np.zeros((columns, 0), dtype=np.int64)


def _read_copy(sql: str, params: Sequence[Any], columns: int) -> IntArray:
    """Read by binary COPY, all rows gathered by the server into one array for each column.

    One row of arrays costs the client one step; a million rows would cost it a million. The order of the query stays.
    """
    labels = [f"c{i}" for i in range(columns)]
    gathered = ", ".join(f"array_agg(q.{label}::int8)" for label in labels)
    statement = f"COPY (SELECT {gathered} FROM ({sql}) AS q({', '.join(labels)})) TO STDOUT (FORMAT BINARY)"  # noqa: S608
    data = bytearray()
    operations: Any = connection.ops
    composed = operations.compose_sql(statement, params)
    with connection.cursor() as cursor, cursor.copy(composed) as copy:
        for block in copy:
            data += block
    arrays, offset = [], _COPY_HEADER + _COUNT.size
    for _ in range(columns):
        (length,) = _LENGTH.unpack_from(data, offset)
        offset += _LENGTH.size
        if length < 0:
            return np.zeros((columns, 0), dtype=np.int64)
        _, has_nulls, _, count, _ = _ARRAY.unpack_from(data, offset)
        if has_nulls:
            raise InvariantError("the query gave a null where a number was promised")
        arrays.append(np.frombuffer(data, dtype=_ELEMENT, count=count, offset=offset + _ARRAY.size)["value"])
        offset += length
    return np.array(arrays, dtype=np.int64)


# ---- writing ------------------------------------------------------------------------------------


def reserve_ids(model: type[models.Model], count: int) -> list[int]:
    """Take primary keys that no other row will get, for rows written with their keys. Call it in a transaction."""
    if not count:
        return []
    table = model._meta.db_table
    with connection.cursor() as cursor:
        if is_postgresql():
            cursor.execute(
                "SELECT nextval(pg_get_serial_sequence(%s, 'id')) FROM generate_series(1, %s)", [table, count]
            )
            return [row[0] for row in cursor.fetchall()]
        cursor.execute("SELECT COALESCE((SELECT seq FROM sqlite_sequence WHERE name = %s), 0)", [table])
        first = cursor.fetchone()[0] + 1
    return list(range(first, first + count))


def insert(model: type[models.Model], columns: Mapping[str, Any]) -> int:
    """Write rows given as columns; a column is an array or a list, by the name of the database column.

    Lists may hold None, text, bytes, dates and booleans. JSON goes in as text. Returns the number of rows.
    """
    names = list(columns)
    lists = [values.tolist() if isinstance(values, np.ndarray) else values for values in columns.values()]
    count = len(lists[0]) if lists else 0
    if any(len(values) != count for values in lists):
        raise InvariantError("columns of different lengths")
    if not count:
        return 0
    quoted = ", ".join(connection.ops.quote_name(name) for name in names)
    table = connection.ops.quote_name(model._meta.db_table)
    with connection.cursor() as cursor:
        if is_postgresql():
            with cursor.copy(f"COPY {table} ({quoted}) FROM STDIN") as copy:
                for block in _text_blocks(lists):
                    copy.write(block)
        else:
            marks = ", ".join(["%s"] * len(names))
            rows: Any = zip(*lists, strict=True)
            cursor.executemany(f"INSERT INTO {table} ({quoted}) VALUES ({marks})", rows)  # noqa: S608
    return count


def refresh_statistics(model: type[models.Model], written: int) -> None:
    """Let PostgreSQL look at a table into which many rows were just written, so that the next query is planned well."""
    if written >= _MANY_ROWS and is_postgresql():
        with connection.cursor() as cursor:
            cursor.execute(f"ANALYZE {connection.ops.quote_name(model._meta.db_table)}")


def _text_blocks(lists: Sequence[Sequence[Any]]) -> Iterator[str]:
    """Give the rows in the text form of COPY, some thousands at a time."""
    rows = zip(*(_copy_texts(values) for values in lists), strict=True)
    while block := list(islice(rows, _BLOCK)):
        yield "\n".join(map("\t".join, block)) + "\n"


def _copy_texts(values: Sequence[Any]) -> Iterator[str]:
    kinds = {type(value) for value in values}
    if kinds == {int}:
        return map(str, values)
    return map(_copy_text, values)


def _copy_text(value: object) -> str:
    if value is None:
        return r"\N"
    if isinstance(value, str):
        if "\\" in value or "\n" in value or "\t" in value or "\r" in value:
            value = value.replace("\\", r"\\").replace("\n", r"\n").replace("\t", r"\t").replace("\r", r"\r")
        return value
    if isinstance(value, bool):
        return "t" if value else "f"
    if isinstance(value, bytes):
        return r"\\x" + value.hex()
    return str(value)


# ---- blobs --------------------------------------------------------------------------------------


def pack(heading: Mapping[str, Any], columns: Mapping[str, IntArray]) -> tuple[bytes, str]:
    """Return canonical compressed bytes of a heading and columns of integers, and the SHA-256 of the bytes before.

    Each column takes the smallest width that holds its values, so the bytes follow from the content alone.
    """
    parts, described = [], []
    for name, values in columns.items():
        width = _width(values)
        described.append([name, width, len(values)])
        parts.append(np.ascontiguousarray(values.astype(width)).tobytes())
    first = json.dumps([heading, described], sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    plain = first.encode() + b"\n" + b"".join(parts)
    return zlib.compress(plain, 1), hashlib.sha256(plain).hexdigest()


def unpack(blob: bytes | memoryview) -> tuple[dict[str, Any], dict[str, IntArray], str]:
    """Return heading, columns and digest of bytes made by ``pack``.

    Raises:
        InvariantError: the bytes are not what ``pack`` writes.
    """
    try:
        plain = zlib.decompress(bytes(blob))
        first, _, body = plain.partition(b"\n")
        heading, described = json.loads(first)
        columns, offset = {}, 0
        for name, width, count in described:
            values = np.frombuffer(body, dtype=np.dtype(width), count=count, offset=offset)
            columns[name] = values.astype(np.int64)
            offset += values.nbytes
    except (zlib.error, ValueError, TypeError) as error:
        raise InvariantError("recorded bytes are damaged") from error
    return heading, columns, hashlib.sha256(plain).hexdigest()


def _width(values: IntArray) -> str:
    if not len(values):
        return _DTYPES[0]
    low, high = int(values.min()), int(values.max())
    for width in _DTYPES:
        info = np.iinfo(np.dtype(width))
        if info.min <= low and high <= info.max:
            return width
    raise InvariantError("a number does not fit into 64 bits")


# ---- exact numbers as text ----------------------------------------------------------------------


def exact_text(value: Fraction | float) -> str:
    """Write a number without loss: two decimals where they suffice, more while short, else a fraction.

    Doubles are written as they are.

    >>> exact_text(Fraction(16, 5)), exact_text(Fraction(-31, 2)), exact_text(Fraction(181, 55)), exact_text(3.5)
    ('3.20', '-15.50', '181/55', '3.5')
    """
    if isinstance(value, float):
        return repr(value)
    for places in (2, 3, 4, 5, 6):
        scaled = abs(value) * 10**places
        if scaled.denominator == 1:
            whole, rest = divmod(scaled.numerator, 10**places)
            return f"{'-' if value < 0 else ''}{whole}.{rest:0{places}d}"
    return f"{value.numerator}/{value.denominator}"


def exact_texts(units: NDArray[Any], scale: IntArray | int, doubles: NDArray[np.float64]) -> list[str]:
    """Write many numbers as ``exact_text`` does; each is ``units / scale``, or the double where the scale is 0.

    Values repeat a thousand times over a history, so each different one is written once.
    """
    scales = np.broadcast_to(np.asarray(scale), units.shape)
    texts = np.empty(len(units), dtype=object)
    for one in np.unique(scales).tolist():
        chosen = scales == one
        values, place = np.unique(doubles[chosen] if one == 0 else units[chosen], return_inverse=True)
        written = [exact_text(float(v) if one == 0 else Fraction(int(v), int(one))) for v in values.tolist()]
        texts[chosen] = np.array(written, dtype=object)[place]
    return list(texts.tolist())
