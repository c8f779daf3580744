"""A person of the site, and the links that make one. What others see of a person in a game is decided in
`games.viewer_permissions`, never here.
"""

from __future__ import annotations

from typing import Any, ClassVar, cast

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.db import models
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from talleyrand.web.common.model_fields import OrderedJSONField
from talleyrand.web.common.prepared_queries import Given, PreparedQuery

from .person_names import folded_name

__all__ = [
    "Approval",
    "CacheCounter",
    "OneTimeLink",
    "Person",
    "PersonManager",
    "folded_name",
    "signed_in_person",
]


class Approval(models.TextChoices):
    """What an administrator has said of an account, where not everyone may make games."""

    NONE = ""
    APPROVED = "approved"
    ORGANISER = "organiser"


GUEST_SEPARATOR = " · "  # no name of an account has it: a guest is never taken for one


class PersonManager(BaseUserManager["Person"]):
    """Makes persons; names are compared without regard to case."""

    def create_user(self, name: str, password: str | None = None, **more: Any) -> Person:
        person = self.model(name=name, **more)
        person.set_password(password)
        person.save(using=self._db)
        return person

    def get(self, *asked: Any, **named: Any) -> Person:
        """As of any table; whoever is signed in is asked for by key at each request."""
        if asked or named.keys() != {"pk"}:
            return super().get(*asked, **named)
        return cast(Person, _BY_KEY.get(id=named["pk"]))

    def get_by_natural_key(self, username: str | None) -> Person:
        return self.get(folded_name=folded_name(username or ""))


class Person(AbstractBaseUser):
    """`time_zone` is an IANA name; `preferences` holds what else a person prefers, by name. `is_guest`:
    without an account, at one table (see `guests`); never active, so that whatever is for accounts leaves
    them out.

    `unread_notifications` is no column: how many there are, where the request has counted them already.
    """

    unread_notifications: int | None = None
    name = models.CharField(_("name"), max_length=40, unique=True)
    folded_name = models.CharField(max_length=80, unique=True, editable=False)
    email = models.EmailField(_("email address"), blank=True, default="")
    language = models.CharField(max_length=2, default="fr")
    time_zone = models.CharField(max_length=64, default="Europe/Paris")
    preferences: models.JSONField[dict[str, Any], dict[str, Any]] = OrderedJSONField(default=dict, blank=True)
    is_active = models.BooleanField(default=True)
    is_administrator = models.BooleanField(default=False)
    is_guest = models.BooleanField(default=False)
    approval = models.CharField(max_length=9, choices=Approval, blank=True, default="")
    joined_at = models.DateTimeField(auto_now_add=True)

    USERNAME_FIELD = "name"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []
    objects: ClassVar[PersonManager] = PersonManager()

    def __str__(self) -> str:
        return self.name

    @property
    def may_make_games(self) -> bool:
        """Whether games and tournaments may be made by this account, as the site is set."""
        makers = {"everyone": Approval.values, "approved": (Approval.APPROVED, Approval.ORGANISER)}
        allowed = makers.get(settings.GAME_MAKERS, (Approval.ORGANISER,))
        return self.is_active and (self.is_administrator or self.approval in allowed)

    @property
    def shown_name(self) -> str:
        """As others read it: of a guest without the word of the table."""
        return self.name.partition(GUEST_SEPARATOR)[0] if self.is_guest else self.name

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.folded_name = folded_name(self.name)
        super().save(*args, **kwargs)


def signed_in_person(request: HttpRequest) -> Person:
    """Who asks, on pages that ask whoever comes to sign in first."""
    assert isinstance(request.user, Person)
    return request.user


_BY_KEY = PreparedQuery(lambda: Person.objects.filter(pk=Given(Person, "id")))


class OneTimeLink(models.Model):
    """An address that works once: it makes an account, gives a new password, makes an
    administrator, or signs somebody in.

    `token_digest` is all that is kept of what stands in the address. `remark` says for whom it is; of one
    that signs in, with which password it was made, as sessions do.
    """

    class Kind(models.TextChoices):
        ACCOUNT = "account"
        PASSWORD = "password"  # noqa: S105 a word, not a secret
        ADMINISTRATOR = "administrator"
        SIGN_IN = "sign_in"

    token_digest = models.CharField(max_length=64, unique=True)
    submission_id = models.CharField(max_length=64, unique=True)
    kind = models.CharField(max_length=16, choices=Kind)
    person = models.ForeignKey(Person, models.CASCADE, null=True, related_name="links")
    remark = models.CharField(max_length=80, blank=True, default="")
    created_by = models.ForeignKey(Person, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar = ["-created_at", "-id"]

    def __str__(self) -> str:
        return f"{self.kind} {self.created_at:%F}"


class CacheCounter(models.Model):
    """The table of Django's cache in a database: how often something was tried lately."""

    cache_key = models.CharField(max_length=255, primary_key=True)
    value = models.TextField()
    expires = models.DateTimeField(db_index=True)

    class Meta:
        db_table = "accounts_counted"

    def __str__(self) -> str:
        return self.cache_key
