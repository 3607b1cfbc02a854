"""Prints one line per figure: ebb's value, the stock controllers' value, the ratio, and its aim."""

import dataclasses


@dataclasses.dataclass
class Kind:
    """Of a figure. The aims are of ratios within one run, because machines differ."""

    unit: str
    aim: float
    more_is_better: bool = False

    def reached(self, ratio):
        return ratio >= self.aim if self.more_is_better else ratio <= self.aim

    def aim_text(self):
        return f"aim {'>=' if self.more_is_better else '<='} {self.aim:.2f}"


KINDS = {
    # of controllers
    "wall": Kind("s", 1.0),
    "first": Kind("s", 1.0),
    "cpu": Kind("CPU s", 0.25),
    "memory": Kind("MB", 0.25),
    "start": Kind("s", 0.5),
    "start memory": Kind("MB", 0.1),
    # of API servers
    "write rate": Kind("/s", 5.0, more_is_better=True),
    "server memory": Kind("MB", 0.2),
    "memory of a pod": Kind("KB", 0.2),
    "list": Kind("s", 1.0),
    "events": Kind("/s", 1.0, more_is_better=True),
    "latency": Kind("ms", 1.0),
}


def line(name, kind, ours, stock):
    kind = KINDS[kind]
    ratio = ours / stock if stock else float("inf")
    verdict = "ok" if kind.reached(ratio) else "MISSED"
    return (
        f"{name:<44} ours {ours:9.2f}  stock {stock:9.2f} {kind.unit:<5}  "
        f"ratio {ratio:5.2f}  {kind.aim_text()}  {verdict}"
    )


def report(ours, stock):
    """Both: (name, kind) -> list of values, one for each round; the middle one counts."""
    for (name, kind), values in ours.items():
        print(line(name, kind, middle(values), middle(stock[name, kind])), flush=True)


def middle(values):
    return sorted(values)[len(values) // 2]
