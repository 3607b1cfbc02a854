"""`ebb webhook` beside the unchanged stock controllers: replicas as processes behind a splitter, with
the rights of deploy/webhook.yaml and within the limits of deploy/pod-guard.yaml.
"""

import json
import pathlib
import time
import types
import urllib.error
import urllib.request

import yaml
from rig.controllers import StockControllers
from rig.splitter import Splitter
from support.ebb import BINARY
from support.kube import controller_manager
from support.kube_api_server import REPOSITORY, free_port
from support.process import Child, eventually

CONFIGURATION = (
    "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/ebb-webhook"
)

# Where the objects of the manifests are created; the others need a kubelet.
COLLECTIONS = {
    "Namespace": "/api/v1/namespaces",
    "Secret": "/api/v1/namespaces/ebb-system/secrets",
    "ClusterRole": "/apis/rbac.authorization.k8s.io/v1/clusterroles",
    "ClusterRoleBinding": "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
    "Role": "/apis/rbac.authorization.k8s.io/v1/namespaces/ebb-system/roles",
    "RoleBinding": "/apis/rbac.authorization.k8s.io/v1/namespaces/ebb-system/rolebindings",
    "ValidatingWebhookConfiguration": (
        "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations"
    ),
    "PriorityLevelConfiguration": (
        "/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations"
    ),
    "FlowSchema": "/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas",
    "ValidatingAdmissionPolicy": (
        "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies"
    ),
    "ValidatingAdmissionPolicyBinding": (
        "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings"
    ),
}


# The kinds of those that `ebb up` serves; it does not check rights.
SERVED_BY_UP = ("Namespace", "Secret", "ValidatingWebhookConfiguration")


def deploy(server, name):
    """Creates what a manifest has beside its Deployment and Service."""
    text = (REPOSITORY / "deploy" / name).read_text(encoding="utf-8")
    for thing in yaml.safe_load_all(text):
        if thing["kind"] in (COLLECTIONS if server.real else SERVED_BY_UP):
            answer = server.api.request("POST", COLLECTIONS[thing["kind"]], thing)
            assert answer.code in (201, 409), answer.body.decode()


class Accountable(StockControllers):
    """Stock controllers by name; the ReplicaSet and Deployment controllers unless others are named."""

    def __init__(self, server, folder, controllers=None):
        super().__init__(server, folder)
        self.controllers = controllers or self.controllers


class RealAccounts(Accountable):
    """The stock controllers with an account for each, as in a cluster."""

    def start(self):
        self.child = controller_manager(
            self.server,
            self.log,
            self.controllers,
            "--use-service-account-credentials=true",
            "--kube-api-qps=1000",
            "--kube-api-burst=1000",
        )
        return self


class CommonAccount(Accountable):
    """The stock controllers with one account for all of them, which is how they run without
    service accounts. `ebb up` issues no tokens for those, and allows impersonation."""

    def start(self):
        config = yaml.safe_load(self.server.kubeconfig.read_text(encoding="utf-8"))
        for user in config["users"]:
            user["user"]["as"] = "system:kube-controller-manager"
            user["user"]["as-groups"] = ["system:masters"]
        path = self.log.with_suffix(".kubeconfig")
        path.write_text(yaml.safe_dump(config), encoding="utf-8")
        self.child = controller_manager(
            types.SimpleNamespace(kubeconfig=path),
            self.log,
            self.controllers,
            "--kube-api-qps=1000",
            "--kube-api-burst=1000",
        )
        return self


