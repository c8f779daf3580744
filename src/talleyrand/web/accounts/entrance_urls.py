"""The addresses of django-allauth that this site has, under the names that it expects."""

from allauth.account import views
from django.urls import include, path, re_path
from django.utils.translation import gettext_lazy as _

from .attempts import counted
from .entrance import SignUpPage, with_mail

RESET = r"^(?P<uidb36>[0-9A-Za-z]+)-(?P<key>[^/]+)/$"
lost = with_mail(counted("mail")(views.password_reset))
code = with_mail(counted("mail")(views.request_login_code))
reset = with_mail(counted("link")(views.password_reset_from_key))

urlpatterns = [
    path(_("account/sign-in/"), views.login, name="account_login"),
    path(_("account/sign-out/"), views.logout, name="account_logout"),
    path(_("account/sign-up/"), counted("sign_up")(SignUpPage.as_view()), name="account_signup"),
    path(_("account/closed/"), views.account_inactive, name="account_inactive"),
    path(_("account/again/"), views.reauthenticate, name="account_reauthenticate"),
    path(_("account/password/"), views.password_change, name="account_change_password"),
    path(_("account/password/first/"), views.password_set, name="account_set_password"),
    path(_("account/password/lost/"), lost, name="account_reset_password"),
    path(
        _("account/password/lost/sent/"),
        with_mail(views.password_reset_done),
        name="account_reset_password_done",
    ),
    path(
        _("account/password/link/"), include([re_path(RESET, reset, name="account_reset_password_from_key")])
    ),
    path(
        _("account/password/done/"),
        with_mail(views.password_reset_from_key_done),
        name="account_reset_password_from_key_done",
    ),
    path(_("account/code/"), code, name="account_request_login_code"),
    path(_("account/code/typed/"), with_mail(views.confirm_login_code), name="account_confirm_login_code"),
    path(_("account/e-mail/"), with_mail(views.email), name="account_email"),
    path(
        _("account/e-mail/sent/"),
        with_mail(views.EmailVerificationSentView.as_view()),
        name="account_email_verification_sent",
    ),
    path(_("account/e-mail/link/<str:key>/"), with_mail(views.confirm_email), name="account_confirm_email"),
]
