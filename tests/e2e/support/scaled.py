"""A Deployment that is scaled up and down, with or without a picker."""

import collections

from support.objects import deployment, merge, metadata
from support.process import eventually


class Workload:
    """A Deployment, scaled as an autoscaler does it: through /scale, and nothing before that."""

    patience = 30  # seconds until pods are as they should be

    def __init__(self, api, namespace, name="web"):
        self.api = api
        self.namespace = namespace
        self.name = name
        self.core = f"/api/v1/namespaces/{namespace}"
        self.apps = f"/apis/apps/v1/namespaces/{namespace}"
        self.policies = f"/apis/ebb.dev/v1alpha1/namespaces/{namespace}/downscalepolicies"

    def create(self, replicas, picker=None, **spec):
        if picker:
            spec["downscalePodPicker"] = picker
        self.api.create(f"{self.apps}/deployments", deployment(self.name, replicas, **spec))
        return self.wait(replicas)

    def add_policy(
        self, name, picker, kind="Deployment", target=None, api_version="apps/v1", **more
    ):
        spec = {
            "targetRef": {"apiVersion": api_version, "kind": kind, "name": target or self.name},
            "podPicker": picker,
            **more,
        }
        body = {"apiVersion": "ebb.dev/v1alpha1", "kind": "DownscalePolicy"}
        return self.api.create(self.policies, {**body, "metadata": metadata(name), "spec": spec})

    def take_field_away(self):
        """spec.downscalePodPicker, also from the ReplicaSet that has a copy of it."""
        path = f"{self.apps}/deployments/{self.name}"
        self.api.patch(path, {"spec": {"downscalePodPicker": None}})
        eventually(lambda: "downscalePodPicker" not in self.replica_set()["spec"])

    def add_secret(self, name, **values):
        body = {"apiVersion": "v1", "kind": "Secret", "metadata": metadata(name)}
        self.api.create(f"{self.core}/secrets", merge(body, {"stringData": values}))

    def pods(self):
        """Those that stay, by name, and whether each is Ready."""
        found = {}
        for pod in self.api.get(f"{self.core}/pods", labelSelector=f"app={self.name}")["items"]:
            if "deletionTimestamp" not in pod["metadata"]:
                conditions = {
                    c["type"]: c["status"] for c in pod.get("status", {}).get("conditions", [])
                }
                found[pod["metadata"]["name"]] = (pod, conditions.get("Ready") == "True")
        return found

    def zones(self):
        """How many of them are in each zone."""
        zone_of = {
            node["metadata"]["name"]: node["metadata"]["labels"]["topology.kubernetes.io/zone"]
            for node in self.api.get("/api/v1/nodes")["items"]
        }
        return collections.Counter(
            zone_of[pod["spec"]["nodeName"]] for pod, _ in self.pods().values()
        )

    def wait(self, replicas, timeout=None):
        def check():
            pods = self.pods()
            assert len(pods) == replicas, f"{len(pods)} pods, want {replicas}"
            assert all(ready for _, ready in pods.values()), "not all are ready"
            return True

        eventually(check, timeout=timeout or self.patience)
        return sorted(self.pods())

    def scale(self, replicas):
        """Returns the pods that went."""
        before = set(self.pods())
        self.api.patch(
            f"{self.apps}/deployments/{self.name}/scale", {"spec": {"replicas": replicas}}
        )
        return before - set(self.wait(replicas))

    def replica_set(self):
        (only,) = self.api.get(f"{self.apps}/replicasets", labelSelector=f"app={self.name}")[
            "items"
        ]
        return only

    def events(self, reason):
        return [
            e for e in self.api.get(f"{self.core}/events")["items"] if e["reason"] == reason
        ]

    def wait_event(self, reason, words):
        def check():
            texts = [e["message"] for e in self.events(reason)]
            assert any(words in text for text in texts), f"{reason}: {texts}"
            return True

        eventually(check)

    def condition(self, policy, type_):
        status = self.api.get(f"{self.policies}/{policy}").get("status", {})
        return next((c for c in status.get("conditions", []) if c["type"] == type_), None)

    def wait_condition(self, policy, type_, status, timeout=30):
        """The status of a policy is not written more often than every few seconds."""

        def check():
            found = self.condition(policy, type_)
            assert found and found["status"] == status, f"{type_}: {found}, want {status}"
            return found

        return eventually(check, timeout=timeout)
