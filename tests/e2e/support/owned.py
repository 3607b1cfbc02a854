"""Objects with many fields, and writes to them, for tests of field ownership."""

import copy

from support.api import APPLY_PATCH, MERGE_PATCH, STRATEGIC_PATCH

LABELS = {"app": "web", "example.com/tier": "front"}

CONTAINER = {
    "name": "main",
    "image": "registry.example/web:1",
    "command": ["run"],
    "args": ["--fast", "--safe"],
    "workingDir": "/srv",
    "ports": [
        {"containerPort": 8080, "name": "http"},
        {"containerPort": 443, "name": "https", "protocol": "TCP"},
        {"containerPort": 53, "protocol": "UDP", "name": "dns"},
    ],
    "env": [
        {"name": "A", "value": "1"},
        {"name": "NODE", "valueFrom": {"fieldRef": {"fieldPath": "spec.nodeName"}}},
        {"name": "KEY", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k", "optional": True}}},
        {"name": "CPU", "valueFrom": {"resourceFieldRef": {"resource": "limits.cpu"}}},
    ],
    "envFrom": [{"configMapRef": {"name": "settings"}, "prefix": "X_"}],
    "resources": {"limits": {"cpu": "1", "memory": "1Gi"}, "requests": {"cpu": "500m"}},
    "volumeMounts": [{"name": "data", "mountPath": "/data"}, {"name": "conf", "mountPath": "/etc/c"}],
    "livenessProbe": {"httpGet": {"path": "/live", "port": "http"}, "periodSeconds": 5},
    "readinessProbe": {"exec": {"command": ["ready"]}},
    "startupProbe": {"tcpSocket": {"port": 8080}, "failureThreshold": 30},
    "lifecycle": {"preStop": {"exec": {"command": ["stop"]}}},
    "securityContext": {
        "runAsNonRoot": True,
        "capabilities": {"drop": ["ALL"], "add": ["NET_BIND_SERVICE"]},
        "seccompProfile": {"type": "RuntimeDefault"},
    },
    "stdin": True,
}

POD_SPEC = {
    "containers": [CONTAINER, {"name": "side", "image": "registry.example/side"}],
    "initContainers": [{"name": "setup", "image": "registry.example/setup:2", "restartPolicy": "Always"}],
    "volumes": [
        {"name": "data", "emptyDir": {"sizeLimit": "1Gi"}},
        {"name": "conf", "configMap": {"name": "c", "items": [{"key": "a", "path": "b"}]}},
        {"name": "keys", "secret": {"secretName": "s", "defaultMode": 256}},
        {
            "name": "all",
            "projected": {
                "sources": [
                    {"configMap": {"name": "c"}},
                    {"downwardAPI": {"items": [{"path": "l", "fieldRef": {"fieldPath": "metadata.labels"}}]}},
                ]
            },
        },
    ],
    "nodeSelector": {"disk": "ssd", "zone": "a"},
    "tolerations": [{"key": "dedicated", "operator": "Exists", "effect": "NoSchedule"}],
    "affinity": {
        "nodeAffinity": {
            "requiredDuringSchedulingIgnoredDuringExecution": {
                "nodeSelectorTerms": [
                    {"matchExpressions": [{"key": "a", "operator": "In", "values": ["b"]}]}
                ]
            }
        },
        "podAntiAffinity": {
            "preferredDuringSchedulingIgnoredDuringExecution": [
                {
                    "weight": 10,
                    "podAffinityTerm": {
                        "topologyKey": "zone",
                        "labelSelector": {"matchLabels": {"app": "web"}},
                    },
                }
            ]
        },
    },
    "topologySpreadConstraints": [
        {
            "maxSkew": 1,
            "topologyKey": "zone",
            "whenUnsatisfiable": "ScheduleAnyway",
            "labelSelector": {"matchLabels": {"app": "web"}},
        }
    ],
    "securityContext": {"fsGroup": 1000, "sysctls": [{"name": "kernel.shm_rmid_forced", "value": "0"}]},
    "dnsConfig": {"nameservers": ["10.0.0.10"], "options": [{"name": "ndots", "value": "2"}]},
    "hostAliases": [{"ip": "10.1.2.3", "hostnames": ["a.example"]}],
    "imagePullSecrets": [{"name": "pull"}],
    "readinessGates": [{"conditionType": "example.com/ready"}],
    "terminationGracePeriodSeconds": 5,
    "priority": 0,
}


def rich_deployment(name="web", **spec):
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {
            "name": name,
            "labels": dict(LABELS),
            "annotations": {"example.com/note": "x"},
            "finalizers": ["example.com/b", "example.com/a"],
        },
        "spec": {
            "replicas": 3,
            "paused": True,
            "minReadySeconds": 5,
            "selector": {"matchLabels": {"app": "web"}},
            "strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1}},
            "template": {
                "metadata": {"labels": dict(LABELS), "annotations": {"a": "b"}},
                "spec": copy.deepcopy({k: v for k, v in POD_SPEC.items() if k != "priority"}),
            },
            **spec,
        },
    }


