"""The addresses of django-allauth that this site has, under the names that it expects."""

from allauth.account import views
from allauth.mfa.base import views as steps
from allauth.mfa.recovery_codes import views as codes
from allauth.mfa.webauthn import views as keys
from django.urls import include, path, re_path, reverse_lazy
from django.utils.translation import gettext_lazy as _

from . import passkeys
from . import views as own_pages
from .attempt_limits import limit_attempts
from .sign_in_views import ChangePasswordView, SignUpView, only_with_mail

RESET = r"^(?P<uidb36>[0-9A-Za-z]+)-(?P<key>[^/]+)/$"
lost = only_with_mail(limit_attempts("mail")(views.password_reset))
code = only_with_mail(limit_attempts("mail")(views.request_login_code))
by_passkey = limit_attempts("sign_in")(passkeys.SignInByPasskeyView.as_view())
remove_passkey = keys.RemoveWebAuthnView.as_view(success_url=reverse_lazy("mfa_index"))
reset = only_with_mail(limit_attempts("link")(views.password_reset_from_key))

urlpatterns = [
    path(_("account/sign-in/"), views.login, name="account_login"),
    path(_("account/sign-out/"), views.logout, name="account_logout"),
    path(_("account/sign-up/"), limit_attempts("sign_up")(SignUpView.as_view()), name="account_signup"),
    path(_("account/closed/"), views.account_inactive, name="account_inactive"),
    path(_("account/again/"), views.reauthenticate, name="account_reauthenticate"),
    path(_("account/password/"), ChangePasswordView.as_view(), name="account_change_password"),
    path(_("account/password/first/"), views.password_set, name="account_set_password"),
    path(_("account/password/lost/"), lost, name="account_reset_password"),
    path(
        _("account/password/lost/sent/"),
        only_with_mail(views.password_reset_done),
        name="account_reset_password_done",
    ),
    path(
        _("account/password/link/"), include([re_path(RESET, reset, name="account_reset_password_from_key")])
    ),
    path(
        _("account/password/done/"),
        only_with_mail(views.password_reset_from_key_done),
        name="account_reset_password_from_key_done",
    ),
    path(_("account/security/"), own_pages.security_page, name="mfa_index"),
    path(_("account/passkey/"), by_passkey, name="mfa_login_webauthn"),
    path(_("account/passkey/new/"), passkeys.AddPasskeyView.as_view(), name="mfa_add_webauthn"),
    path(_("account/passkey/<int:pk>/remove/"), remove_passkey, name="mfa_remove_webauthn"),
    path(
        _("account/passkey/again/"),
        passkeys.ReauthenticateByPasskeyView.as_view(),
        name="mfa_reauthenticate_webauthn",
    ),
    path(_("account/second-step/"), steps.authenticate, name="mfa_authenticate"),
    path(_("account/second-step/again/"), steps.reauthenticate, name="mfa_reauthenticate"),
    path(_("account/recovery-codes/"), codes.view_recovery_codes, name="mfa_view_recovery_codes"),
    path(_("account/recovery-codes/new/"), codes.generate_recovery_codes, name="mfa_generate_recovery_codes"),
    path(_("account/code/"), code, name="account_request_login_code"),
    path(
        _("account/code/typed/"), only_with_mail(views.confirm_login_code), name="account_confirm_login_code"
    ),
    path(_("account/e-mail/"), only_with_mail(views.email), name="account_email"),
    path(
        _("account/e-mail/sent/"),
        only_with_mail(views.EmailVerificationSentView.as_view()),
        name="account_email_verification_sent",
    ),
    path(
        _("account/e-mail/link/<str:key>/"), only_with_mail(views.confirm_email), name="account_confirm_email"
    ),
]
