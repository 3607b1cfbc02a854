"""One line a figure: ours, the stock one's, the ratio, and what the ratio should be."""

# The aims are of ratios within one run, because machines differ.
AIMS = {"wall": 1.0, "first": 1.0, "cpu": 0.25, "memory": 0.25, "start": 0.5, "start memory": 0.1}

UNITS = {
    "wall": "s",
    "first": "s",
    "cpu": "CPU s",
    "memory": "MB",
    "start": "s",
    "start memory": "MB",
}


def line(name, kind, ours, stock):
    ratio = ours / stock if stock else float("inf")
    aim = AIMS[kind]
    verdict = "ok" if ratio <= aim else "MISSED"
    return (
        f"{name:<44} ours {ours:9.2f}  stock {stock:9.2f} {UNITS[kind]:<5}  "
        f"ratio {ratio:5.2f}  aim <= {aim:.2f}  {verdict}"
    )


def report(ours, stock):
    """Both: (name, kind) -> list of values, one for each round; the middle one counts."""
    for (name, kind), values in ours.items():
        print(line(name, kind, middle(values), middle(stock[name, kind])), flush=True)


def middle(values):
    return sorted(values)[len(values) // 2]