def rich_pod(name="web"):
    spec = copy.deepcopy(POD_SPEC)
    spec["schedulerName"] = "nobody"
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "generateName": "web-",
            "name": name,
            "labels": dict(LABELS),
            "ownerReferences": [
                {"apiVersion": "example.com/v1", "kind": "Owner", "name": "o", "uid": "u-1"}
            ],
        },
        "spec": spec,
    }


def rich_service(name="web"):
    return {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": name},
        "spec": {
            "selector": {"app": "web"},
            "ports": [
                {"name": "http", "port": 80, "targetPort": "http"},
                {"name": "dns", "port": 53, "protocol": "UDP"},
                {"name": "dns-tcp", "port": 53, "protocol": "TCP", "targetPort": 5353},
            ],
        },
    }


def body(kind, name, api_version="v1", **rest):
    return {"apiVersion": api_version, "kind": kind, "metadata": {"name": name}, **rest}


SCALE = {"apiVersion": "autoscaling/v1", "kind": "Scale"}
STATUS = {"replicas": 2, "conditions": [{"type": "Available", "status": "True", "reason": "R"}]}
APPLIED = {
    **body("Deployment", "web", "apps/v1"),
    "spec": {
        "replicas": 2,
        "selector": {"matchLabels": {"app": "web"}},
        "template": {
            "metadata": {"labels": {"app": "web"}},
            "spec": {
                "containers": [
                    {
                        "name": "main",
                        "image": "registry.example/web:1",
                        "ports": [{"containerPort": 80}],
                        "resources": {"requests": {"cpu": "1"}},
                    }
                ],
                "nodeSelector": {"a": "b"},
            },
        },
    },
}


def apply(path, configuration, manager="test-apply", **query):
    return ("PATCH", path, configuration, APPLY_PATCH, {"fieldManager": manager, **query})


def post(path, body, manager="test-create"):
    return ("POST", path, body, None, {"fieldManager": manager})


def merge(path, body, manager="test-edit"):
    return ("PATCH", path, body, MERGE_PATCH, {"fieldManager": manager})


def strategic(path, body, manager="test-edit"):
    return ("PATCH", path, body, STRATEGIC_PATCH, {"fieldManager": manager})


def without_replicas(configuration):
    changed = copy.deepcopy(configuration)
    del changed["spec"]["replicas"]
    return changed


def with_label(configuration):
    changed = copy.deepcopy(configuration)
    changed["metadata"]["labels"] = {"a": "b"}
    return changed


REPLICAS_9 = {**APPLIED, "spec": {**APPLIED["spec"], "replicas": 9}}
REPLICAS_7 = {**SCALE, "metadata": {"name": "web"}, "spec": {"replicas": 7}}
APPLIED_STATUS = {**body("Deployment", "web", "apps/v1"), "status": STATUS}
TWO_CONTAINERS = {
    "spec": {
        "template": {
            "spec": {
                "containers": [
                    {
                        "name": "main",
                        "image": "registry.example/web:2",
                        "ports": [{"containerPort": 81}],
                    },
                    {"name": "more", "image": "m"},
                ]
            }
        }
    }
}
LEASE = {"holderIdentity": "a", "leaseDurationSeconds": 15}
EVENT = {
    "involvedObject": {"kind": "Pod", "name": "x", "namespace": "NAMESPACE"},
    "reason": "R",
    "message": "m",
    "type": "Normal",
    "source": {"component": "c"},
    "count": 1,
    "firstTimestamp": "2026-01-01T00:00:00Z",
    "lastTimestamp": "2026-01-01T00:00:00Z",
}
POD_STATUS = {
    "phase": "Pending",
    "conditions": [{"type": "Ready", "status": "False"}],
    "podIP": "10.0.0.1",
    "podIPs": [{"ip": "10.0.0.1"}],
    "hostIP": "10.0.0.2",
    "hostIPs": [{"ip": "10.0.0.2"}],
    "containerStatuses": [
        {
            "name": "main",
            "ready": False,
            "image": "i",
            "imageID": "",
            "restartCount": 0,
            "state": {"waiting": {"reason": "R"}},
        }
    ],
}


def at(second):
    return {"renewTime": f"2026-01-01T00:00:{second:02}.000000Z"}


def with_finalizers(*names):
    found = body("ConfigMap", "web")
    found["metadata"]["finalizers"] = [f"example.com/{name}" for name in names]
    return found


