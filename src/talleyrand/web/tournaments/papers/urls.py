"""Addresses of papers and files: `papiers/` in French."""

from django.urls import path
from django.utils.translation import gettext_lazy as _

from . import albums, archives, badges, diplomas, files, listing, pages, ranking_papers, round_papers

urlpatterns = [
    path("", pages.papers, name="papers"),
    path(_("people/"), listing.people, name="paper_people"),
    path(_("archive.zip"), archives.download, name="paper_archive"),
    path(_("photographs/"), albums.take, name="take_album"),
    path(_("photographs-<int:part>.zip"), albums.download, name="paper_album"),
    path(_("badges.pdf"), badges.badges, name="paper_badges"),
    path(_("standings.pdf"), ranking_papers.standings, name="paper_standings"),
    path(_("results.pdf"), ranking_papers.results, name="paper_results"),
    path(_("diplomas.pdf"), diplomas.diplomas, name="paper_diplomas"),
    path(_("files/<str:what>/"), files.file, name="paper_file"),
    path(_("round-<int:number>/script.pdf"), round_papers.script, name="paper_script"),
    path(_("round-<int:number>/cards.pdf"), round_papers.cards, name="paper_cards"),
    path(_("round-<int:number>/slips.pdf"), round_papers.slips, name="paper_slips"),
    path(_("round-<int:number>/results.pdf"), round_papers.sheets, name="paper_sheets"),
    path(_("round-<int:number>/draw.pdf"), round_papers.draw, name="paper_draw"),
]
