"""The closing line of ./test: python tally.py FAILED_CHECKS SECONDS REPORT.xml..."""

import sys
from xml.etree import ElementTree as ET


def counts(report: str) -> tuple[int, int, int]:
    """Tests of one JUnit report that passed, failed and were skipped."""
    suites = ET.parse(report).getroot().iter("testsuite")
    attributes = [suite.attrib for suite in suites]
    total = sum(int(suite["tests"]) for suite in attributes)
    failed = sum(int(suite["failures"]) + int(suite["errors"]) for suite in attributes)
    skipped = sum(int(suite["skipped"]) for suite in attributes)
    return total - failed - skipped, failed, skipped


def main(failed_stages: int, seconds: int, reports: list[str]) -> int:
    passed, failed, skipped = (sum(column) for column in zip((0, 0, 0), *map(counts, reports), strict=True))
    stages = "1 stage FAILED" if failed_stages == 1 else f"{failed_stages} stages FAILED"
    verdict = stages if failed_stages else "all stages passed"
    print(f"== {passed} passed, {failed} failed, {skipped} skipped, {verdict}, {seconds} s ==")
    return 1 if failed or failed_stages else 0


if __name__ == "__main__":
    raise SystemExit(main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]))
