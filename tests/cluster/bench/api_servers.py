"""`ebb up`, and kube-apiserver with etcd, one after the other under the same load: pods of 3 KB
are created, listed, watched by many clients, and deleted.

Both are durable: each syncs its log before it answers, on the same disk. `ebb_load` (bench/load)
generates the load over HTTP/1.1 and takes little of the machine. The memory of a server is that
of all its processes. No component acts on the pods: kube-apiserver runs without controllers, and
`ebb up` only with garbage collection and one node.
"""

import contextlib
import json
import os
import pathlib
import subprocess

from bench.measure import peak_megabytes, resident_megabytes
from support.ebb import EbbCluster
from support.kube_api_server import REPOSITORY, KubeApiServer

LOAD = os.environ.get("EBB_LOAD", str(REPOSITORY / "build" / "release" / "bench" / "ebb_load"))

# As administrator the load is exempt from the server's fairness; what is left of limits is lifted.
FREE = (
    "--max-requests-inflight=4000",
    "--max-mutating-requests-inflight=2000",
    "--enable-priority-and-fairness=false",
)

OWNER = {
    "metadata": {"name": "web-7d4b9c6f5d"},
    "spec": {
        "replicas": 0,
        "selector": {"matchLabels": {"app": "web"}},
        "template": {
            "metadata": {"labels": {"app": "web"}},
            "spec": {"containers": [{"name": "web", "image": "web"}]},
        },
    },
}


class Contender:
    """A server with its processes, and the load on it."""

    def __init__(self, api, pids, folder):
        self.pids = pids
        self.authority = pathlib.Path(folder) / "authority.pem"
        self.authority.write_text(api.access.ca, encoding="utf-8")
        self.access = api.access
        made = api.create("/apis/apps/v1/namespaces/default/replicasets", OWNER)
        self.owner = made["metadata"]["uid"]

    def load(self, step, **options):
        command = [LOAD, f"--port={self.access.port}", f"--authority={self.authority}"]
        command += [f"--token={self.access.token}", step]
        command += [f"--{name}={value}" for name, value in options.items()]
        done = subprocess.run(command, capture_output=True, text=True, timeout=900, check=False)
        assert done.returncode == 0, f"{step}: {done.stderr}"
        return json.loads(done.stdout)

    def resident(self):
        return sum(resident_megabytes(pid) for pid in self.pids)

    def peak(self):
        return sum(peak_megabytes(pid) for pid in self.pids)


@contextlib.contextmanager
def ours(folder):
    flags = ("--nodes=1x1", "--controllers=garbage-collector")
    with EbbCluster(folder, *flags, data_dir=folder / "data") as cluster:
        yield Contender(cluster.api, [cluster.child.process.pid], folder)


@contextlib.contextmanager
def stock(folder):
    with KubeApiServer(folder, etcd="module", flags=FREE) as server:
        pids = [server.server.process.pid, server.etcd.process.pid]
        yield Contender(server.api, pids, folder)


CONTENDERS = {"stock": stock, "ours": ours}
LISTS = [(form, limit) for form in ("json", "protobuf") for limit in (500, 0)]


class ApiServerBench:
    def __init__(self, folder, sizes, figures):
        self.folder = folder
        self.sizes = sizes
        self.figures = figures

    def run(self, who, round_):
        with CONTENDERS[who](self.folder / f"apiserver-{who}-{round_}") as server:

            def note(name, kind, value):
                self.figures.note(who, name, kind, value)

            self.write(server, note)
            self.read(server, note)
            self.watch(server, note)
            self.delete(server, note)
            note("memory, at most", "server memory", server.peak())

    def write(self, server, note):
        pods = self.sizes.loaded
        before = server.resident()
        made = server.load(
            "create", count=pods, connections=self.sizes.connections, owner=server.owner
        )
        note(f"create pods, {self.sizes.connections} connections", "write rate", made["rate"])
        held = server.resident()
        note(f"memory with {pods} pods", "server memory", held)
        note("memory of a pod", "memory of a pod", (held - before) * 1024 / pods)

    def read(self, server, note):
        for form, limit in LISTS:
            listed = server.load("list", form=form, limit=limit)
            assert listed["bytes"] > 2000 * self.sizes.loaded, listed
            how = f"in pages of {limit}" if limit else "whole"
            note(f"list {self.sizes.loaded} pods, {form} {how}", "list", listed["seconds"])
        note("memory after lists", "server memory", server.resident())

    def watch(self, server, note):
        seen = server.load(
            "watch",
            watchers=self.sizes.watchers,
            updates=self.sizes.updates,
            paced=max(5, self.sizes.updates // 4),
        )
        name = f"{self.sizes.watchers} watchers"
        note(f"{name}, events delivered", "events", seen["events_per_second"])
        note(f"{name}, p50", "latency", seen["p50_ms"])
        note(f"{name}, p99", "latency", seen["p99_ms"])

    def delete(self, server, note):
        gone = server.load(
            "delete",
            count=max(1, self.sizes.loaded // 5),
            connections=self.sizes.connections,
        )
        note(f"delete pods, {self.sizes.connections} connections", "write rate", gone["rate"])
