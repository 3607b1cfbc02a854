"""The ReplicaSet and Deployment controllers as processes: the stock ones and ours.

Both have the same shape, so that a test can hand over from one to the other.
"""

import itertools
import urllib.request

from support.ebb import BINARY
from support.kube import controller_manager
from support.kube_api_server import free_port
from support.process import Child, eventually

UNLIMITED = 0


class Controllers:
    """One process. It can be ended, killed and started again, with other gates if wanted."""

    numbers = itertools.count(1)

    def __init__(self, server, folder, gates=None, qps=UNLIMITED):
        self.server = server
        self.log = folder / f"{self.name}-{next(self.numbers)}.log"
        self.gates = gates or {}
        self.qps = qps
        self.child = None

    def gate_flags(self):
        settings = ",".join(f"{name}={str(on).lower()}" for name, on in self.gates.items())
        return [f"--feature-gates={settings}"] if settings else []

    def stop(self, timeout=30.0):
        """SIGTERM; returns the exit code."""
        return self.child.stop(timeout)

    def kill(self):
        self.child.kill()

    def restart(self, gates):
        self.stop()
        self.gates = gates
        return self.start()

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        if self.child:
            self.child.kill()


class StockControllers(Controllers):
    name = "stock"
    controllers = "replicaset-controller,deployment-controller"

    def start(self):
        # Upstream has no word for "no limit".
        qps = self.qps or 10000
        self.child = controller_manager(
            self.server,
            self.log,
            self.controllers,
            f"--kube-api-qps={qps}",
            f"--kube-api-burst={qps}",
            *self.gate_flags(),
        )
        return self


class OurControllers(Controllers):
    name = "ebb"
    runs = "replicaset,deployment"

    def __init__(self, server, folder, gates=None, qps=UNLIMITED, leader_elect=False, flags=()):
        super().__init__(server, folder, gates, qps)
        self.leader_elect = leader_elect
        self.flags = flags
        self.port = free_port()

    def start(self):
        # A limit wants a burst of its own; without one, neither counts.
        limits = [f"--kube-api-qps={self.qps}"]
        if self.qps:
            limits.append(f"--kube-api-burst={self.qps}")
        self.child = Child(
            [
                BINARY,
                "controller",
                f"--kubeconfig={self.kubeconfig()}",
                f"--controllers={self.runs}",
                f"--leader-elect={str(self.leader_elect).lower()}",
                f"--metrics-port={self.port}",
                f"--decision-log={self.log.with_suffix('.decisions')}",
                "-v=2",
                *limits,
                *self.gate_flags(),
                *self.flags,
            ],
            self.log,
        )
        return self

    def kubeconfig(self):
        return getattr(self.server, "controller_kubeconfig", self.server.kubeconfig)

    def ready(self):
        """Whether its caches are filled, as /readyz says."""
        try:
            with urllib.request.urlopen(
                f"http://127.0.0.1:{self.port}/readyz", timeout=5
            ) as answer:
                return answer.status == 200
        except OSError:
            return False


class OurRanker(OurControllers):
    """The ranker by itself, beside whatever controllers there are."""

    name = "ranker"
    runs = "ranker"

    def kubeconfig(self):
        return getattr(self.server, "ranker_kubeconfig", self.server.kubeconfig)


class Nodes:
    """The kubelet stand-in of ours, on a real API server."""

    def __init__(self, server, folder, *flags):
        self.server = server
        self.log = folder / "nodes.log"
        self.flags = flags
        self.child = None

    def start(self):
        command = [BINARY, "nodes", f"--kubeconfig={self.server.kubeconfig}", *self.flags]
        self.child = Child(command, self.log)
        eventually(self._ready, timeout=60)
        return self

    def _ready(self):
        assert self.child.running(), self.child.output()[-3000:]
        return "ready" in self.child.output().split("\n")

    def stop(self):
        self.child.kill()
