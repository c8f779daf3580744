"""A hash of passwords that counts how often it is asked for."""

from __future__ import annotations

from typing import ClassVar

from django.contrib.auth.hashers import PBKDF2PasswordHasher


class Counting(PBKDF2PasswordHasher):
    """As the site's own, in fewer turns."""

    algorithm = "counting"
    iterations = 2000
    done: ClassVar[int] = 0

    def encode(self, password: str, salt: str, iterations: int | None = None) -> str:
        Counting.done += iterations or self.iterations
        return super().encode(password, salt, iterations)
