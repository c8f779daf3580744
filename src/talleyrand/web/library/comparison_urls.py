from django.urls import URLPattern, path
from django.utils.translation import gettext_lazy as _

from . import comparison_views, two_rulebooks_views

urlpatterns: list[URLPattern] = [
    path(_("compare/"), comparison_views.comparison_page, name="compare"),
    path(_("two/"), two_rulebooks_views.two_rulebooks_page, name="two_books"),
]
