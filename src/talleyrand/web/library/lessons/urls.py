"""Addresses of the boards to learn on: `/apprendre/` in French, `/en/learn/` in English."""

from django.urls import URLPattern, path
from django.utils.translation import gettext_lazy as _

from . import guided_game_views, views

urlpatterns: list[URLPattern] = [
    path(_("learn/"), views.course_page, name="lessons"),
    path(_("learn/start-over/"), views.start_over_view, name="start_over"),
    path(_("learn/<int:number>/"), views.lesson_page, name="lesson"),
    path(_("learn/<int:number>/draft/"), views.lesson_draft, name="lesson_draft"),
    path(_("learn/half-hour/"), guided_game_views.guided_game_page, name="half_hour"),
    path(_("learn/half-hour/draft/"), guided_game_views.guided_game_draft, name="half_hour_draft"),
    path(_("learn/<str:course>/"), views.course_page, name="course"),
    path(_("learn/<str:course>/start-over/"), views.start_over_view, name="course_start_over"),
    path(_("learn/<str:course>/<int:number>/"), views.lesson_page, name="course_lesson"),
    path(_("learn/<str:course>/<int:number>/draft/"), views.lesson_draft, name="course_draft"),
]
