"""Objects of every kind that is served, each with as many fields as can be set together."""

from support.objects import metadata
from support.rich_pods import IMAGE, pod_spec, template

def workload(kind, name, **spec):
    labels = {"app": name}
    return {
        "apiVersion": "apps/v1",
        "kind": kind,
        "metadata": metadata(name, labels),
        "spec": {
            "replicas": 0,
            "minReadySeconds": 7,
            "selector": {
                "matchLabels": labels,
                "matchExpressions": [{"key": "app", "operator": "Exists"}],
            },
            "template": template(labels),
            **spec,
        },
    }


def plain(kind, name, api_version="v1", **fields):
    thing = {"apiVersion": api_version, "kind": kind, "metadata": metadata(name, {"a": "b"})}
    return {**thing, **fields}


def service(name):
    return plain(
        "Service",
        name,
        spec={
            "type": "ClusterIP",
            "clusterIP": "None",
            "selector": {"app": "x"},
            "ports": [
                {"name": "http", "port": 80, "targetPort": "http", "appProtocol": "http"},
                {"name": "dns", "port": 53, "targetPort": 5353, "protocol": "UDP"},
            ],
            "externalIPs": ["192.0.2.9"],
            "sessionAffinity": "ClientIP",
            "sessionAffinityConfig": {"clientIP": {"timeoutSeconds": 60}},
            "publishNotReadyAddresses": True,
        },
    )


def event(name, namespace):
    return plain(
        "Event",
        name,
        involvedObject={
            "kind": "Pod",
            "namespace": namespace,
            "name": "x",
            "uid": "u",
            "apiVersion": "v1",
            "resourceVersion": "7",
            "fieldPath": "spec.containers{app}",
        },
        reason="Tested",
        message="wörds",
        source={"component": "test", "host": "h"},
        firstTimestamp="2026-01-01T00:00:00Z",
        lastTimestamp="1970-01-01T00:00:00Z",
        count=3,
        type="Normal",
        eventTime="2026-01-01T00:00:00.123456Z",
        series={"count": 2, "lastObservedTime": "2026-01-01T00:00:01.000001Z"},
        action="Testing",
        related={"kind": "Node", "name": "n"},
        reportingComponent="example.com/test",
        reportingInstance="t-1",
    )


def lease(name):
    return plain(
        "Lease",
        name,
        "coordination.k8s.io/v1",
        spec={
            "holderIdentity": "me",
            "leaseDurationSeconds": 15,
            "acquireTime": "2026-01-01T00:00:00.000000Z",
            "renewTime": "2026-01-01T00:00:00.999999Z",
            "leaseTransitions": 0,
        },
    )


def node(name):
    return plain(
        "Node",
        name,
        spec={
            "podCIDR": "10.9.0.0/24",
            "podCIDRs": ["10.9.0.0/24"],
            "providerID": "x://1",
            "unschedulable": True,
            "taints": [
                {
                    "key": "a",
                    "value": "b",
                    "effect": "NoSchedule",
                    "timeAdded": "2026-01-01T00:00:00Z",
                }
            ],
        },
    )


def webhooks(kind, name, **more):
    """Has everything in it, and a say in nothing that anybody writes."""
    hook = {
        "name": "some.example.com",
        "clientConfig": {
            "service": {"namespace": "a", "name": "b", "path": "/x", "port": 8443},
            "caBundle": "AP8=",
        },
        "rules": [
            {
                "operations": ["CREATE", "DELETE"],
                "apiGroups": ["nobody.example.com"],
                "apiVersions": ["v1", "v2"],
                "resources": ["things", "things/status"],
                "scope": "Namespaced",
            }
        ],
        "failurePolicy": "Ignore",
        "matchPolicy": "Exact",
        "namespaceSelector": {"matchLabels": {"a": "b"}},
        "objectSelector": {"matchExpressions": [{"key": "a", "operator": "Exists"}]},
        "sideEffects": "NoneOnDryRun",
        "timeoutSeconds": 7,
        "admissionReviewVersions": ["v1", "v1beta1"],
        **more,
    }
    other = {**hook, "name": "other.example.com", "clientConfig": {"url": "https://127.0.0.1/x"}}
    return plain(
        f"{kind}WebhookConfiguration",
        name,
        "admissionregistration.k8s.io/v1",
        webhooks=[hook, other],
    )


