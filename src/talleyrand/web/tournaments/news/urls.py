"""Addresses of what a tournament tells: at its desk, and for those who are told."""

from django.urls import path
from django.utils.translation import gettext_lazy as _

from . import desk_pages, people_pages

desk = [
    path(_("news/"), desk_pages.news, name="desk_news"),
    path(_("round/<int:number>/text/"), desk_pages.text, name="desk_text"),
]
people = [
    path(_("me/mails/"), people_pages.mails, name="mails"),
    path(_("no-mail/<str:sign>/"), people_pages.quiet, name="quiet"),
]
