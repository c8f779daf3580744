from django.apps import AppConfig


class TournamentNewsConfig(AppConfig):
    name = "talleyrand.web.tournaments.news"
    label = "tournament_news"

    def ready(self) -> None:
        from talleyrand.web import background
        from talleyrand.web.tournaments import forgetting

        from .leaving import ELSEWHERE

        background.register("tournament_news", "talleyrand.web.tournaments.news.telling.tell_due", every=5.0)
        forgetting.also(ELSEWHERE)
        background.register("chats", "talleyrand.web.tournaments.news.posting.send_due", every=5.0)
