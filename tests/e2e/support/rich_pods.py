"""Pods with as many fields as can be set together, alone and in workloads."""

IMAGE = "registry.example/app:1"


def handler(**action):
    return {"initialDelaySeconds": 3, "timeoutSeconds": 2, "failureThreshold": 4, **action}


def container(name, **more):
    return {
        "name": name,
        "image": IMAGE,
        "command": ["/bin/app"],
        "args": ["--verbose", "é"],
        "workingDir": "/srv",
        "ports": [
            {"name": "http", "containerPort": 8080, "protocol": "TCP"},
            {"containerPort": 53, "protocol": "UDP", "hostIP": "127.0.0.1", "hostPort": 5300},
        ],
        "envFrom": [
            {"prefix": "A_", "configMapRef": {"name": "settings", "optional": True}},
            {"secretRef": {"name": "password", "optional": False}},
        ],
        "env": [
            {"name": "EMPTY"},
            {"name": "PLAIN", "value": "x"},
            {"name": "POD", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}},
            {
                "name": "CPU",
                "valueFrom": {"resourceFieldRef": {"resource": "limits.cpu", "divisor": "1m"}},
            },
            {
                "name": "SETTING",
                "valueFrom": {"configMapKeyRef": {"name": "s", "key": "k", "optional": True}},
            },
            {"name": "SECRET", "valueFrom": {"secretKeyRef": {"name": "p", "key": "k"}}},
        ],
        "resources": {
            "limits": {"cpu": "1500m", "memory": "1Gi", "example.com/gpu": "1"},
            "requests": {"cpu": "250m", "memory": "512Mi", "example.com/gpu": "1"},
        },
        "volumeMounts": [
            {"name": "scratch", "mountPath": "/scratch", "mountPropagation": "None"},
            {"name": "settings", "mountPath": "/etc/app", "readOnly": True, "subPath": "app"},
        ],
        "terminationMessagePath": "/dev/log",
        "terminationMessagePolicy": "FallbackToLogsOnError",
        "imagePullPolicy": "Always",
        "securityContext": {
            "capabilities": {"add": ["NET_ADMIN"], "drop": ["ALL"]},
            "privileged": False,
            "runAsUser": 1000,
            "runAsGroup": 0,
            "runAsNonRoot": True,
            "readOnlyRootFilesystem": True,
            "allowPrivilegeEscalation": True,
            "seccompProfile": {"type": "Localhost", "localhostProfile": "p.json"},
            "seLinuxOptions": {"user": "u", "role": "r", "type": "t", "level": "s0"},
            "procMount": "Default",
        },
        **more,
    }


def volumes():
    return [
        {"name": "scratch", "emptyDir": {"medium": "Memory", "sizeLimit": "64Mi"}},
        {"name": "empty", "emptyDir": {}},
        {
            "name": "settings",
            "configMap": {
                "name": "settings",
                "items": [{"key": "a", "path": "a.txt", "mode": 256}],
                "defaultMode": 420,
                "optional": True,
            },
        },
        {"name": "password", "secret": {"secretName": "password", "defaultMode": 256}},
        {"name": "host", "hostPath": {"path": "/var/log", "type": "Directory"}},
        {"name": "share", "nfs": {"server": "nfs.example", "path": "/x", "readOnly": True}},
        {"name": "claim", "persistentVolumeClaim": {"claimName": "c", "readOnly": True}},
        {
            "name": "about",
            "downwardAPI": {
                "items": [
                    {"path": "labels", "fieldRef": {"fieldPath": "metadata.labels"}},
                    {
                        "path": "cpu",
                        "resourceFieldRef": {
                            "containerName": "app",
                            "resource": "limits.cpu",
                            "divisor": "1m",
                        },
                    },
                ]
            },
        },
        {
            "name": "mixed",
            "projected": {
                "sources": [
                    {"secret": {"name": "p", "optional": True}},
                    {"configMap": {"name": "s", "items": [{"key": "k", "path": "k"}]}},
                    {
                        "serviceAccountToken": {
                            "audience": "api",
                            "expirationSeconds": 3600,
                            "path": "token",
                        }
                    },
                    {
                        "downwardAPI": {
                            "items": [{"path": "n", "fieldRef": {"fieldPath": "metadata.name"}}]
                        }
                    },
                ]
            },
        },
        {"name": "driver", "csi": {"driver": "csi.example", "volumeAttributes": {"a": "b"}}},
        {
            "name": "own",
            "ephemeral": {
                "volumeClaimTemplate": {
                    "metadata": {"labels": {"a": "b"}},
                    "spec": {
                        "accessModes": ["ReadWriteOnce"],
                        "resources": {"requests": {"storage": "1Gi"}},
                        "storageClassName": "fast",
                    },
                }
            },
        },
    ]


