"""A tenant that forges owner references to objects of another tenant.

API servers do not validate owner references. A finalizer keeps the forged objects when the garbage
collector deletes them.
"""

from support.api import MERGE_PATCH
from support.objects import metadata, pod, replica_set

FINALIZER = "forger.example/stay"


def reference(owner, **changes):
    """To an object as the API server returned it, and with what is wrong about it."""
    return {
        "apiVersion": owner["apiVersion"],
        "kind": owner["kind"],
        "name": owner["metadata"]["name"],
        "uid": owner["metadata"]["uid"],
        "controller": True,
        "blockOwnerDeletion": True,
        **changes,
    }


class Forger:
    """Makes things in a namespace, and takes them back at the end."""

    def __init__(self, api, namespace):
        self.api = api
        self.namespace = namespace
        self.paths = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for path in self.paths:
            body = {"metadata": {"finalizers": None}}
            self.api.request("PATCH", path, body, content_type=MERGE_PATCH)
            self.api.request("DELETE", path)

    def _create(self, collection, body, forged):
        body["metadata"].update(
            metadata(
                body["metadata"]["name"],
                body["metadata"].get("labels"),
                ownerReferences=[forged],
                finalizers=[FINALIZER],
            )
        )
        made = self.api.create(collection, body)
        self.paths.append(f"{collection}/{made['metadata']['name']}")
        return made

    def pod(self, name, forged, labels):
        return self._create(
            f"/api/v1/namespaces/{self.namespace}/pods", pod(name, dict(labels)), forged
        )

    def replica_set(self, name, forged, labels, replicas):
        body = replica_set(name, replicas, labels=dict(labels))
        return self._create(f"/apis/apps/v1/namespaces/{self.namespace}/replicasets", body, forged)

    def there(self):
        """How many of them still exist."""
        return sum(self.api.request("GET", path).code == 200 for path in self.paths)

