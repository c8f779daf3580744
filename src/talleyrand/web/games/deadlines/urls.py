"""Addresses of dates and calendars."""

from django.urls import URLPattern, URLResolver, path
from django.utils.translation import gettext_lazy as _

from . import views

urlpatterns: list[URLPattern | URLResolver] = [
    path(_("dates/"), views.dates, name="dates"),
    path(_("calendar/"), views.calendar, name="calendar"),
    path(_("calendar/new/"), views.renew, name="calendar_renew"),
    path(_("calendar/<str:token>.ics"), views.read, name="feed"),
    path(_("calendar/<str:token>/<str:key>.ics"), views.read, name="feed_of_game"),
]