def term(label):
    return {
        "labelSelector": {
            "matchLabels": {"app": label},
            "matchExpressions": [
                {"key": "tier", "operator": "In", "values": ["a", "b"]},
                {"key": "old", "operator": "DoesNotExist"},
            ],
        },
        "namespaces": ["default"],
        "namespaceSelector": {"matchLabels": {"team": "x"}},
        "topologyKey": "kubernetes.io/hostname",
    }


def affinity():
    picked = {
        "matchExpressions": [{"key": "disk", "operator": "NotIn", "values": ["hdd"]}],
        "matchFields": [{"key": "metadata.name", "operator": "In", "values": ["n1"]}],
    }
    return {
        "nodeAffinity": {
            "requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [picked]},
            "preferredDuringSchedulingIgnoredDuringExecution": [
                {"weight": 10, "preference": {"matchExpressions": picked["matchExpressions"]}}
            ],
        },
        "podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term("db")]},
        "podAntiAffinity": {
            "preferredDuringSchedulingIgnoredDuringExecution": [
                {"weight": 100, "podAffinityTerm": term("web")}
            ]
        },
    }


def pod_spec():
    app = container(
        "app",
        livenessProbe=handler(httpGet={"path": "/live", "port": "http", "scheme": "HTTPS"}),
        readinessProbe=handler(tcpSocket={"port": 8080, "host": "127.0.0.1"}, successThreshold=2),
        startupProbe=handler(exec={"command": ["true"]}, terminationGracePeriodSeconds=5),
        lifecycle={
            "postStart": {"exec": {"command": ["a"]}},
            "preStop": {
                "httpGet": {
                    "port": 8080,
                    "path": "/stop",
                    "httpHeaders": [{"name": "X-A", "value": "b"}],
                }
            },
        },
        stdin=True,
        stdinOnce=True,
        tty=True,
    )
    return {
        "initContainers": [
            {"name": "first", "image": IMAGE},
            {"name": "sidecar", "image": IMAGE, "restartPolicy": "Always"},
        ],
        "containers": [
            app,
            {"name": "plain", "image": IMAGE, "livenessProbe": handler(grpc={"port": 9000})},
        ],
        "volumes": volumes(),
        "restartPolicy": "Always",
        "terminationGracePeriodSeconds": 0,
        "activeDeadlineSeconds": 600,
        "dnsPolicy": "None",
        "dnsConfig": {
            "nameservers": ["192.0.2.1"],
            "searches": ["example"],
            "options": [{"name": "ndots", "value": "2"}, {"name": "edns0"}],
        },
        "nodeSelector": {"nowhere": "true"},
        "serviceAccountName": "default",
        "automountServiceAccountToken": False,
        "shareProcessNamespace": True,
        "securityContext": {
            "runAsUser": 1000,
            "fsGroup": 2000,
            "supplementalGroups": [3000, 4000],
            "sysctls": [{"name": "net.core.somaxconn", "value": "1"}],
            "fsGroupChangePolicy": "OnRootMismatch",
            "seccompProfile": {"type": "RuntimeDefault"},
        },
        "imagePullSecrets": [{"name": "registry"}],
        "hostname": "host",
        "subdomain": "sub",
        "affinity": affinity(),
        "schedulerName": "nobody",
        "tolerations": [
            {"key": "gpu", "operator": "Equal", "value": "yes", "effect": "NoSchedule"},
            {"operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 0},
        ],
        "hostAliases": [{"ip": "192.0.2.2", "hostnames": ["a", "b"]}],
        "readinessGates": [{"conditionType": "example.com/ready"}],
        "enableServiceLinks": False,
        "topologySpreadConstraints": [
            {
                "maxSkew": 1,
                "topologyKey": "zone",
                "whenUnsatisfiable": "DoNotSchedule",
                "labelSelector": {"matchLabels": {"app": "x"}},
                "minDomains": 2,
                "nodeAffinityPolicy": "Ignore",
                "nodeTaintsPolicy": "Honor",
                "matchLabelKeys": ["pod-template-hash"],
            }
        ],
        "setHostnameAsFQDN": False,
        "os": {"name": "linux"},
        "schedulingGates": [{"name": "example.com/wait"}],
    }


def template(labels):
    """A pod as workloads make it: what only a bare pod can have is left out."""
    spec = pod_spec()
    for only_bare in ("activeDeadlineSeconds",):
        del spec[only_bare]
    return {
        "metadata": {"labels": labels, "annotations": {"a": "é"}, "finalizers": ["example.com/f"]},
        "spec": spec,
    }
