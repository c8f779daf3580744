"""Addresses of former versions lead to those of today, with everything that follows them."""

import pytest
from django.test import Client
from django.urls import Resolver404, resolve
from django.utils import translation

from tests.each import each

FORMER = {
    "/livres/regles/datc/supports/": "/reglements/regles/datc/supports/",
    "/en/books/compare/": "/en/rulebooks/compare/",
    "/parties/abc/table/": "/parties/abc/infos/",
    "/parties/abc/table/journal/": "/parties/abc/infos/journal/",
    "/parties/abc/table/wishes/": "/parties/abc/infos/preferences/",
    "/parties/abc/table/give-up/": "/parties/abc/infos/resign/",
    "/parties/abc/table/begin/": "/parties/abc/infos/start/",
    "/parties/abc/table/go-on/": "/parties/abc/infos/resume/",
    "/en/games/abc/table/log/": "/en/games/abc/info/log/",
    "/en/games/abc/table/begin/": "/en/games/abc/info/start/",
    "/parties/abc/courrier/": "/parties/abc/courriel/",
    "/parties/abc/courrier/tardifs/": "/parties/abc/courriel/en-retard/",
    "/parties/abc/courrier/tardifs/admettre/": "/parties/abc/courriel/en-retard/accepter/",
    "/en/games/abc/post/late/let-in/": "/en/games/abc/email/late/accept/",
    "/parties/abc/lettres/": "/parties/abc/messages/",
    "/parties/abc/lettres/en-attente/toutes/": "/parties/abc/messages/en-attente/tous/",
    "/en/games/abc/letters/xyz/print/": "/en/games/abc/messages/xyz/print/",
    "/en/games/abc/letters/held/xyz/pass/": "/en/games/abc/letters/held/xyz/forward/",
    "/administration/courrier/relire/": "/administration/courriel/relire/",
    "/en/administration/post/": "/en/administration/email/",
    "/administration/veille/": "/administration/etat/",
    "/en/administration/watch/": "/en/administration/status/",
    "/nouvelles/": "/notifications/",
    "/nouvelles/choix/": "/notifications/reglages/",
    "/nouvelles/appareils/essai/": "/notifications/appareils/test/",
    "/en/news/choices/": "/en/notifications/settings/",
    "/en/news/devices/trial/": "/en/notifications/devices/test/",
    "/compte/webhooks/abc/essai/": "/compte/webhooks/abc/test/",
    "/en/account/webhooks/abc/trial/": "/en/account/webhooks/abc/test/",
    "/tournois/abc/bureau/nouvelles/": "/tournois/abc/bureau/notifications/",
    "/en/tournaments/abc/desk/news/": "/en/tournaments/abc/desk/notifications/",
    "/en/tournaments/abc/desk/notebook/": "/en/tournaments/abc/desk/rulings/",
    "/en/tournaments/abc/desk/round/2/numbers/": "/en/tournaments/abc/desk/round/2/headcount/",
    "/tournois/abc/moi/voeux/": "/tournois/abc/moi/preferences/",
    "/en/tournaments/abc/me/wishes/": "/en/tournaments/abc/me/preferences/",
    "/en/tournaments/abc/me/mails/": "/en/tournaments/abc/me/emails/",
    "/en/tournaments/abc/no-mail/xyz/": "/en/tournaments/abc/no-email/xyz/",
    "/en/tournaments/seasons/": "/en/tournaments/circuits/",
    "/en/tournaments/seasons/abc/keep/": "/en/tournaments/seasons/abc/settings/",
}


def page_at(path: str) -> str:
    """The name of the page at an address, in the language of the address."""
    with translation.override("en" if path.startswith("/en/") else "fr"):
        return str(resolve(path).func.__name__)


@each("former", FORMER)
def test_a_former_address_leads_to_a_page_of_today(former: str) -> None:
    path = former
    for _each in range(3):
        answer = Client().get(path)
        assert answer.status_code == 308
        if path == former:
            assert answer["Location"] == FORMER[former]
        path = answer["Location"]
        if page_at(path) != "moved":
            break
    else:
        raise AssertionError(f"{former} leads to no page")


def test_what_was_asked_for_and_the_method_stay() -> None:
    answer = Client().post("/parties/abc/table/wishes/?from=a%26b&x=%C3%A9", {"power": "FRANCE"})
    assert answer.status_code == 308
    assert answer["Location"] == "/parties/abc/infos/preferences/?from=a%26b&x=%C3%A9"


@pytest.mark.parametrize(
    ("path", "leads_to"),
    [
        ("/livres//example.org/", "/reglements//example.org/"),
        ("/livres/%3Fnext=//example.org/", "/reglements/%3Fnext%3D//example.org/"),
        ("/livres/%23x/", "/reglements/%23x/"),
    ],
)
def test_no_address_leads_off_the_site(path: str, leads_to: str) -> None:
    assert Client().get(path)["Location"] == leads_to


@pytest.mark.parametrize("path", ["/livres/%0d%0aSet-Cookie:x/", "/livresx/", "//livres/", "/nouvelles"])
def test_what_never_was_an_address_is_none(path: str) -> None:
    with pytest.raises(Resolver404):
        resolve(path.replace("%0d%0a", "\r\n"))
