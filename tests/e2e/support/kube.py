"""Real Kubernetes instead of ebb: etcd, kube-apiserver and kube-controller-manager.

The tests state how Kubernetes answers. `scripts/test-e2e --against kube` shows whether the
statements are true. A thread simulates nodes and kubelets: it binds pods and reports them as
ready.
"""

import pathlib
import threading
import time

from support.api import STRATEGIC_PATCH
from support.kube_api_server import TOOLS, KubeApiServer
from support.objects import node
from support.process import Child


def controller_manager(server, log, controllers, *flags):
    """A kube-controller-manager with these controllers and no others."""
    return Child(
        [
            str(TOOLS / "kube-controller-manager"),
            f"--kubeconfig={server.kubeconfig}",
            f"--controllers={controllers}",
            "--leader-elect=false",
            "--secure-port=0",
            *flags,
        ],
        log,
    )


class KubeCluster:
    """Controllers of workloads run only if they are asked for."""

    real = True

    def __init__(self, folder, *controllers):
        """`controllers`: those to run beside the ones that every test needs."""
        self.folder = pathlib.Path(folder)
        self.controllers = ("namespace-controller", "garbage-collector-controller", *controllers)
        self.server = KubeApiServer(folder, etcd="module")
        self.manager = None
        self.kubelet = None

    @property
    def api(self):
        return self.server.api

    @property
    def kubeconfig(self):
        return self.server.kubeconfig

    def start(self):
        self.server.start()
        self.manager = controller_manager(
            self.server,
            self.folder / "kube-controller-manager.log",
            ",".join(self.controllers),
        )
        self.kubelet = FakeKubelet(self.api)
        return self

    def stop(self):
        if self.kubelet:
            self.kubelet.stop()
        if self.manager:
            self.manager.kill()
        self.server.stop()

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.stop()


class FakeKubelet:
    """Binds pods to nodes in turn, says they are ready, and lets go of terminating ones. It
    honours schedulerName, nodeSelector and unschedulable nodes and nothing more."""

    def __init__(self, api, zones=("zone-a", "zone-b", "zone-c"), nodes_per_zone=2):
        self.api = api
        for zone in zones:
            for index in range(1, nodes_per_zone + 1):
                body = node(f"node-{zone[-1]}{index}", zone)
                body["metadata"]["labels"]["kubernetes.io/hostname"] = body["metadata"]["name"]
                api.create("/api/v1/nodes", body)
                api.patch(
                    f"/api/v1/nodes/{body['metadata']['name']}/status",
                    {
                        "status": {
                            "capacity": {"cpu": "8", "memory": "16Gi", "pods": "110"},
                            "conditions": [
                                {"type": "Ready", "status": "True", "reason": "KubeletReady"}
                            ],
                        }
                    },
                )
        self.turn = 0
        self.stopping = threading.Event()
        self.thread = threading.Thread(target=self._loop, daemon=True)
        self.thread.start()

    def stop(self):
        self.stopping.set()
        self.thread.join(5)

    def _loop(self):
        while not self.stopping.wait(0.1):
            try:
                for pod in self.api.get("/api/v1/pods")["items"]:
                    self._look_at(pod)
            except (OSError, AssertionError):
                continue

    def _look_at(self, pod):
        meta = pod["metadata"]
        path = f"/api/v1/namespaces/{meta['namespace']}/pods/{meta['name']}"
        if "deletionTimestamp" in meta:
            self.api.request(
                "DELETE", path, {"gracePeriodSeconds": 0, "preconditions": {"uid": meta["uid"]}}
            )
        elif pod["spec"]["schedulerName"] != "default-scheduler":
            return
        elif not pod["spec"].get("nodeName"):
            nodes = [n for n in self.api.get("/api/v1/nodes")["items"] if self._fits(pod, n)]
            if nodes:
                self.turn += 1
                name = nodes[self.turn % len(nodes)]["metadata"]["name"]
                target = {"apiVersion": "v1", "kind": "Node", "name": name}
                binding = {
                    "apiVersion": "v1",
                    "kind": "Binding",
                    "metadata": {"name": meta["name"]},
                    "target": target,
                }
                self.api.request("POST", path + "/binding", binding)
        elif pod["status"].get("phase") == "Pending":
            self.api.request(
                "PATCH", path + "/status", self._ready_status(pod), content_type=STRATEGIC_PATCH
            )

    def _fits(self, pod, candidate):
        wanted = pod["spec"].get("nodeSelector", {})
        labels = candidate["metadata"].get("labels", {})
        return not candidate["spec"].get("unschedulable") and all(
            labels.get(k) == v for k, v in wanted.items()
        )

    def _ready_status(self, pod):
        now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        conditions = ["PodScheduled", "Initialized", "ContainersReady", "Ready"]
        return {
            "status": {
                "phase": "Running",
                "startTime": now,
                "podIP": "10.1.0.1",
                "podIPs": [{"ip": "10.1.0.1"}],
                "conditions": [
                    {"type": c, "status": "True", "lastTransitionTime": now} for c in conditions
                ],
                "containerStatuses": [
                    {
                        "name": c["name"],
                        "image": c["image"],
                        "imageID": "",
                        "ready": True,
                        "started": True,
                        "restartCount": 0,
                        "state": {"running": {"startedAt": now}},
                    }
                    for c in pod["spec"]["containers"]
                ],
            }
        }
