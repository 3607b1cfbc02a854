"""Compares ebb with the stock kube-controller-manager, one after the other against the same kube-
apiserver, with the same two controllers and without client rate limits; and ebb's API server
with kube-apiserver and etcd (api_servers.py).

The pods are assigned to a node that does not exist (nodeName in the template): they terminate
gracefully, as in a cluster, and no hollow node takes CPU from the two that are compared. Each
part starts a new process, so that its peak memory is its own.
"""

import argparse
import concurrent.futures
import contextlib
import pathlib
import shutil
import sys
import tempfile
import time

from bench.api_servers import ApiServerBench
from bench.figures import Figures
from bench.measure import PodCounter, cpu_seconds, peak_megabytes
from rig.controllers import OurControllers, StockControllers
from rig.place import Place
from support.kube_api_server import KubeApiServer
from support.names import make_namespace
from support.process import eventually

CONTENDERS = {"stock": StockControllers, "ours": OurControllers}
CONTROLLER_PARTS = ("one", "many", "start")
PARTS = (*CONTROLLER_PARTS, "apiserver")
WAIT = 3600


def parse(arguments):
    parser = argparse.ArgumentParser(prog="scripts/bench-cluster", description=__doc__)
    parser.add_argument("--pods", type=int, default=10000, help="of the one large Deployment")
    parser.add_argument("--to", type=int, default=0, help="what it is scaled to; default: half")
    parser.add_argument("--deployments", type=int, default=100, help="scaled down at once")
    parser.add_argument("--each", type=int, default=100, help="pods of each of them")
    parser.add_argument("--there", type=int, default=30000, help="pods that are there at the start")
    parser.add_argument("--pod-bytes", type=int, default=5000, help="size of each of those")
    parser.add_argument("--rounds", type=int, default=1, help="the middle one counts")
    parser.add_argument("--quick", action="store_true", help="a tenth of everything")
    parser.add_argument("--loaded", type=int, default=150000, help="pods in an API server")
    parser.add_argument("--connections", type=int, default=64, help="that write to it at once")
    parser.add_argument("--watchers", type=int, default=1000, help="of its pods")
    parser.add_argument("--updates", type=int, default=200, help="that all of them see")
    parser.add_argument("--parts", default=",".join(PARTS), help="which of these parts")
    chosen = parser.parse_args(arguments)
    chosen.parts = chosen.parts.split(",")
    if unknown := [part for part in chosen.parts if part not in PARTS]:
        parser.error(f"--parts: no part {unknown[0]}; there are {', '.join(PARTS)}")
    if chosen.quick:
        for name in ("pods", "there", "loaded", "updates"):
            setattr(chosen, name, getattr(chosen, name) // 10)
        chosen.deployments //= 10
    chosen.to = chosen.to or chosen.pods // 2
    return chosen


class Bench:
    def __init__(self, server, folder, sizes, figures):
        self.server = server
        self.folder = folder
        self.sizes = sizes
        self.note = figures.note

    @contextlib.contextmanager
    def started(self, who):
        """A fresh process that has done its first work."""
        with CONTENDERS[who](self.server, self.folder) as controllers:
            with self.place("warm-up") as place:
                self.deployment(place, "one", 1)
                self.wait_replicas(place, "one", 1)
            yield controllers

    @contextlib.contextmanager
    def place(self, name):
        """A namespace that is empty again before the next part begins."""
        place = Place(Whole(self.server), make_namespace(self.server.api, name))
        yield place
        self.empty(place)

    def deployment(self, place, name, replicas, padding=0):
        """Pods of about 800 bytes, and the padding."""
        metadata = {"annotations": {"padding": "x" * padding}} if padding else {}
        spec = {"nodeName": "nobody", "terminationGracePeriodSeconds": 30}
        place.deployment(name, replicas, template={"metadata": metadata, "spec": spec})

    def wait_replicas(self, place, name, replicas):
        eventually(
            lambda: place.get("deployments", name)["status"].get("replicas", 0) == replicas,
            timeout=WAIT,
            interval=0.2,
        )

    def empty(self, place):
        for path in (f"{place.apps}/deployments", f"{place.apps}/replicasets", place.pods_path):
            options = {"gracePeriodSeconds": 0, "propagationPolicy": "Background"}
            while place.api.get(path, limit=1)["items"]:
                place.api.request("DELETE", path, options, limit=2000)

    def one_large(self, who):
        pods, to = self.sizes.pods, self.sizes.to
        with self.place("one") as place, self.started(who) as controllers:
            pid = controllers.child.process.pid
            counter = PodCounter(place.api, place.namespace)
            cpu, begin = cpu_seconds(pid), time.monotonic()
            self.deployment(place, "large", pods)
            name = f"create {pods} pods"
            self.note(who, name, "wall", counter.wait(come=pods, timeout=WAIT) - begin)
            self.wait_replicas(place, "large", pods)
            self.note(who, name, "cpu", cpu_seconds(pid) - cpu)
            self.note(who, name, "memory", peak_megabytes(pid))
            cpu, begin = cpu_seconds(pid), time.monotonic()
            place.scale("deployments", "large", to)
            name = f"scale {pods} to {to}"
            self.note(who, name, "wall", counter.wait(going=pods - to, timeout=WAIT) - begin)
            self.note(who, f"{name}: to first DELETE", "first", counter.first_going - begin)
            self.wait_replicas(place, "large", to)
            self.note(who, name, "cpu", cpu_seconds(pid) - cpu)
            self.note(who, name, "memory", peak_megabytes(pid))
            assert len(counter.going) == pods - to, f"{len(counter.going)} went"
            counter.close()
            controllers.kill()

    def many_at_once(self, who):
        count, each = self.sizes.deployments, self.sizes.each
        names = [f"web-{number}" for number in range(count)]
        with self.place("many") as place, self.started(who) as controllers:
            pid = controllers.child.process.pid
            counter = PodCounter(place.api, place.namespace)
            for name in names:
                self.deployment(place, name, each)
            counter.wait(come=count * each, timeout=WAIT)
            for name in names:
                self.wait_replicas(place, name, each)
            cpu, begin = cpu_seconds(pid), time.monotonic()
            with concurrent.futures.ThreadPoolExecutor(4) as pool:
                list(pool.map(lambda name: place.scale("deployments", name, each // 10), names))
            surplus = count * (each - each // 10)
            what = f"{count} Deployments of {each} to {each // 10}"
            self.note(who, what, "wall", counter.wait(going=surplus, timeout=WAIT) - begin)
            for name in names:
                self.wait_replicas(place, name, each // 10)
            self.note(who, what, "cpu", cpu_seconds(pid) - cpu)
            self.note(who, what, "memory", peak_megabytes(pid))
            assert len(counter.going) == surplus, f"{len(counter.going)} went"
            counter.close()
            controllers.kill()

    def start_among_many(self):
        """The pods are made once; then each in turn starts and has to notice a small set."""
        there, size = self.sizes.there, self.sizes.pod_bytes
        sets = max(1, there // 500)
        with self.place("there") as place:
            with CONTENDERS["ours"](self.server, self.folder):
                counter = PodCounter(place.api, place.namespace)
                for number in range(sets):
                    self.deployment(place, f"web-{number}", there // sets, max(1, size - 1500))
                counter.wait(come=sets * (there // sets), timeout=WAIT)
                for number in range(sets):
                    self.wait_replicas(place, f"web-{number}", there // sets)
                counter.close()
            for round_ in range(self.sizes.rounds):
                for who in in_turn(round_):
                    self.start_once(who, f"start among {there} pods of {size} bytes")

    def start_once(self, who, name):
        with self.place("probe") as place:
            counter = PodCounter(place.api, place.namespace)
            self.deployment(place, "probe", 1)
            begin = time.monotonic()
            with CONTENDERS[who](self.server, self.folder) as controllers:
                acted = counter.wait(come=1, timeout=WAIT)
                self.note(who, name, "start", acted - begin)
                pid = controllers.child.process.pid
                time.sleep(3)
                self.note(who, name, "cpu", cpu_seconds(pid))
                self.note(who, name, "start memory", peak_megabytes(pid))
            counter.close()


class Whole:
    """What a Place wants of a system."""

    def __init__(self, server):
        self.server = server


def in_turn(round_):
    return ("stock", "ours") if round_ % 2 == 0 else ("ours", "stock")


def run_controllers(folder, sizes, figures):
    with KubeApiServer(folder, etcd="module", flags=["--delete-collection-workers=8"]) as server:
        # Both as administrators, whom the server's own fairness does not hold back.
        server.controller_kubeconfig = server.kubeconfig
        bench = Bench(server, folder, sizes, figures)
        for round_ in range(sizes.rounds):
            for who in in_turn(round_):
                if "one" in sizes.parts:
                    bench.one_large(who)
                if "many" in sizes.parts:
                    bench.many_at_once(who)
        if "start" in sizes.parts:
            bench.start_among_many()


def run_api_servers(folder, sizes, figures):
    bench = ApiServerBench(folder, sizes, figures)
    for round_ in range(sizes.rounds):
        for who in in_turn(round_):
            bench.run(who, round_)


def main(arguments):
    sizes = parse(arguments)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="ebb-bench-cluster-"))
    figures = Figures()
    begin = time.monotonic()
    try:
        if any(part in sizes.parts for part in CONTROLLER_PARTS):
            run_controllers(folder, sizes, figures)
        if "apiserver" in sizes.parts:
            run_api_servers(folder, sizes, figures)
        figures.report()
    except BaseException:
        print(f"logs of all processes: {folder}", file=sys.stderr)
        raise
    shutil.rmtree(folder, ignore_errors=True)
    print(f"took {time.monotonic() - begin:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1:])
