"""The cache while Redis is away."""

import pytest

from federation.cache import OptionalRedisCache


@pytest.fixture
def cache():
    # Port 1 refuses every connection.
    return OptionalRedisCache("redis://127.0.0.1:1/0", {})


def test_without_redis_the_cache_is_empty_and_nothing_breaks(cache):
    cache.set("a", 1)
    assert cache.get("a") is None
    assert cache.get("a", "else") == "else"
    assert cache.get_many(["a", "b"]) == {}
    assert cache.set_many({"a": 1, "b": 2}) == ["a", "b"]
    assert cache.add("a", 1)
    assert cache.incr("a") == 1
    assert "a" not in cache
    assert not cache.touch("a")
    assert not cache.delete("a")
    cache.delete_many(["a"])
    cache.clear()


def test_a_value_is_worked_out_where_it_cannot_be_kept(cache):
    assert cache.get_or_set("a", lambda: 7) == 7
    assert cache.get_or_set("a", 8) == 8
