"""A person of the site. What others see of one in a game is decided in `games.sight`, never here."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.db import models
from django.utils.translation import gettext_lazy as _

from talleyrand.web.fields import OrderedJSONField


class People(BaseUserManager["Person"]):
    """Makes persons; names are compared without regard to case."""

    def create_user(self, name: str, password: str | None = None, **more: Any) -> Person:
        person = self.model(name=name, **more)
        person.set_password(password)
        person.save(using=self._db)
        return person

    def get_by_natural_key(self, username: str | None) -> Person:
        return self.get(folded=folded(username or ""))


def folded(name: str) -> str:
    """A name as it is compared with others."""
    return name.strip().casefold()


class Person(AbstractBaseUser):
    """`zone` is an IANA name; `choices` holds what else a person prefers, by name."""

    name = models.CharField(_("name"), max_length=40, unique=True)
    folded = models.CharField(max_length=80, unique=True, editable=False)
    email = models.EmailField(_("e-mail address"), blank=True, default="")
    language = models.CharField(max_length=2, default="fr")
    zone = models.CharField(max_length=64, default="Europe/Paris")
    choices: models.JSONField[dict[str, Any], dict[str, Any]] = OrderedJSONField(default=dict, blank=True)
    is_active = models.BooleanField(default=True)
    is_administrator = models.BooleanField(default=False)
    joined = models.DateTimeField(auto_now_add=True)

    USERNAME_FIELD = "name"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []
    objects: ClassVar[People] = People()

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.folded = folded(self.name)
        super().save(*args, **kwargs)