class Replica:
    def __init__(self, webhook, number):
        self.webhook = webhook
        self.number = number
        self.port = free_port()
        self.metrics_port = free_port()
        self.child = None

    def start(self):
        self.child = Child(
            [
                BINARY,
                "webhook",
                f"--kubeconfig={self.webhook.kubeconfig}",
                "--namespace=ebb-system",
                "--address=127.0.0.1",
                f"--port={self.port}",
                f"--metrics-port={self.metrics_port}",
                f"--external-url=https://127.0.0.1:{self.webhook.splitter.port}",
                "--picker-allow-cidr=127.0.0.0/8",
                f"--decision-log={self.decisions_file()}",
                "-v=2",
                *self.webhook.flags,
            ],
            self.webhook.folder / f"{self.webhook.name}-{self.number}.log",
        )
        return self

    def decisions_file(self):
        return self.webhook.folder / f"{self.webhook.name}-{self.number}.decisions"

    def get(self, path):
        """The code and the text of one of its pages; nothing if it does not answer."""
        try:
            url = f"http://127.0.0.1:{self.metrics_port}{path}"
            with urllib.request.urlopen(url, timeout=5) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as refusal:
            return refusal.code, refusal.read().decode()
        except OSError:
            return None

    def ready(self):
        assert self.child.running(), self.child.output()[-3000:]
        answer = self.get("/readyz")
        return answer is not None and answer[0] == 200

    def metric(self, beginning):
        """The sum of all samples whose line begins with this."""
        _, text = self.get("/metrics")
        return sum(
            float(line.rsplit(" ", 1)[1]) for line in text.splitlines() if line.startswith(beginning)
        )


class Webhook:
    """Two replicas behind a splitter."""

    started = 0

    def __init__(self, server, *flags, replicas=2):
        Webhook.started += 1
        self.name = f"webhook-{Webhook.started}"
        self.server = server
        self.folder = pathlib.Path(server.folder)
        self.flags = flags
        self.kubeconfig = server.webhook_kubeconfig if server.real else server.kubeconfig
        self.replicas = [Replica(self, number) for number in range(replicas)]
        self.splitter = Splitter([replica.port for replica in self.replicas])

    def __enter__(self):
        for replica in self.replicas:
            replica.start()
        for replica in self.replicas:
            eventually(replica.ready, timeout=60)
        return self

    def __exit__(self, *_):
        """Ends with an empty registration, so that the API server does not call it any more."""
        for replica in self.replicas:
            replica.child.kill()
        self.splitter.close()
        self.server.api.patch(CONFIGURATION, {"webhooks": []})

    def configuration(self):
        return self.server.api.get(CONFIGURATION)

    def wait_registered(self, namespace):
        """Until the API server sends the requests of this namespace here."""

        def check():
            webhooks = self.configuration().get("webhooks", [])
            url = f"https://127.0.0.1:{self.splitter.port}/"
            assert webhooks, "no webhooks"
            for webhook in webhooks:
                assert webhook["clientConfig"]["url"].startswith(url)
                expressions = webhook["namespaceSelector"]["matchExpressions"]
                assert namespace in expressions[-1]["values"], expressions
            return True

        eventually(check, timeout=30)
        # The API server reads its configurations with a watch.
        time.sleep(1)

    def wait_unregistered(self):
        eventually(lambda: not self.configuration().get("webhooks"), timeout=30)

    def decisions(self, namespace):
        found = []
        for replica in self.replicas:
            text = replica.decisions_file().read_text(encoding="utf-8")
            records = [json.loads(line) for line in text.splitlines()]
            found += [r for r in records if r["replicaSet"]["namespace"] == namespace]
        return found

    def metric(self, beginning):
        return sum(r.metric(beginning) for r in self.replicas if r.child.running())


class Webhooks:
    """At most one webhook at a time, because all of them write the same registration: the one with
    default flags that most tests share, or one of a test's own."""

    def __init__(self, server):
        self.server = server
        self._shared = None

    def shared(self):
        if self._shared is None:
            self._shared = Webhook(self.server).__enter__()
        return self._shared

    def stop(self):
        if self._shared:
            self._shared.__exit__()
            self._shared = None

    def own(self, *flags):
        """Starts when it is entered."""
        self.stop()
        return Webhook(self.server, *flags)
