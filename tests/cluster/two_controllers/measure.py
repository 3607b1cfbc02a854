"""ebb's ReplicaSet controller beside the stock one on the same kube-apiserver: how many pods are
deleted beyond the surplus and created beyond what is missing.

A ReplicaSet of 100 pods is scaled to 50 and back, several times, while the stock controller runs
from the start, leaves, and comes back. `before` is ebb with --assume-sole-controller, which does
not check for other controllers; `after` is ebb with its defaults. A watch counts the pods, and
the API server's audit log shows which client sent the requests.
"""

import argparse
import contextlib
import pathlib
import shutil
import sys
import tempfile
import time

from rig.controllers import OurControllers, StockControllers
from rig.place import Place
from rig.recorder import PodRecorder
from rig.systems import KubeSystem
from support.names import make_namespace
from support.process import eventually
from two_controllers.audit import Audit

SCENARIOS = ("start", "leaving", "coming-back")
CODES = ("before", "after")
HIGH, LOW = 100, 50


class StockReplicaSets(StockControllers):
    controllers = "replicaset-controller"


class OurReplicaSets(OurControllers):
    runs = "replicaset"


def parse(arguments):
    parser = argparse.ArgumentParser(prog="scripts/two-controllers", description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--qps", type=int, default=0, help="of both clients; 0: no limit")
    parser.add_argument("--codes", default=",".join(CODES), help="before, after")
    parser.add_argument("--scenarios", default=",".join(SCENARIOS))
    parser.add_argument(
        "--take-over-wait", help="of ebb in `after`, to shorten the scenarios; default: ebb's own"
    )
    chosen = parser.parse_args(arguments)
    chosen.codes = chosen.codes.split(",")
    chosen.scenarios = chosen.scenarios.split(",")
    for name, known in (("codes", CODES), ("scenarios", SCENARIOS)):
        if unknown := [one for one in getattr(chosen, name) if one not in known]:
            parser.error(f"--{name}: unknown: {unknown[0]}; known: {', '.join(known)}")
    return chosen


class Measurement:
    def __init__(self, system, audit, folder, options):
        self.system = system
        self.audit = audit
        self.folder = folder
        self.options = options

    def stock(self):
        return StockReplicaSets(self.system.server, self.folder, qps=self.options.qps)

    @contextlib.contextmanager
    def ebb(self, code):
        """Stops ebb gracefully, so that it leaves no canary behind for the next process."""
        guard = code == "after"
        wait = self.options.take_over_wait
        ebb = OurReplicaSets(
            self.system.server,
            self.folder,
            qps=self.options.qps,
            guard=guard,
            flags=(f"--take-over-wait={wait}",) if guard and wait else (),
        )
        with ebb:
            yield ebb
            assert ebb.stop() == 0, ebb.child.output()[-2000:]

    @contextlib.contextmanager
    def crowd(self, replicas):
        """A ReplicaSet in its own namespace, whose pods are ready. The running controllers create
        them; nothing is counted yet."""
        api = self.system.server.api
        place = Place(self.system, make_namespace(api, "two-controllers"))
        try:
            place.replica_set("web", replicas)
            place.wait_ready(replicas, timeout=180)
            yield place
        finally:
            api.request("DELETE", f"/api/v1/namespaces/{place.namespace}")

    def scale(self, place, to, timeout=120):
        """Scales, and waits until no pods come or go any more. Returns how many pods were deleted
        and created, after how many seconds the size was right, and which client sent what."""
        begin = time.monotonic()
        before = self.audit.count(place.namespace)
        with PodRecorder(place.api, place.namespace) as recorder:
            place.scale("replicasets", "web", to)
            place.wait_active(to, timeout=timeout)
            seconds = time.monotonic() - begin
            recorder.wait_for_silence(3.0, timeout=120)
            place.wait_ready(to, timeout=120)
        after = self.audit.count(place.namespace)
        sent = {key: after.get(key, 0) - before.get(key, 0) for key in after}
        return len(recorder.leaving), len(recorder.created), seconds, sent

    def report(self, code, scenario, round_, start, end, result):
        deleted, created, seconds, sent = result
        surplus, missing = max(0, start - end), max(0, end - start)
        requests = ", ".join(f"{who} {verb}s {n}" for (who, verb), n in sorted(sent.items()) if n)
        print(
            f"two-controllers {code:<6} {scenario:<12} round {round_} {start:>3} to {end:>3}: "
            f"deleted beyond the surplus {deleted - surplus:>3}, "
            f"created beyond what is missing {created - missing:>3}, {seconds:6.1f} s ({requests})",
            flush=True,
        )
        return deleted - surplus, created - missing

    def both_ways(self, code, scenario, round_, place, timeout=120):
        down = self.scale(place, LOW, timeout)
        worst = self.report(code, scenario, round_, HIGH, LOW, down)
        up = self.scale(place, HIGH, timeout)
        return worst, self.report(code, scenario, round_, LOW, HIGH, up)

    # Scenarios

    def start(self, code):
        """The stock controller is there from the start."""
        with self.stock(), self.crowd(HIGH) as place, self.ebb(code) as ebb:
            self.wait_started(ebb)
            return [
                self.both_ways(code, "start", round_, place)
                for round_ in range(1, self.options.rounds + 1)
            ]

    def leaving(self, code):
        """The stock controller is killed right before each scaling; ebb is there already."""
        results = []
        for round_ in range(1, self.options.rounds + 1):
            with self.stock() as stock, self.crowd(HIGH) as place, self.ebb(code) as ebb:
                self.wait_started(ebb)
                stock.kill()
                results.append(self.both_ways(code, "leaving", round_, place, timeout=420))
        return results

    def coming_back(self, code):
        """ebb acts alone; the stock controller starts while the ReplicaSet is scaled to and fro."""
        results = []
        for round_ in range(1, self.options.rounds + 1):
            with self.crowd_of_ebb(code) as (place, ebb):
                results.append(self.to_and_fro(code, round_, place))
                assert ebb.child.running(), ebb.child.output()[-2000:]
        return results

    @contextlib.contextmanager
    def crowd_of_ebb(self, code):
        with self.ebb(code) as ebb:
            self.wait_started(ebb)
            eventually(ebb.ready, timeout=420)  # takes over, if it has to
            with self.crowd(HIGH) as place:
                yield place, ebb

    def to_and_fro(self, code, round_, place):
        """As fast as the size is right, until the stock controller has been there for a while."""
        size, wanted_down, wanted_up = HIGH, 0, 0
        before = self.audit.count(place.namespace)
        begin = time.monotonic()
        with PodRecorder(place.api, place.namespace) as recorder, self.stock():
            while time.monotonic() - begin < 20 or size != HIGH:
                size = LOW if size == HIGH else HIGH
                if size == LOW:
                    wanted_down += HIGH - LOW
                else:
                    wanted_up += HIGH - LOW
                place.scale("replicasets", "web", size)
                place.wait_active(size, timeout=120)
            recorder.wait_for_silence(3.0, timeout=120)
            place.wait_ready(HIGH, timeout=120)
        after = self.audit.count(place.namespace)
        sent = {key: after.get(key, 0) - before.get(key, 0) for key in after}
        over = (len(recorder.leaving) - wanted_down, len(recorder.created) - wanted_up)
        requests = ", ".join(f"{who} {verb}s {n}" for (who, verb), n in sorted(sent.items()) if n)
        print(
            f"two-controllers {code:<6} coming-back  round {round_} {HIGH} to {LOW} and back, "
            f"{wanted_down // (HIGH - LOW)} times: deleted beyond the surplus {over[0]:>3}, "
            f"created beyond what is missing {over[1]:>3} ({requests})",
            flush=True,
        )
        return over

    @staticmethod
    def wait_started(ebb):
        """Until it has read the cluster, whether it acts or not."""
        eventually(lambda: ebb.get("/livez"), timeout=60)
        time.sleep(3)


def main(arguments):
    options = parse(arguments)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="ebb-two-controllers-"))
    audit = Audit(folder / "audit")
    system = KubeSystem(folder, None, flags=audit.flags())
    runs = {"start": "start", "leaving": "leaving", "coming-back": "coming_back"}
    try:
        with system:
            measurement = Measurement(system, audit, folder, options)
            for code in options.codes:
                for scenario in options.scenarios:
                    getattr(measurement, runs[scenario])(code)
    except BaseException:
        print(f"logs of all processes: {folder}", file=sys.stderr)
        raise
    shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main(sys.argv[1:])
