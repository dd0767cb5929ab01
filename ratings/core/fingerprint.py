"""Canonical bytes and fingerprints of inputs and lists: equal content gives equal bytes on every machine.

Each value is written with a mark of its kind and, where needed, its length, so that no two different contents share
their bytes. Numbers of an array are 64 bits, little end first.
"""

import datetime
import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from operator import itemgetter
from typing import Any

import numpy as np

from federation.core.errors import InvariantError


def fingerprint(*contents: Any) -> str:
    """Give the SHA-256 of the canonical bytes of some contents, in their order.

    Understands None, booleans, integers, doubles, decimals, fractions, text, bytes, dates, enumerations, sequences,
    mappings (the order of keys does not matter), sets, arrays of numbers or booleans, and dataclasses of all these
    (fields that begin with an underscore are left out).

    Raises:
        InvariantError: a content is of another kind.

    >>> fingerprint({"a": 1, "b": 2}) == fingerprint({"b": 2, "a": 1})
    True
    """
    digest = hashlib.sha256()
    for chunk in canonical_chunks(contents):
        digest.update(chunk)
    return digest.hexdigest()


def canonical_bytes(*contents: Any) -> bytes:
    """Give the bytes over which `fingerprint` is taken."""
    return _bytes(contents)


def canonical_chunks(value: Any) -> Iterator[bytes]:
    """Give the canonical bytes of a value in pieces."""
    if isinstance(value, Enum):
        value = value.value
    if value is None:
        yield b"N"
    elif isinstance(value, bool | np.bool_):
        yield b"T" if value else b"F"
    elif isinstance(value, int | np.integer):
        yield _marked(b"i", str(int(value)).encode())
    elif isinstance(value, float | np.floating):
        yield _marked(b"d", float(value).hex().encode())
    elif isinstance(value, Decimal):
        yield _marked(b"q", str(Fraction(value)).encode())
    elif isinstance(value, Fraction):
        yield _marked(b"q", str(value).encode())
    elif isinstance(value, str):
        yield _marked(b"s", value.encode())
    elif isinstance(value, bytes):
        yield _marked(b"b", value)
    elif isinstance(value, datetime.date | datetime.datetime):
        yield _marked(b"t", value.isoformat().encode())
    else:
        yield from _collection_chunks(value)


def _collection_chunks(value: Any) -> Iterator[bytes]:
    if isinstance(value, np.ndarray):
        yield from _array_chunks(value)
    elif isinstance(value, Mapping):
        entries = sorted(((_bytes(key), item) for key, item in value.items()), key=itemgetter(0))
        yield _marked(b"m", str(len(entries)).encode())
        for key, item in entries:
            yield key
            yield from canonical_chunks(item)
    elif isinstance(value, list | tuple):
        yield _marked(b"l", str(len(value)).encode())
        for item in value:
            yield from canonical_chunks(item)
    elif isinstance(value, set | frozenset):
        members = sorted(_bytes(item) for item in value)
        yield _marked(b"e", str(len(members)).encode())
        yield from members
    elif is_dataclass(value) and not isinstance(value, type):
        names = [item.name for item in fields(value) if not item.name.startswith("_")]
        yield _marked(b"c", str(len(names)).encode())
        for name in names:
            yield _marked(b"s", name.encode())
            yield from canonical_chunks(getattr(value, name))
    else:
        raise InvariantError(f"no canonical bytes for {type(value).__name__}")


def _array_chunks(array: np.ndarray) -> Iterator[bytes]:
    shape = ",".join(str(length) for length in array.shape).encode()
    if array.dtype == np.bool_:
        kind, data = b"?", array.astype("|u1")
    elif np.issubdtype(array.dtype, np.integer):
        kind, data = b"i", array.astype("<i8")
    elif np.issubdtype(array.dtype, np.floating):
        kind, data = b"f", array.astype("<f8")
    else:
        yield _marked(b"o", shape)
        for item in array.ravel().tolist():
            yield from canonical_chunks(item)
        return
    yield _marked(b"a" + kind, shape)
    yield np.ascontiguousarray(data).tobytes()


def _bytes(value: Any) -> bytes:
    return b"".join(canonical_chunks(value))


def _marked(mark: bytes, data: bytes) -> bytes:
    return b"%b%d:%b" % (mark, len(data), data)
