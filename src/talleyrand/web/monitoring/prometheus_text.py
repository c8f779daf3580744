"""Figures as Prometheus reads them: its text format, version 0.0.4."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
ESCAPED = str.maketrans({"\\": r"\\", '"': r"\"", "\n": r"\n"})


@dataclass(frozen=True)
class MetricSample:
    """A number with its labels; `suffix` is "_bucket" and the like in a histogram."""

    value: float
    labels: Mapping[str, str] = field(default_factory=dict)
    suffix: str = ""


@dataclass(frozen=True)
class Metric:
    """Samples of one name; `kind` is gauge, counter or histogram."""

    name: str
    kind: str
    about: str
    samples: tuple[MetricSample, ...]


def metrics_text(metrics: Iterable[Metric]) -> str:
    """The whole text, each metric with its help and its kind."""
    return "".join(f"{line}\n" for metric in metrics for line in _lines(metric))


def _lines(metric: Metric) -> Iterable[str]:
    yield f"# HELP {metric.name} {metric.about}"
    yield f"# TYPE {metric.name} {metric.kind}"
    for one in metric.samples:
        yield f"{metric.name}{one.suffix}{_labels(one.labels)} {_number(one.value)}"


def _labels(labels: Mapping[str, str]) -> str:
    inner = ",".join(f'{name}="{value.translate(ESCAPED)}"' for name, value in labels.items())
    return f"{{{inner}}}" if inner else ""


def _number(value: float) -> str:
    return str(int(value)) if float(value).is_integer() else repr(float(value))
