"""Addresses of play by post: in a game `courriel/` in French, `post/` in English."""

from django.urls import include, path
from django.utils.translation import gettext_lazy as _

from .pages import views

app_name = "mail"
post = [
    path("", views.mail_page, name="post"),
    path(_("begin/"), views.start_mail, name="begin"),
    path(_("stop/"), views.stop_mail, name="end"),
    path(_("welcome/"), views.resend_welcome, name="welcome"),
    path(_("resume/"), views.resume_mail, name="resume"),
    path("addresses.vcf", views.download_cards, name="cards"),
    path(_("new-address/<str:mailbox>/"), views.renew_address, name="renew"),
    path(_("late/"), views.late_orders_page, name="late"),
    path(_("late/accept/"), views.grant_view, name="let_in"),
    path("invitations/", views.invitations_page, name="invite"),
    path(_("invitations/withdraw/"), views.withdraw_view, name="withdraw"),
]
urlpatterns = [
    path(_("games/<str:key>/email/"), include(post)),
    path(_("administration/email/"), views.mail_status_page, name="office"),
    path(_("administration/email/again/"), views.process_again, name="again"),
]
