"""Settings of the site, each from the environment or a default that suits one machine."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from . import environment
from .databases import database

WEB = Path(__file__).resolve().parent.parent
DATA = environment.data_folder("TALLEYRAND_DATA")
# Parts of an app with templates and a catalogue of their own.
AREAS = [WEB / "games" / name for name in ("deadlines", "desk", "endings", "playing", "table")]

DEBUG = environment.switch("TALLEYRAND_DEBUG", default=False)
SECRET_KEY = environment.secret("TALLEYRAND_SECRET_KEY", DATA / "secret_key")
ALLOWED_HOSTS = environment.words("TALLEYRAND_HOSTS", ("localhost", "127.0.0.1", "[::1]"))
CSRF_TRUSTED_ORIGINS = environment.origins("TALLEYRAND_ORIGINS")
ADDRESS = environment.address("TALLEYRAND_ADDRESS")
if ADDRESS:
    ALLOWED_HOSTS.append(str(urlsplit(ADDRESS).hostname))
    CSRF_TRUSTED_ORIGINS.append(ADDRESS)
HTTPS = environment.switch("TALLEYRAND_HTTPS", default=False)

# How many games the computer's players think about at once; the others wait for their turn.
COMPUTERS_AT_ONCE = environment.count("TALLEYRAND_COMPUTERS", 2, least=1, most=64)

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.messages",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "talleyrand.web.accounts",
    "talleyrand.web.notices",
    "talleyrand.web.practice",
    "talleyrand.web.library",
    "talleyrand.web.games",
    "talleyrand.web.press",
]
MIDDLEWARE = [
    "talleyrand.web.settings.security.headers",
    "talleyrand.web.statics.Statics",
    "talleyrand.web.compression.Compression",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "talleyrand.web.errors.methods",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "talleyrand.web.notices.reading.reading",
]
ROOT_URLCONF = "talleyrand.web.urls"
ASGI_APPLICATION = "talleyrand.web.asgi.application"
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
                "talleyrand.web.context.languages",
                "talleyrand.web.boards.look.look",
            ],
            "builtins": ["talleyrand.web.boards.preloading"],
        },
    },
]
DATABASES = {"default": database("TALLEYRAND_DATABASE", DATA)}
AUTH_USER_MODEL = "accounts.Person"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

LANGUAGE_CODE = "fr"
LANGUAGES = [("fr", "Français"), ("en", "English")]
LOCALE_PATHS = [WEB / "locale", WEB / "library" / "lessons" / "locale", *(area / "locale" for area in AREAS)]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "Europe/Paris"

STATIC_URL = "/static/"
STATICFILES_DIRS = [WEB / "static", ("fonts", WEB.parent / "drawing" / "fonts" / "web")]
STATIC_KEPT = DATA / "static"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "talleyrand.web.statics.Edition"},
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
CSRF_FAILURE_VIEW = "talleyrand.web.errors.forgery"
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_HTTPONLY = True
CSRF_COOKIE_SECURE = HTTPS
SESSION_COOKIE_SECURE = HTTPS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None

LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": environment.level("TALLEYRAND_LOG", "WARNING")},
    "loggers": {
        "django": {"handlers": [], "propagate": True},
        # A refused request is the visitor's affair: only our own faults are logged.
        "django.request": {"level": "ERROR"},
        "django.security": {"level": "CRITICAL"},
    },
}
