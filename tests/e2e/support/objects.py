"""Minimal objects for tests."""

import copy
import json


def merge(into, changes):
    for key, value in changes.items():
        if isinstance(value, dict) and isinstance(into.get(key), dict):
            merge(into[key], value)
        else:
            into[key] = value
    return into


def metadata(name, labels=None, annotations=None, **more):
    data = {"name": name}
    if labels:
        data["labels"] = labels
    if annotations:
        data["annotations"] = annotations
    return {**data, **more}


def pod_spec(image="registry.example/web:1", **more):
    return {"containers": [{"name": "main", "image": image}], **more}


def pod(name, labels=None, annotations=None, owner=None, image="registry.example/web:1", **spec):
    data = metadata(name, labels, annotations)
    if owner:
        data["ownerReferences"] = [owner_reference(owner)]
    return {"apiVersion": "v1", "kind": "Pod", "metadata": data, "spec": pod_spec(image, **spec)}


def template(labels, annotations=None, image="registry.example/web:1", **spec):
    data = {"labels": labels}
    if annotations:
        data["annotations"] = annotations
    return {"metadata": data, "spec": pod_spec(image, **spec)}


def workload(kind, name, replicas=0, labels=None, **spec):
    labels = labels or {"app": name}
    body = {
        "replicas": replicas,
        "selector": {"matchLabels": dict(labels)},
        "template": template(dict(labels)),
    }
    return {
        "apiVersion": "apps/v1",
        "kind": kind,
        "metadata": metadata(name, labels),
        "spec": merge(body, spec),
    }


def deployment(name, replicas=0, **options):
    return workload("Deployment", name, replicas, **options)


def replica_set(name, replicas=0, **options):
    return workload("ReplicaSet", name, replicas, **options)


def config_map(name, data=None, labels=None):
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": metadata(name, labels),
        "data": data or {},
    }


def node(name, zone="zone-x", **spec):
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": metadata(name, {"topology.kubernetes.io/zone": zone}),
        "spec": spec,
    }


def policy(name, target="web", **spec):
    body = {
        "targetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": target},
        "ranking": {"preset": "keep-zones-balanced"},
    }
    return {
        "apiVersion": "ebb.dev/v1alpha1",
        "kind": "DownscalePolicy",
        "metadata": metadata(name),
        "spec": merge(body, spec),
    }


def owner_reference(owner, controller=True, block=True):
    return {
        "apiVersion": owner["apiVersion"],
        "kind": owner["kind"],
        "name": owner["metadata"]["name"],
        "uid": owner["metadata"]["uid"],
        "controller": controller,
        "blockOwnerDeletion": block,
    }


def changed(thing, **changes):
    return merge(copy.deepcopy(thing), changes)


def manifest(*things):
    """One document for `kubectl -f -`."""
    if len(things) == 1:
        return json.dumps(things[0])
    return json.dumps({"apiVersion": "v1", "kind": "List", "items": list(things)})