# The writes of each story, in order, and the object to check. Paths are below the namespace.
STORIES = {
    "a rich deployment is created": [post("apps/deployments", rich_deployment())],
    "a rich deployment is applied": [apply("apps/deployments/web", rich_deployment())],
    "a rich pod is created": [post("core/pods", rich_pod())],
    "a rich pod is applied": [
        apply("core/pods/web", {**rich_pod(), "metadata": {"name": "web", "labels": LABELS}})
    ],
    "a service is created": [post("core/services", rich_service())],
    "a service is applied": [apply("core/services/web", rich_service())],
    "a secret is created from texts": [
        post("core/secrets", body("Secret", "web", stringData={"a": "x"}, data={"b": "eA=="}))
    ],
    "a secret is applied from texts": [
        apply("core/secrets/web", body("Secret", "web", stringData={"a": "x"}, data={"b": "eA=="}))
    ],
    "a config map is edited by three": [
        post("core/configmaps", body("ConfigMap", "web", data={"a": "1", "b": "1", "c": "1"})),
        merge("core/configmaps/web", {"data": {"a": "2", "d": "1"}}),
        merge(
            "core/configmaps/web",
            {"data": {"b": None}, "metadata": {"labels": {"l": "1"}}},
            "test-other",
        ),
        merge("core/configmaps/web", {"data": {"d": "2"}}, "test-other"),
    ],
    "a service account is created": [
        post(
            "core/serviceaccounts",
            body("ServiceAccount", "web", secrets=[{"name": "s"}], imagePullSecrets=[{"name": "p"}]),
        )
    ],
    "a deployment is created, then applied to": [
        post("apps/deployments", rich_deployment()),
        apply("apps/deployments/web", with_label(body("Deployment", "web", "apps/v1"))),
    ],
    "a deployment is applied, scaled and its status written": [
        apply("apps/deployments/web", APPLIED),
        merge("apps/deployments/web/scale", {"spec": {"replicas": 5}}, "test-scale"),
        merge(
            "apps/deployments/web/status",
            {"status": STATUS, "metadata": {"labels": {"x": "y"}}},
            "test-status",
        ),
    ],
    "a deployment is scaled by one who applies": [
        apply("apps/deployments/web", APPLIED),
        apply("apps/deployments/web/scale", REPLICAS_7, "test-scale", force="true"),
    ],
    "a status is applied": [
        apply("apps/deployments/web", APPLIED),
        apply("apps/deployments/web/status", APPLIED_STATUS, "test-status"),
    ],
    "an applied field is given up to nobody": [
        apply("apps/deployments/web", with_label(APPLIED)),
        apply("apps/deployments/web", without_replicas(APPLIED)),
    ],
    "an applied field is shared, then given up by one": [
        apply("apps/deployments/web", APPLIED),
        apply("apps/deployments/web", APPLIED, "test-second"),
        apply("apps/deployments/web", without_replicas(APPLIED)),
    ],
    "a field is taken by force": [
        apply("apps/deployments/web", APPLIED),
        apply("apps/deployments/web", REPLICAS_9, "test-second", force="true"),
    ],
    "a container is patched strategically": [
        apply("apps/deployments/web", APPLIED),
        strategic(
            "apps/deployments/web",
            TWO_CONTAINERS,
        ),
    ],
    "entries are cleared, then applied to": [
        post("core/configmaps", body("ConfigMap", "web", data={"a": "1"})),
        merge("core/configmaps/web", {"metadata": {"managedFields": [{}]}}),
        merge("core/configmaps/web", {"data": {"b": "1"}}),
        apply("core/configmaps/web", body("ConfigMap", "web", data={"c": "1"})),
    ],
    "entries are cleared by an empty list": [
        post("core/configmaps", body("ConfigMap", "web", data={"a": "1"})),
        merge("core/configmaps/web", {"metadata": {"managedFields": []}}),
    ],
    "more than ten have edited": [
        post("core/configmaps", body("ConfigMap", "web", data={"a": "1"}), "test-"),
        *[merge("core/configmaps/web", {"data": {f"k{i}": "1"}}, f"test-{i:02}") for i in range(12)],
    ],
    "a set of finalizers has two appliers": [
        apply("core/configmaps/web", with_finalizers("a", "b")),
        apply("core/configmaps/web", with_finalizers("b", "c"), "test-second"),
        apply("core/configmaps/web", with_finalizers("a")),
    ],
    "a lease is created and renewed": [
        post("leases/leases", body("Lease", "web", "coordination.k8s.io/v1", spec={**LEASE, **at(0)})),
        merge("leases/leases/web", {"spec": at(5)}, "test-create"),
    ],
    "an event is created": [
        post("core/events", body("Event", "web", **EVENT)),
    ],
    "a pod's status is written": [
        post("core/pods", rich_pod()),
        strategic("core/pods/web/status", {"status": POD_STATUS}, "test-kubelet"),
    ],
}
