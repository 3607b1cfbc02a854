"""The ReplicaSet and Deployment controllers as processes, stock ones and ebb's, with the same
interface, so that a test can hand over from one to the other.
"""

import itertools
import urllib.error
import urllib.request

from support.ebb import BINARY
from support.kube import controller_manager
from support.kube_api_server import free_port
from support.process import Child, eventually

UNLIMITED = 0

# ebb acts at once, without looking for other controllers.
ASSUME_SOLE = "--assume-sole-controller"


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

    def __init__(
        self, server, folder, gates=None, qps=UNLIMITED, leader_elect=False, flags=(), guard=False
    ):
        """`guard`: it makes sure that it is alone before it acts, as it does by default. Most
        tests are about something else, and see to it themselves."""
        super().__init__(server, folder, gates, qps)
        self.leader_elect = leader_elect
        self.flags = flags if guard else (ASSUME_SOLE, *flags)
        self.port = free_port()

    def start(self):
        # A limit wants a burst of its own; without one, neither counts.
        limits = [f"--kube-api-qps={self.qps}"]
        if self.qps:
            limits.append(f"--kube-api-burst={self.qps}")
        # The first start has no predecessor whose requests might still be in flight.
        first = self.child is None
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
                *(["--start-wait=0s"] if first else []),
                *limits,
                *self.gate_flags(),
                *self.flags,
            ],
            self.log,
        )
        return self

    def kubeconfig(self):
        return getattr(self.server, "controller_kubeconfig", self.server.kubeconfig)

    def get(self, path):
        """The code and the text of one of its pages; nothing if it does not answer."""
        try:
            with urllib.request.urlopen(
                f"http://127.0.0.1:{self.port}{path}", timeout=5
            ) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as refusal:
            return refusal.code, refusal.read().decode()
        except OSError:
            return None

    def ready(self):
        """Whether its caches are filled and it acts, as /readyz says."""
        answer = self.get("/readyz")
        return answer is not None and answer[0] == 200


class OurRanker(OurControllers):
    """The ranker by itself, beside whatever controllers there are."""

    name = "ranker"
    runs = "ranker"

    def kubeconfig(self):
        return getattr(self.server, "ranker_kubeconfig", self.server.kubeconfig)


class OurShadow(OurControllers):
    """Shadow mode by itself, beside the stock controllers."""

    name = "shadow"
    runs = "shadow"

    def kubeconfig(self):
        return getattr(self.server, "shadow_kubeconfig", self.server.kubeconfig)


class Nodes:
    """`ebb nodes`: hollow nodes on a real API server."""

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
