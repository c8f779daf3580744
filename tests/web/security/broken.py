"""The site, with an address behind which something breaks."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import path

from talleyrand.web.urls import handler400, handler403, handler404, handler429, handler500
from talleyrand.web.urls import urlpatterns as whole

SECRET = "zz-what-broke"

__all__ = ["handler400", "handler403", "handler404", "handler429", "handler500", "urlpatterns"]


def _broken(_request: HttpRequest) -> HttpResponse:
    raise RuntimeError(SECRET)


urlpatterns = [path("broken/", _broken), *whole]
