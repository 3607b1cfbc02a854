"""The measured values of each system; each value is printed when it is measured."""

import collections
import sys

from bench.report import report


class Figures:
    def __init__(self):
        self._values = collections.defaultdict(lambda: collections.defaultdict(list))

    def note(self, who, name, kind, value):
        self._values[who][name, kind].append(value)
        print(f"  {who:<5} {name}, {kind}: {value:.2f}", file=sys.stderr, flush=True)

    def report(self):
        report(self._values["ours"], self._values["stock"])
