"""Addresses of the boards to learn on: `/apprendre/` in French, `/en/learn/` in English."""

from django.urls import URLPattern, path
from django.utils.translation import gettext_lazy as _

from .lessons import half_hour_views, views

urlpatterns: list[URLPattern] = [
    path(_("learn/"), views.contents, name="lessons"),
    path(_("learn/start-over/"), views.start_over, name="start_over"),
    path(_("learn/<int:number>/"), views.lesson, name="lesson"),
    path(_("learn/<int:number>/draft/"), views.draft, name="lesson_draft"),
    path(_("learn/half-hour/"), half_hour_views.half_hour_page, name="half_hour"),
    path(_("learn/half-hour/draft/"), half_hour_views.half_hour_draft, name="half_hour_draft"),
    path(_("learn/<str:course>/"), views.contents, name="course"),
    path(_("learn/<str:course>/start-over/"), views.start_over, name="course_start_over"),
    path(_("learn/<str:course>/<int:number>/"), views.lesson, name="course_lesson"),
    path(_("learn/<str:course>/<int:number>/draft/"), views.draft, name="course_draft"),
]
