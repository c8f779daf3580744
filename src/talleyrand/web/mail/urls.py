"""Addresses of play by post: in a game `courrier/` in French, `post/` in English."""

from django.urls import include, path
from django.utils.translation import gettext_lazy as _

from .pages import administration, invitations, late, views

app_name = "mail"
post = [
    path("", views.post, name="post"),
    path(_("begin/"), views.begin, name="begin"),
    path(_("stop/"), views.end, name="end"),
    path(_("welcome/"), views.welcome, name="welcome"),
    path(_("resume/"), views.resume, name="resume"),
    path("addresses.vcf", views.cards, name="cards"),
    path(_("new-address/<str:mailbox>/"), views.renew, name="renew"),
    path(_("late/"), late.late, name="late"),
    path(_("late/let-in/"), late.let_in, name="let_in"),
    path("invitations/", invitations.page, name="invite"),
    path(_("invitations/withdraw/"), invitations.withdraw, name="withdraw"),
]
urlpatterns = [
    path(_("games/<str:key>/post/"), include(post)),
    path(_("administration/post/"), administration.page, name="office"),
    path(_("administration/post/again/"), administration.again, name="again"),
]
