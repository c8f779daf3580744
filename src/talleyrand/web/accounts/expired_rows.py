"""Forgets what has had its time."""

from __future__ import annotations

from datetime import timedelta

from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.utils import timezone

from .models import CacheCounter, OneTimeLink

EACH = 60 * 60  # seconds
KEPT_AFTER_ITS_END = timedelta(days=30)


def delete_expired_rows() -> None:
    """Delete sessions that ended, attempts no longer counted, and links that ended a month ago.

    To be called often: it does its work once an hour.
    """
    if not cache.add("tidied", True, EACH):  # noqa: FBT003 Django's own order
        return
    now = timezone.now()
    Session.objects.filter(expire_date__lt=now).delete()
    UserSession.objects.exclude(session_key__in=Session.objects.values("session_key")).delete()
    CacheCounter.objects.filter(expires__lt=now).delete()
    OneTimeLink.objects.filter(expires_at__lt=now - KEPT_AFTER_ITS_END).delete()
