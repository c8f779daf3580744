"""The log has a sentence for whatever can be done."""

import pytest

from talleyrand.tournament import acts
from talleyrand.web.tournaments.desk.deeds import FLAGS, SENTENCES


@pytest.mark.parametrize("kind", acts.KINDS)
def test_every_act_has_its_sentence(kind: str) -> None:
    flagged = any(name in FLAGS for name in acts.KINDS[kind].__annotations__)
    wanted = {f"{kind}.yes", f"{kind}.no"} if kind not in SENTENCES else {kind}
    assert wanted <= set(SENTENCES)
    assert flagged or kind in SENTENCES
