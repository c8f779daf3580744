"""Django's cache in a table of the database, in which counting up is one step."""

from __future__ import annotations

import base64
import pickle
from typing import Any

from django.core.cache.backends.db import DatabaseCache
from django.db import transaction
from django.utils import timezone

from .models import CacheCounter


class CountingDatabaseCache(DatabaseCache):
    """Django's own reads a count and writes it anew: of two processes that do so at once, one is lost."""

    def incr(self, key: Any, delta: int = 1, version: int | None = None) -> int:
        """Add `delta` to what is kept, for as long as it was to be kept. Raises ValueError for nothing."""
        name = self.make_and_validate_key(key, version=version)
        with transaction.atomic():
            kept = CacheCounter.objects.select_for_update().filter(pk=name, expires__gt=timezone.now())
            row = kept.first()
            if row is None:
                raise ValueError(key)
            count = int(pickle.loads(base64.b64decode(row.value))) + delta  # noqa: S301 our own rows
            written = base64.b64encode(pickle.dumps(count, self.pickle_protocol)).decode("ascii")
            CacheCounter.objects.filter(pk=name).update(value=written)
        return count
