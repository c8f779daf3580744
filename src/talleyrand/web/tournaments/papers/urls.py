"""Addresses of papers and files: `papiers/` in French."""

from django.urls import path
from django.utils.translation import gettext_lazy as _

from . import (
    badges,
    data_files,
    diplomas,
    papers_views,
    people_import,
    photo_archives,
    round_papers,
    standings_papers,
    tournament_archives,
)

urlpatterns = [
    path("", papers_views.papers_page, name="papers"),
    path(_("people/"), people_import.people_import_page, name="paper_people"),
    path(_("archive.zip"), tournament_archives.download_archive, name="paper_archive"),
    path(_("photos/"), photo_archives.import_photo_archive, name="take_album"),
    path(_("photographs-<int:part>.zip"), photo_archives.download_photo_archive, name="paper_album"),
    path(_("badges.pdf"), badges.badges_pdf, name="paper_badges"),
    path(_("standings.pdf"), standings_papers.standings_pdf, name="paper_standings"),
    path(_("results.pdf"), standings_papers.results_pdf, name="paper_results"),
    path(_("diplomas.pdf"), diplomas.diplomas_pdf, name="paper_diplomas"),
    path(_("files/<str:what>/"), data_files.data_file, name="paper_file"),
    path(_("round-<int:number>/script.pdf"), round_papers.script_card_pdf, name="paper_script"),
    path(_("round-<int:number>/cards.pdf"), round_papers.board_cards_pdf, name="paper_cards"),
    path(_("round-<int:number>/slips.pdf"), round_papers.order_slips_pdf, name="paper_slips"),
    path(_("round-<int:number>/results.pdf"), round_papers.result_sheets_pdf, name="paper_sheets"),
    path(_("round-<int:number>/draw.pdf"), round_papers.draw_pdf, name="paper_draw"),
]
