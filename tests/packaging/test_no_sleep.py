"""Tests wait for a sign (`tests.waiting`), never for a time."""

import ast
from collections import Counter
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
# Where the time between two acts is the matter itself.
PACED = {
    "faults/chaos.py": "what was begun again is under fire no more",
    "faults/test_chaos.py": "players hand in now and then, by chance",
    "waiting.py": "the pause between two looks for a sign",
    "web/mail/office.py": "a server of mail that is slow",
    "web/mail/test_smtpd.py": "mails that come in pieces, or never to an end",
    "web/security/test_calling_out.py": "an answer that comes drop by drop",
    "web/security/test_mail_lines.py": "a client that says now and then that it is still there",
    "web/security/test_slow.py": "a body that comes slowly and steadily",
}


def sleeps(module: Path) -> int:
    """Calls of sleep, but for `asyncio.sleep(0)`, which lets others go first."""
    calls = [node for node in ast.walk(ast.parse(module.read_text())) if isinstance(node, ast.Call)]
    named = (call for call in calls if ast.unparse(call.func).rpartition(".")[2] == "sleep")
    return sum(1 for call in named if ast.unparse(call.args[0]) != "0")


def test_no_test_sleeps() -> None:
    modules = [module for module in TESTS.rglob("*.py") if "sleep(" in module.read_text()]
    found = Counter({str(module.relative_to(TESTS)): sleeps(module) for module in modules})
    assert set(+found) == set(PACED)
    assert found.total() <= 11
