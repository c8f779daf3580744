"""Settings of the site, each from the environment or a default that suits one machine."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from talleyrand.web.common import network

from . import environment, kept_settings
from .databases import cache_settings, database_settings, workers_setting
from .mail_server import game_mail_domain
from .push_keys import push_key, push_services

WEB = Path(__file__).resolve().parent.parent
DATA = environment.data_folder("TALLEYRAND_DATA")
# Parts of an app with templates and a catalogue of their own.
AREAS = [
    WEB / "home",
    WEB / "tables" / "room_screen",
    *(
        WEB / "games" / name
        for name in ("deadlines", "endings", "game_master", "lobby", "person_pages", "phase_pages")
    ),
    WEB / "tables" / "referee",
    *(
        WEB / "tournaments" / name
        for name in ("circuit_pages", "desk", "league_pages", "papers", "public_site", "screens")
    ),
]

DEBUG = environment.switch("TALLEYRAND_DEBUG", default=False)
SECRET_KEY = environment.secret("TALLEYRAND_SECRET_KEY", DATA / "secret_key")
_names, _ports = environment.hosts("TALLEYRAND_HOSTS", network.LOOPBACK_HOSTS)
ALLOWED_HOSTS = network.AllowedHosts(_names)
LAN = ALLOWED_HOSTS.everywhere  # for whoever is on the same network
CSRF_TRUSTED_ORIGINS = environment.origins("TALLEYRAND_ORIGINS")
SITE_URL = environment.address("TALLEYRAND_ADDRESS")
if SITE_URL:
    ALLOWED_HOSTS.append(str(urlsplit(SITE_URL).hostname))
    CSRF_TRUSTED_ORIGINS.append(SITE_URL)
# By which ports, beside the one it listens at and the usual ones.
ALLOWED_PORTS = {*_ports, *(port for origin in CSRF_TRUSTED_ORIGINS if (port := urlsplit(origin).port))}
HTTPS = environment.switch("TALLEYRAND_HTTPS", default=False)

# How many games the computer's players think about at once; the others wait for their turn.
BOTS_AT_ONCE = environment.count("TALLEYRAND_COMPUTERS", 2, least=1, most=64)

# What an administrator sets in the browser, below the variables; it changes while the site serves.
kept_settings.load_kept(DATA)
_adjustable = kept_settings.adjustable_settings()
globals().update(_adjustable)
SITE_NAME: str = _adjustable["SITE_NAME"]
SIGNUP: str = _adjustable["SIGNUP"]
GAME_MAKERS: str = _adjustable["GAME_MAKERS"]
HOUSE_RULES: dict[str, str] = _adjustable["HOUSE_RULES"]
HAS_MAIL: bool = _adjustable["HAS_MAIL"]
HAS_PLAY_BY_MAIL: bool = _adjustable["HAS_PLAY_BY_MAIL"]
# In which language pages open where a browser asks for neither; "": on every domain that is not named.
DOMAIN_LANGUAGES: dict[str, str] = _adjustable["DOMAIN_LANGUAGES"]
# Play by post: where mail to the games arrives, how many servers of ours it has passed before, and how many
# mails leave in a minute.
GAME_MAIL_DOMAIN, GAME_MAIL_BASE = game_mail_domain(kept_settings.MAIL_DOMAIN)
GAME_MAIL_HOPS = environment.count("TALLEYRAND_MAIL_HOPS", 0, least=0, most=9)
MAILS_PER_MINUTE = environment.count("TALLEYRAND_MAIL_PACE", 60, least=1, most=100_000)

# Whether a webhook may lead to a program on this very machine, by http too: for those who write one.
COPIES_LOCAL = environment.switch("TALLEYRAND_COPIES_LOCAL", default=False)
WEBHOOKS_LOCAL = environment.switch("TALLEYRAND_WEBHOOKS_LOCAL", default=False)

# News on phones: the key by which push services know the site, and which services beside the usual ones.
PUSH_KEY = push_key("TALLEYRAND_PUSH_KEY", DATA / "push_key")
PUSH_SERVICES = push_services("TALLEYRAND_PUSH_SERVICES")

# What a monitor shows to read the figures of the site, which administrators read without.
METRICS = environment.token("TALLEYRAND_METRICS")
# How many days a game on the practice board is kept that nobody opens; 0: for ever.
PRACTICE_DAYS = environment.count("TALLEYRAND_KEEP_PRACTICE", 0, least=0, most=36_500)
# After how many days a class is erased that its teacher has not erased, and a table of guests alone where
# nothing happens any more (0: never).
CLASS_DAYS = environment.count("TALLEYRAND_KEEP_CLASSES", 7, least=1, most=366)
TABLE_DAYS = environment.count("TALLEYRAND_KEEP_TABLES", 60, least=0, most=36_500)

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.messages",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "talleyrand.web.background",
    "talleyrand.web.accounts",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "talleyrand.web.notifications",
    "talleyrand.web.conduct",
    "talleyrand.web.practice",
    "talleyrand.web.library",
    "talleyrand.web.games",
    "talleyrand.web.moderation",
    "talleyrand.web.press",
    "talleyrand.web.onlookers",
    "talleyrand.web.mail",
    "talleyrand.web.webhooks",
    "talleyrand.web.push",
    "talleyrand.web.monitoring",
    "talleyrand.web.administration",
    "talleyrand.web.tables",
    "talleyrand.web.tournaments",
    "talleyrand.web.tournaments.notifications",
    "talleyrand.web.tournaments.copies",
    "talleyrand.web.api",
]
MIDDLEWARE = [
    "talleyrand.web.monitoring.request_metrics.request_metrics_middleware",
    "talleyrand.web.common.security_headers.security_headers_middleware",
    "talleyrand.web.monitoring.views.health_middleware",
    "talleyrand.web.common.static_files.StaticFilesMiddleware",
    "talleyrand.web.settings.kept_settings.refresh_middleware",
    "talleyrand.web.common.compression.CompressionMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "talleyrand.web.common.error_pages.error_page_middleware",
    "talleyrand.web.common.port_check.port_check_middleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "talleyrand.web.common.language_choice.LanguageChoiceMiddleware",
    "talleyrand.web.tables.guest_middleware.TableGuestMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "talleyrand.web.boards.map_shapes.map_shape_middleware",
    "allauth.account.middleware.AccountMiddleware",
    "talleyrand.web.accounts.time_zones.TimeZoneMiddleware",
    "talleyrand.web.accounts.signed_in_devices.session_activity_middleware",
    "talleyrand.web.notifications.reading.mark_read_middleware",
    "talleyrand.web.push.following.device_session_middleware",
]
ROOT_URLCONF = "talleyrand.web.urls"
ASGI_APPLICATION = "talleyrand.web.server.asgi.application"
TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [WEB / "templates", *(area / "templates" for area in AREAS)],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "talleyrand.web.common.context_processors.site_languages",
                "talleyrand.web.accounts.account_context.account_context",
                "talleyrand.web.boards.board_theme.board_theme",
            ],
            "builtins": [
                "talleyrand.web.boards.script_preloads",
                "talleyrand.web.boards.outcome_lines",
            ],
        },
    },
]
DATABASES = {"default": database_settings("TALLEYRAND_DATABASE", DATA)}
# Whether slow work is done by processes of their own, which a queue in PostgreSQL calls.
WORKERS = workers_setting("TALLEYRAND_WORKERS", DATABASES["default"])
# What `talleyrand serve` does: everything, or pages and what is live alone.
DUTIES = environment.choice("TALLEYRAND_DUTIES", ("all", "pages"))
# Where attempts are counted: for the one process of a small site, or for all those of a large one.
PROCESSES = environment.count("TALLEYRAND_PROCESSES", 1, least=1, most=16)
CACHES = cache_settings(DATABASES["default"], PROCESSES)
AUTH_USER_MODEL = "accounts.Person"
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "talleyrand.web.accounts.backends.EmailBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "talleyrand.web.accounts.password_rules.PasswordLengthValidator"},
    {"NAME": "talleyrand.web.accounts.password_rules.PasswordNotNameValidator"},
    {"NAME": "talleyrand.web.accounts.password_rules.PasswordNotCommonValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "games:all"
LOGOUT_REDIRECT_URL = "home:page"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

ACCOUNT_ADAPTER = "talleyrand.web.accounts.account_adapter.AccountAdapter"
ACCOUNT_FORMS = {
    name: f"talleyrand.web.accounts.forms.{form}"
    for name, form in {
        "add_email": "AddEmailForm",
        "change_password": "ChangePasswordForm",
        "confirm_login_code": "ConfirmCodeForm",
        "login": "SignInForm",
        "reauthenticate": "ReauthenticateForm",
        "request_login_code": "RequestCodeForm",
        "reset_password": "ResetPasswordForm",
        "reset_password_from_key": "NewPasswordForm",
        "set_password": "SetPasswordForm",
        "signup": "SignUpForm",
    }.items()
}
ACCOUNT_USER_MODEL_USERNAME_FIELD = "name"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_MAX_EMAIL_ADDRESSES = 3
# An address that somebody has is taken like any other: no answer tells who has an account.
ACCOUNT_PREVENT_ENUMERATION = "strict"
ACCOUNT_LOGIN_BY_CODE_ENABLED = True
ACCOUNT_LOGIN_BY_CODE_TIMEOUT = 15 * 60
ACCOUNT_LOGIN_BY_CODE_MAX_ATTEMPTS = 5
ACCOUNT_REAUTHENTICATION_REQUIRED = True
# A link by mail lets its owner in, whoever guesses meanwhile.
ACCOUNT_LOGIN_ON_PASSWORD_RESET = True
# Passkeys, and codes for whoever has lost theirs. An address that nobody has confirmed opens nothing here.
MFA_ADAPTER = "talleyrand.web.accounts.passkeys.PasskeyAdapter"
MFA_SUPPORTED_TYPES = ["webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_ALLOW_UNVERIFIED_EMAIL = True
MFA_RATE_LIMITS = {"webauthn_login": None}  # counted as any signing in
MFA_FORMS = {
    name: f"talleyrand.web.accounts.passkey_forms.{form}"
    for name, form in {
        "add_webauthn": "AddPasskeyForm",
        "authenticate": "SecondStepByCodeForm",
        "authenticate_webauthn": "SecondStepByPasskeyForm",
        "generate_recovery_codes": "NewRecoveryCodesForm",
        "login_webauthn": "SignInByPasskeyForm",
        "reauthenticate": "ReauthenticateByCodeForm",
        "reauthenticate_webauthn": "ReauthenticateByPasskeyForm",
    }.items()
}
# What comes from one address, behind which a whole room may sit: forms that are sent; accounts that are made,
# as many as a club has newcomers in an evening (by a link of the administrator there are always more);
# entries in tournaments, which need no account, as many as a room has phones.
ATTEMPTS_BY_ADDRESS = {
    "sign_in": (600, 60),
    "sign_up": (300, 3600),
    "account": (60, 3600),
    "entry": (300, 3600),
    "table": (100, 3600),
    "mail": (300, 60),
    "link": (300, 60),
}
# Wrong passwords: of strangers on one account and from one address, whatever the account; and of whoever has
# signed in there before, on a device of their own, where right ones count too; devices on which nobody has
# signed in since the password was changed count as one.
PASSWORD_ATTEMPTS: dict[str, tuple[int, int]] = {
    "account": (10, 300),
    "address": (100, 600),
    "device": (20, 300),
}
# To one address, for a lost password.
LINKS_BY_MAIL = (5, 3600)
# Mails of tournaments in a day, to an address, of all that one director makes, and of the site: one's own
# link when one has signed up, and news to those without an account.
DAY = 24 * 60 * 60
TOURNAMENT_MAILS: dict[str, dict[str, tuple[int, int]]] = {
    "tournament": {"address": (3, DAY), "director": (300, DAY), "site": (2000, DAY)},
    "tournament_news": {"address": (12, DAY), "director": (5000, DAY), "site": (20_000, DAY)},
}
# How many connections one address may have at once; 0: a generous number, and for this machine any.
CONNECTIONS = environment.count("TALLEYRAND_CONNECTIONS", 0, least=0, most=100_000)
# Requests of programs: so many in so many seconds.
API_RATES = {"address": (6000, 60), "token": (600, 60), "work": (120, 60)}
ACCOUNT_RATE_LIMITS: dict[str, str | None] = {
    "login": None,
    "login_failed": "10/5m/key",  # codes of a second factor; passwords: `accounts.attempt_limits`
    "signup": None,
    "change_password": "10/m/user",
    "reauthenticate": "10/m/user",
    "manage_email": "10/m/user",
    "confirm_email": "1/2m/key",
    "reset_password": None,
    "reset_password_from_key": None,
    "request_login_code": "5/15m/key",
}

LANGUAGE_CODE = "fr"  # of the addresses without a prefix
LANGUAGES = list(kept_settings.LANGUAGES.items())
LANGUAGE_COOKIE_NAME = "language"
LANGUAGE_COOKIE_AGE = 400 * DAY
LANGUAGE_COOKIE_SECURE = HTTPS
LOCALE_PATHS = [WEB / "locale", WEB / "library" / "lessons" / "locale", *(area / "locale" for area in AREAS)]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "Europe/Paris"

STATIC_URL = "/static/"
STATICFILES_DIRS = [WEB / "static", ("fonts", WEB.parent / "drawing" / "fonts" / "web")]
STATIC_CACHE = DATA / "static"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "talleyrand.web.common.static_files.VersionedStorage"},
}
# By their plain names from where they lie, revalidated at each visit; pages name them by their edition.
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = DEBUG
WHITENOISE_MAX_AGE = 0
WHITENOISE_ALLOW_ALL_ORIGINS = False

# Larger than any saved game; the body as a whole is limited in `limits`.
DATA_UPLOAD_MAX_MEMORY_SIZE = 4 * 1024 * 1024
FILE_UPLOAD_MAX_MEMORY_SIZE = 4 * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 500

MESSAGE_STORAGE = "django.contrib.messages.storage.cookie.CookieStorage"
CSRF_FAILURE_VIEW = "talleyrand.web.common.error_pages.csrf_failure"
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_HTTPONLY = True
CSRF_COOKIE_SECURE = HTTPS
SESSION_ENGINE = "talleyrand.web.accounts.session_store"
SESSION_COOKIE_SECURE = HTTPS
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_AGE = 180 * 24 * 60 * 60  # a player of a slow game comes once a week, and rests between games
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None

LOG_FORMAT = environment.choice("TALLEYRAND_LOG_FORMAT", ("line", "json"))
LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"secrets": {"()": "talleyrand.web.common.logging_format.RedactSecrets"}},
    "formatters": {
        "line": {
            "()": "talleyrand.web.common.logging_format.LineFormatter",
            "format": "{asctime} {levelname} {name}: {message}",
            "style": "{",
        },
        "json": {"()": "talleyrand.web.common.logging_format.JsonFormatter"},
    },
    "handlers": {
        "console": {"class": "logging.StreamHandler", "formatter": LOG_FORMAT, "filters": ["secrets"]},
        "errors": {
            "()": "talleyrand.web.common.error_files.ErrorFileHandler",
            "data": DATA,
            "formatter": "json",
            "filters": ["secrets"],
        },
    },
    "root": {"handlers": ["console", "errors"], "level": environment.level("TALLEYRAND_LOG", "WARNING")},
    "loggers": {
        "django": {"handlers": [], "propagate": True},
        # A refused request is the visitor's affair: only our own faults are logged.
        "django.request": {"level": "ERROR"},
        "django.security": {"level": "CRITICAL"},
    },
}
