from django.apps import AppConfig
from django.conf import settings

LOOK = 10.0  # seconds between two looks whether the computer has to think


class PracticeConfig(AppConfig):
    name = "talleyrand.web.practice"
    label = "practice"

    def ready(self) -> None:
        from talleyrand.web import background
        from talleyrand.web.bots import bot_queue, bot_threads

        from . import practice_bot_tasks

        bot_queue.register_bot_queue(practice_bot_tasks.PRACTICE_BOT_QUEUE)
        background.register("coach", "talleyrand.web.bots.coach_reviews.make_coach_review")
        background.register("history", "talleyrand.web.boards.file_downloads.make_history_pdf")
        background.register("import", "talleyrand.web.practice.start_views.import_long_game")
        background.register("paper", "talleyrand.web.boards.paper_downloads.make_paper_pdf")
        background.register("picture", "talleyrand.web.boards.file_downloads.make_map_png")
        background.register("animation", "talleyrand.web.boards.file_downloads.make_map_animation")
        every = LOOK if settings.WORKERS else None
        background.register("computer", bot_threads.START_JOB_PATH, every=every)
