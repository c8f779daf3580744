"""Addresses of what a tournament tells: at its desk, and for those who are told."""

from django.urls import path
from django.utils.translation import gettext_lazy as _

from . import notification_settings_views, unsubscribe_views

desk = [
    path(_("notifications/"), notification_settings_views.notification_settings_page, name="desk_news"),
    path(_("round/<int:number>/text/"), notification_settings_views.draw_text_page, name="desk_text"),
]
people = [
    path(_("me/emails/"), unsubscribe_views.change_mail_subscription, name="mails"),
    path(_("no-email/<str:sign>/"), unsubscribe_views.unsubscribe_page, name="quiet"),
]
