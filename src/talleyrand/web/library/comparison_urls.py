from django.urls import URLPattern, path
from django.utils.translation import gettext_lazy as _

from . import books_views, comparison_views

urlpatterns: list[URLPattern] = [
    path(_("compare/"), comparison_views.compared, name="compare"),
    path(_("two/"), books_views.two, name="two_books"),
]