# The path of a kind's collection in a namespace, and how to make one of it.
def everything(namespace):
    core = f"/api/v1/namespaces/{namespace}"
    apps = f"/apis/apps/v1/namespaces/{namespace}"
    strategy = {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 0, "maxUnavailable": "10%"}}
    return {
        "Pod": (f"{core}/pods", lambda n: plain("Pod", n, spec=pod_spec())),
        "ConfigMap": (
            f"{core}/configmaps",
            lambda n: plain(
                "ConfigMap", n, data={"a": "1", "e": ""}, binaryData={"b": "AP8="}, immutable=False
            ),
        ),
        "Secret": (
            f"{core}/secrets",
            lambda n: plain("Secret", n, data={"a": "MQ==", "e": ""}, type="x", immutable=True),
        ),
        "ServiceAccount": (
            f"{core}/serviceaccounts",
            lambda n: plain(
                "ServiceAccount",
                n,
                secrets=[{"name": "s"}],
                imagePullSecrets=[{"name": "r"}],
                automountServiceAccountToken=False,
            ),
        ),
        "Service": (f"{core}/services", service),
        "Event": (f"{core}/events", lambda n: event(n, namespace)),
        "Lease": (f"/apis/coordination.k8s.io/v1/namespaces/{namespace}/leases", lease),
        "ReplicaSet": (f"{apps}/replicasets", lambda n: workload("ReplicaSet", n)),
        "Deployment": (
            f"{apps}/deployments",
            lambda n: workload(
                "Deployment",
                n,
                strategy=strategy,
                paused=True,
                revisionHistoryLimit=0,
                progressDeadlineSeconds=60,
            ),
        ),
        "MutatingWebhookConfiguration": (
            "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations",
            lambda n: webhooks("Mutating", n, reinvocationPolicy="IfNeeded"),
        ),
        "ValidatingWebhookConfiguration": (
            "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations",
            lambda n: webhooks("Validating", n),
        ),
        "Namespace": ("/api/v1/namespaces", lambda n: plain("Namespace", n)),
        "Node": ("/api/v1/nodes", node),
    }


POD_STATUS = {
    "phase": "Running",
    "message": "m",
    "reason": "r",
    "nominatedNodeName": "n",
    "hostIP": "192.0.2.1",
    "hostIPs": [{"ip": "192.0.2.1"}],
    "podIP": "192.0.2.3",
    "podIPs": [{"ip": "192.0.2.3"}],
    "startTime": "2026-01-01T00:00:00Z",
    "conditions": [
        {
            "type": "Ready",
            "status": "False",
            "reason": "x",
            "message": "y",
            "lastProbeTime": "2026-01-01T00:00:02Z",
            "lastTransitionTime": "2026-01-01T00:00:01Z",
        }
    ],
    "containerStatuses": [
        {
            "name": "app",
            "image": IMAGE,
            "imageID": "sha256:1",
            "containerID": "cri://1",
            "ready": False,
            "started": False,
            "restartCount": 3,
            "state": {"waiting": {"reason": "CrashLoopBackOff", "message": "again"}},
            "lastState": {
                "terminated": {
                    "exitCode": 137,
                    "signal": 9,
                    "reason": "OOMKilled",
                    "message": "m",
                    "startedAt": "2026-01-01T00:00:00Z",
                    "finishedAt": "2026-01-01T00:00:01Z",
                    "containerID": "cri://0",
                }
            },
        },
        {
            "name": "plain",
            "image": IMAGE,
            "imageID": "",
            "ready": True,
            "restartCount": 0,
            "state": {"running": {"startedAt": "2026-01-01T00:00:00Z"}},
            "lastState": {},
        },
    ],
}

NODE_STATUS = {
    "capacity": {"cpu": "8", "memory": "16Gi", "example.com/gpu": "2"},
    "allocatable": {"cpu": "7500m"},
    "phase": "Running",
    "conditions": [
        {
            "type": "Fine",
            "status": "Unknown",
            "lastHeartbeatTime": "2026-01-01T00:00:00Z",
            "lastTransitionTime": "2026-01-01T00:00:01Z",
            "reason": "r",
            "message": "m",
        }
    ],
    "addresses": [{"type": "InternalIP", "address": "192.0.2.1"}],
    "daemonEndpoints": {"kubeletEndpoint": {"Port": 10250}},
    "nodeInfo": {
        "machineID": "1",
        "systemUUID": "2",
        "bootID": "3",
        "kernelVersion": "4",
        "osImage": "5",
        "containerRuntimeVersion": "6",
        "kubeletVersion": "7",
        "kubeProxyVersion": "8",
        "operatingSystem": "linux",
        "architecture": "amd64",
    },
    "images": [{"names": ["a", "b"], "sizeBytes": 5000000000}],
    "volumesInUse": ["v"],
    "volumesAttached": [{"name": "v", "devicePath": "/dev/x"}],
}

WORKLOAD_STATUS = {
    "observedGeneration": 1,
    "replicas": 5,
    "readyReplicas": 4,
    "availableReplicas": 3,
    "conditions": [
        {
            "type": "ReplicaFailure",
            "status": "True",
            "reason": "r",
            "message": "m",
            "lastTransitionTime": "2026-01-01T00:00:01Z",
        }
    ],
}
STATUSES = {
    "Pod": POD_STATUS,
    "Node": NODE_STATUS,
    "ReplicaSet": {**WORKLOAD_STATUS, "fullyLabeledReplicas": 2},
    "Deployment": {
        **WORKLOAD_STATUS,
        "updatedReplicas": 5,
        "unavailableReplicas": 2,
        "collisionCount": 0,
    },
    "Service": {"loadBalancer": {"ingress": [{"ip": "192.0.2.4", "ipMode": "VIP"}]}},
}
