"""A process that is killed while a bot's letter is being answered: another answers it, once."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.e2e import sites

PROGRAM = """
import json, os, signal, sys
import django; django.setup()
from django.test.utils import setup_test_environment; setup_test_environment()
from django.utils import timezone
from talleyrand.web.bots import bot_threads
from talleyrand.web.games.bot_letter_models import BotAgreement, BotLetterTask
from talleyrand.web.games.models import Game
from talleyrand.web.press import message_actions
from talleyrand.web.press.models import Message
from tests.web.press import test_bot_letters as letters
from tests.web.press.post import send
bot_threads.bot_thread_pool.start_if_due = lambda: None
act, moment = sys.argv[1:]
if act == "begin":
    game = letters.playing(led=False)
    BotLetterTask.objects.all().delete()
    assert send(game, "Flora", "GERMANY", "Paix ?").status_code == 302
if act == "killed":
    whole = message_actions.write_for_bot
    def end(*told):
        if moment == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        whole(*told)
        os.kill(os.getpid(), signal.SIGKILL)
    message_actions.write_for_bot = end
BotLetterTask.objects.update(claimed_until=None)
if act != "begin":
    letters.read_letters()
said = letters.said(Game.objects.get())
print(json.dumps([said, BotAgreement.objects.count(), BotLetterTask.objects.count()]))
"""


def ended(folder: Path, act: str, moment: str = "") -> tuple[int, Any]:
    command = [sys.executable, "-c", PROGRAM, act, moment]
    kept = sites.environment(folder)
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, env=kept, check=False)
    return done.returncode, json.loads(done.stdout) if done.stdout else None


@pytest.mark.long
@pytest.mark.skipif(os.name != "posix", reason="no process is killed so elsewhere")
def test_a_letter_is_answered_once_after_a_kill(new_site: Path) -> None:
    assert ended(new_site, "begin") == (0, [[], 0, 1])
    for moment in ("before", "after"):
        assert ended(new_site, "killed", moment) == (-signal.SIGKILL, None)
    status, (said, agreements, left) = ended(new_site, "again")
    assert (status, len(said), agreements, left) == (0, 1, 1, 0)
    assert "D’accord" in said[0]
    assert ended(new_site, "again") == (0, [said, 1, 0])
