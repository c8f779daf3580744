"""The log has a sentence for whatever can be done."""

from talleyrand.tournament import acts
from talleyrand.web.tournaments.desk.act_descriptions import ACT_SENTENCES, FLAG_FIELDS
from tests.each import each


@each("kind", acts.ACTS_BY_KIND)
def test_every_act_has_its_sentence(kind: str) -> None:
    flagged = any(name in FLAG_FIELDS for name in acts.ACTS_BY_KIND[kind].__annotations__)
    wanted = {f"{kind}.yes", f"{kind}.no"} if kind not in ACT_SENTENCES else {kind}
    assert wanted <= set(ACT_SENTENCES)
    assert flagged or kind in ACT_SENTENCES
