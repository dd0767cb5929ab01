"""The cache in Redis, without which the site is slower but goes on."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)


def _or(otherwise: Callable[..., Any]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Answer with something else where Redis does not answer."""

    def decorate(method: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(method)
        def guarded(self: Any, *args: Any, **kwargs: Any) -> Any:
            try:
                return method(self, *args, **kwargs)
            except (RedisError, OSError) as error:
                logger.warning("The cache does not answer: %s", error)
                return otherwise(*args, **kwargs)

        return guarded

    return decorate


class OptionalRedisCache(RedisCache):
    """A cache that is empty while Redis is away: nothing on it is the only copy of anything."""

    get = _or(lambda key, default=None, version=None: default)(RedisCache.get)
    get_many = _or(lambda keys, version=None: {})(RedisCache.get_many)
    has_key = _or(lambda key, version=None: False)(RedisCache.has_key)
    #: As if it had been added: whoever asks whether another was quicker goes on.
    add = _or(lambda *args, **kwargs: True)(RedisCache.add)
    set = _or(lambda *args, **kwargs: None)(RedisCache.set)
    set_many = _or(lambda data, *args, **kwargs: list(data))(RedisCache.set_many)
    touch = _or(lambda *args, **kwargs: False)(RedisCache.touch)
    delete = _or(lambda *args, **kwargs: False)(RedisCache.delete)
    delete_many = _or(lambda *args, **kwargs: None)(RedisCache.delete_many)
    clear = _or(lambda: False)(RedisCache.clear)
    incr = _or(lambda key, delta=1, version=None: delta)(RedisCache.incr)
