"""Real Kubernetes in place of ebb: etcd, kube-apiserver and kube-controller-manager.

The tests claim what Kubernetes answers. Run against the real thing, they show whether the
claim is true: `scripts/test-e2e --against kube`. Nodes and kubelets are played by a thread
that binds pods and says that they are ready.
"""

import pathlib
import secrets
import socket
import subprocess
import threading
import time

from support.api import STRATEGIC_PATCH, Access, Api
from support.objects import node
from support.process import Child, eventually

REPOSITORY = pathlib.Path(__file__).resolve().parents[3]
TOOLS = REPOSITORY / "build" / "kube"

KUBECONFIG = """\
apiVersion: v1
kind: Config
current-context: kube
clusters: [{{name: kube, cluster: {{server: "https://127.0.0.1:{port}", certificate-authority: "{ca}"}}}}]
contexts: [{{name: kube, context: {{cluster: kube, user: tester}}}}]
users: [{{name: tester, user: {{token: "{token}"}}}}]
"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class KubeCluster:
    real = True

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.kubeconfig = self.folder / "kubeconfig"
        self.children = []
        self.kubelet = None

    def start(self):
        client, peer, port = free_port(), free_port(), free_port()
        self._run(
            "etcd",
            str(TOOLS / "etcd"),
            f"--data-dir={self.folder}/etcd",
            f"--listen-client-urls=http://127.0.0.1:{client}",
            f"--advertise-client-urls=http://127.0.0.1:{client}",
            f"--listen-peer-urls=http://127.0.0.1:{peer}",
        )
        key = self.folder / "service-account.key"
        subprocess.run(
            ["openssl", "genrsa", "-out", str(key), "2048"], check=True, capture_output=True
        )
        token = secrets.token_hex(16)
        (self.folder / "tokens.csv").write_text(f"{token},tester,tester,system:masters\n")
        self._run(
            "kube-apiserver",
            str(TOOLS / "kube-apiserver"),
            f"--etcd-servers=http://127.0.0.1:{client}",
            "--bind-address=127.0.0.1",
            f"--secure-port={port}",
            f"--cert-dir={self.folder}/certificates",
            f"--token-auth-file={self.folder}/tokens.csv",
            "--authorization-mode=AlwaysAllow",
            "--disable-admission-plugins=ServiceAccount",
            "--service-account-issuer=https://kubernetes.default.svc",
            f"--service-account-key-file={key}",
            f"--service-account-signing-key-file={key}",
            "--service-cluster-ip-range=10.0.0.0/24",
        )
        certificate = self.folder / "certificates" / "apiserver.crt"
        eventually(certificate.exists, timeout=60)
        self.kubeconfig.write_text(KUBECONFIG.format(port=port, ca=certificate, token=token))
        self.api = Api(Access("127.0.0.1", port, token, certificate.read_text()))
        eventually(self._ready, timeout=90, interval=0.5)
        self._run(
            "kube-controller-manager",
            str(TOOLS / "kube-controller-manager"),
            f"--kubeconfig={self.kubeconfig}",
            "--controllers=namespace-controller,garbage-collector-controller",
            "--leader-elect=false",
            "--secure-port=0",
        )
        self.kubelet = FakeKubelet(self.api)
        return self

    def _run(self, name, *command):
        self.children.append(Child(list(command), self.folder / f"{name}.log"))

    def _ready(self):
        for child in self.children:
            assert child.running(), child.output()[-3000:]
        try:
            return self.api.request("GET", "/readyz").code == 200 and (
                self.api.request("GET", "/api/v1/namespaces/default").code == 200
            )
        except OSError:
            return False

    def stop(self):
        if self.kubelet:
            self.kubelet.stop()
        for child in reversed(self.children):
            child.kill()

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.stop()


class FakeKubelet:
    """Binds pods to nodes in turn, says they are ready, and lets go of terminating ones. It
    honours nodeSelector and unschedulable nodes and nothing more."""

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
