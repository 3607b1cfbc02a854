"""The namespace of a test, with common operations."""

import collections
import time

from support.api import JSON_PATCH, MERGE_PATCH, STRATEGIC_PATCH
from support.objects import deployment, replica_set
from support.process import eventually

REVISION = "deployment.kubernetes.io/revision"
HASH = "pod-template-hash"
COST = "controller.kubernetes.io/pod-deletion-cost"
PREFER = "kubernetes.io/prefer-for-scale-down"

# No node has it: pods stay unassigned, and the test says in their status what it wants.
NOWHERE = {"nodeSelector": {"ebb.dev/nowhere": "yes"}}


def by_hand(labels, **metadata):
    """A template whose pods no kubelet touches."""
    return {"template": {"metadata": {"labels": labels, **metadata}, "spec": NOWHERE}}


def timestamp(seconds_ago=0.0):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - seconds_ago))


def condition(thing, kind):
    found = [c for c in thing["status"].get("conditions", []) if c["type"] == kind]
    return found[0] if found else None


def is_active(pod):
    return "deletionTimestamp" not in pod["metadata"] and (
        pod["status"].get("phase") not in ("Succeeded", "Failed")
    )


def is_ready(pod):
    return (condition(pod, "Ready") or {}).get("status") == "True"


def controller_of(thing):
    owners = [o for o in thing["metadata"].get("ownerReferences", []) if o.get("controller")]
    return owners[0] if owners else None


