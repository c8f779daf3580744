"""The former name of `batch_adjudicator`."""

from talleyrand.engine.deprecated_names import renamed_in

__getattr__ = renamed_in(
    __name__,
    {
        "Accepted": "AcceptedOrders",
        "Reason": "FallbackReason",
        "SlowJudge": "NumbaMissingWarning",
        "Phases": "PhaseBatch",
        "Answers": "PhaseBatchAnswers",
        "Judge": "BatchAdjudicator",
        "fit": "array_fits",
    },
    "talleyrand.simulation.batch_adjudicator",
)
