"""The systems that the scenarios run against. All three should behave alike:

  stock  kube-apiserver with the stock ReplicaSet and Deployment controllers: shows that the
         scenarios themselves are right
  ebb    kube-apiserver with those two off and `ebb controller` in their place
  up     `ebb up`, which has API server, controllers and nodes in one process

A system is a server (something with `api` and `kubeconfig` that can be restarted and paused),
nodes, and controllers.
"""

import pathlib
import signal
import time

import yaml
from rig.controllers import Nodes, OurControllers, StockControllers
from support.ebb import QUICK, EbbCluster
from support.kube import controller_manager
from support.kube_api_server import REPOSITORY, KubeApiServer
from support.process import eventually

NODES = ("--nodes=3x4", *QUICK)

# What a cluster has beside the two controllers under test and what the scenarios touch.
BESIDE = (
    "namespace-controller,garbage-collector-controller,resourcequota-controller,"
    "disruption-controller,clusterrole-aggregation-controller"
)


def grant_what_is_deployed(api):
    """Ours run with the roles of deploy/controller.yaml, deploy/ranker.yaml and
    deploy/shadow.yaml: they have to suffice."""
    folder = REPOSITORY / "deploy"
    names = ("controller.yaml", "ranker.yaml", "shadow.yaml")
    text = "\n---\n".join((folder / name).read_text(encoding="utf-8") for name in names)
    group = "/apis/rbac.authorization.k8s.io/v1"
    for thing in yaml.safe_load_all(text):
        plural = thing["kind"].lower() + "s"
        if thing["kind"] in ("ClusterRole", "ClusterRoleBinding"):
            api.create(f"{group}/{plural}", thing)
        elif thing["kind"] in ("Role", "RoleBinding"):
            api.create(f"{group}/namespaces/{thing['metadata']['namespace']}/{plural}", thing)


class KubeSystem:
    """kube-apiserver, hollow nodes, and the stock controllers except those that own pods."""

    def __init__(self, folder, make_controllers, etcd="debian", flags=()):
        self.folder = pathlib.Path(folder)
        self.server = KubeApiServer(folder, etcd=etcd, flags=flags)
        self.make_controllers = make_controllers
        self.children = []
        self.controllers = None

    def start(self):
        self.server.start()
        grant_what_is_deployed(self.server.api)
        # Started before the first test wants a namespace emptied.
        self.children = [
            controller_manager(
                self.server,
                self.folder / "beside.log",
                BESIDE,
                "--kube-api-qps=1000",
                "--kube-api-burst=1000",
                "--concurrent-gc-syncs=5",
            )
        ]
        self.nodes = Nodes(self.server, self.folder, *NODES).start()
        if self.make_controllers:
            self.controllers = self.make_controllers(self.server, self.folder).start()
        return self

    def stop(self):
        if self.controllers:
            self.controllers.kill()
        self.nodes.stop()
        for child in self.children:
            child.kill()
        self.server.stop()

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.stop()


class UpServer(EbbCluster):
    """`ebb up` as a server that tests may kill: its acknowledged writes are on disk."""

    def __init__(self, folder, *flags):
        super().__init__(folder, *NODES, *flags, data_dir=pathlib.Path(folder) / "data")

    def restart(self):
        self.kill()
        self.start()

    def pause(self, seconds):
        self.child.process.send_signal(signal.SIGSTOP)
        try:
            time.sleep(seconds)
        finally:
            self.child.process.send_signal(signal.SIGCONT)
        eventually(lambda: self.api.request("GET", "/readyz").code == 200, timeout=30)


class UpControllers:
    """The controllers inside `ebb up`: they come and go with it."""

    def __init__(self, server):
        self.server = server

    def restart(self, gates):
        settings = ",".join(f"{name}={str(on).lower()}" for name, on in gates.items())
        flags = [f for f in self.server.flags if not f.startswith("--feature-gates")]
        self.server.flags = [*flags, *([f"--feature-gates={settings}"] if settings else [])]
        self.server.stop()
        self.server.start()


class UpSystem:
    def __init__(self, folder, controllers="replicaset,deployment,garbage-collector"):
        self.folder = pathlib.Path(folder)
        self.server = UpServer(folder, f"--controllers={controllers}")
        self.controllers = UpControllers(self.server)

    def start(self):
        self.server.start()
        return self

    def stop(self):
        self.server.kill()

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.stop()


def make_system(name, folder):
    return {
        "stock": lambda: KubeSystem(folder, StockControllers),
        "ebb": lambda: KubeSystem(folder, OurControllers),
        "up": lambda: UpSystem(folder),
    }[name]()