class Place:
    def __init__(self, system, namespace):
        self.system = system
        self.namespace = namespace
        self.core = f"/api/v1/namespaces/{namespace}"
        self.apps = f"/apis/apps/v1/namespaces/{namespace}"
        self.pods_path = f"{self.core}/pods"

    @property
    def api(self):
        return self.system.server.api

    # Objects

    def replica_set(self, name, replicas=0, **options):
        return self.api.create(f"{self.apps}/replicasets", replica_set(name, replicas, **options))

    def deployment(self, name, replicas=0, **options):
        return self.api.create(f"{self.apps}/deployments", deployment(name, replicas, **options))

    def path(self, kind, name):
        return f"{self.core if kind == 'pods' else self.apps}/{kind}/{name}"

    def get(self, kind, name):
        return self.api.get(self.path(kind, name))

    def patch(self, kind, name, body, content_type=MERGE_PATCH, subresource=""):
        return self.api.patch(self.path(kind, name) + subresource, body, content_type=content_type)

    def json_patch(self, kind, name, *operations):
        return self.patch(kind, name, list(operations), JSON_PATCH)

    def scale(self, kind, name, replicas):
        """As the HPA does it: through /scale."""
        return self.patch(kind, name, {"spec": {"replicas": replicas}}, subresource="/scale")

    def set_image(self, name, image, kind="deployments"):
        containers = [{"name": "main", "image": image}]
        body = {"spec": {"template": {"spec": {"containers": containers}}}}
        return self.patch(kind, name, body, STRATEGIC_PATCH)

    def events(self, reason, name=None):
        items = self.api.get(f"{self.core}/events")["items"]
        return [
            e
            for e in items
            if e["reason"] == reason and name in (None, e["involvedObject"]["name"])
        ]

    # Pods

    def pods(self, selector=None):
        return self.api.get(self.pods_path, labelSelector=selector)["items"]

    def active(self, selector=None):
        return [p for p in self.pods(selector) if is_active(p)]

    def names(self, selector=None):
        return {p["metadata"]["name"] for p in self.active(selector)}

    def owned(self, owner):
        return [
            p
            for p in self.pods()
            if (controller_of(p) or {}).get("uid") == owner["metadata"]["uid"]
        ]

    def wait_active(self, count, selector=None, timeout=30):
        def check():
            pods = self.active(selector)
            assert len(pods) == count, f"{len(pods)} active pods, want {count}"
            return pods or True

        found = eventually(check, timeout=timeout)
        return [] if found is True else found

    def wait_ready(self, count, selector=None, timeout=60):
        def check():
            pods = self.active(selector)
            ready = [p for p in pods if is_ready(p)]
            assert len(ready) == len(pods) == count, f"{len(ready)} of {len(pods)} are ready"
            return pods or True

        return eventually(check, timeout=timeout)

    def set_status(self, pod, phase="Running", ready=True, since=0.0, restarts=0, more=None):
        """Writes the status of a pod without a node, as a kubelet would."""
        now = timestamp(since)
        status = {
            "phase": phase,
            "conditions": [
                {"type": "Ready", "status": str(ready), "lastTransitionTime": now},
            ],
            "containerStatuses": [
                {
                    "name": "main",
                    "image": "registry.example/web:1",
                    "imageID": "",
                    "ready": ready,
                    "restartCount": restarts,
                    "state": {"running": {"startedAt": now}},
                }
            ],
        }
        body = {"status": {**status, **(more or {})}}
        name = pod if isinstance(pod, str) else pod["metadata"]["name"]
        return self.patch("pods", name, body, STRATEGIC_PATCH, "/status")

    def bind(self, pod, node):
        """As a scheduler would; from here on the kubelet looks after it."""
        name = pod["metadata"]["name"]
        body = {
            "apiVersion": "v1",
            "kind": "Binding",
            "metadata": {"name": name},
            "target": {"apiVersion": "v1", "kind": "Node", "name": node},
        }
        self.api.create(self.path("pods", name) + "/binding", body)

    def release_pods(self, selector=None):
        """Lets terminating pods go that only a finalizer of the test keeps."""
        for pod in self.pods(selector):
            if pod["metadata"].get("finalizers"):
                body = {"metadata": {"finalizers": None}}
                path = self.path("pods", pod["metadata"]["name"])
                self.api.request("PATCH", path, body, content_type=MERGE_PATCH)

    # Status

    def wait_status(self, kind, name, timeout=60, **wanted):
        """Until these fields of the status have these values (None: absent or 0) for the
        newest generation."""

        def check():
            thing = self.get(kind, name)
            status = thing["status"]
            if status.get("observedGeneration") != thing["metadata"]["generation"]:
                raise AssertionError(
                    f"not observed yet: {thing['metadata']['generation']} {status}"
                )
            got = {field: status.get(field) or None for field in wanted}
            want = {field: value or None for field, value in wanted.items()}
            assert got == want, f"{got}, want {want}"
            return thing

        return eventually(check, timeout=timeout)

    def wait_complete(self, name, replicas, timeout=60):
        """Until a rollout is done and nothing of older revisions is left."""
        return self.wait_status(
            "deployments",
            name,
            timeout,
            replicas=replicas,
            updatedReplicas=replicas,
            readyReplicas=replicas,
            availableReplicas=replicas,
            unavailableReplicas=None,
        )

    def wait_condition(self, kind, name, type_, timeout=60, **wanted):
        def check():
            thing = self.get(kind, name)
            found = condition(thing, type_)
            assert found, f"no condition {type_}: {thing['status']}"
            got = {field: found.get(field) for field in wanted}
            assert got == wanted, f"{got}, want {wanted}"
            return found

        return eventually(check, timeout=timeout)

    # ReplicaSets of a Deployment

    def replica_sets(self, name):
        """Those that it controls, by revision, the oldest first."""
        uid = self.get("deployments", name)["metadata"]["uid"]
        items = [
            r
            for r in self.api.get(f"{self.apps}/replicasets")["items"]
            if (controller_of(r) or {}).get("uid") == uid
        ]
        return sorted(items, key=lambda r: int(r["metadata"]["annotations"].get(REVISION, 0)))

    def only_replica_set(self, name):
        found = self.replica_sets(name)
        assert len(found) == 1, [r["metadata"]["name"] for r in found]
        return found[0]

    def new_replica_set(self, name, revision):
        def check():
            found = [
                r
                for r in self.replica_sets(name)
                if r["metadata"]["annotations"].get(REVISION) == str(revision)
            ]
            assert found, f"no ReplicaSet of revision {revision}"
            return found[0]

        return eventually(check, timeout=30)

    def nodes_of(self, pods):
        return collections.Counter(p["spec"].get("nodeName") for p in pods)
