from django.apps import AppConfig
from django.conf import settings

LOOK = 10.0  # seconds between two looks whether the computer has to think


class PracticeConfig(AppConfig):
    name = "talleyrand.web.practice"
    label = "practice"

    def ready(self) -> None:
        from talleyrand.web import background

        from . import opponents_queues, opponents_thinking, opponents_threads

        opponents_queues.register(opponents_thinking.QUEUE)
        background.register("history", "talleyrand.web.boards.files.history_written")
        background.register("import", "talleyrand.web.practice.starts.read_whole")
        background.register("picture", "talleyrand.web.boards.files.picture_written")
        every = LOOK if settings.WORKERS else None
        background.register("computer", opponents_threads.BEGIN, every=every)
