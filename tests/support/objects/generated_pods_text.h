// Templates of the objects that generated_pods.cc fills in, as `kubectl get -o json` prints them
// inside a List. Names in <> are placeholders.
#pragma once

#include <string_view>

namespace ebb::testing {

inline constexpr std::string_view kReplicaSetText = R"(        {
            "apiVersion": "apps/v1",
            "kind": "ReplicaSet",
            "metadata": {
                "annotations": {
                    "deployment.kubernetes.io/desired-replicas": "<pods>",
                    "deployment.kubernetes.io/max-replicas": "<max_pods>",
                    "deployment.kubernetes.io/revision": "14"
                },
                "creationTimestamp": "2026-09-14T08:12:31Z",
                "generation": 3,
                "labels": {
                    "app.kubernetes.io/name": "web",
                    "app.kubernetes.io/version": "2.14.3",
                    "pod-template-hash": "7d4b9c6f5d"
                },
                "name": "web-7d4b9c6f5d",
                "namespace": "shop",
                "ownerReferences": [
                    {
                        "apiVersion": "apps/v1",
                        "blockOwnerDeletion": true,
                        "controller": true,
                        "kind": "Deployment",
                        "name": "web",
                        "uid": "4c1d0f0e-8a53-4f2f-9b1c-2d7e6a5b9c01"
                    }
                ],
                "resourceVersion": "48120377",
                "uid": "<owner_uid>"
            },
            "spec": {
                "replicas": <pods>,
                "selector": {
                    "matchLabels": {
                        "app.kubernetes.io/name": "web",
                        "pod-template-hash": "7d4b9c6f5d"
                    }
                },
                "template": {
                    "metadata": {
                        "creationTimestamp": null,
                        "labels": {
                            "app.kubernetes.io/name": "web",
                            "app.kubernetes.io/version": "2.14.3",
                            "pod-template-hash": "7d4b9c6f5d"
                        }
                    },
                    "spec": {
                        "containers": [
                            {
                                "image": "registry.example.com/shop/web:2.14.3",
                                "name": "web"
                            }
                        ]
                    }
                }
            },
            "status": {
                "availableReplicas": 0,
                "fullyLabeledReplicas": <pods>,
                "observedGeneration": 3,
                "replicas": <pods>
            }
        })";

inline constexpr std::string_view kPodText = R"(        {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {
                "annotations": {<deletion_cost>
                    "kubectl.kubernetes.io/restartedAt": "2026-09-14T08:12:30Z",
                    "prometheus.io/scrape": "true"
                },
                "creationTimestamp": "<created>",
                "generateName": "web-7d4b9c6f5d-",
                "labels": {
                    "app.kubernetes.io/name": "web",
                    "app.kubernetes.io/version": "2.14.3",
                    "pod-template-hash": "7d4b9c6f5d"
                },
                "name": "<name>",
                "namespace": "shop",
                "ownerReferences": [
                    {
                        "apiVersion": "apps/v1",
                        "blockOwnerDeletion": true,
                        "controller": true,
                        "kind": "ReplicaSet",
                        "name": "web-7d4b9c6f5d",
                        "uid": "<owner_uid>"
                    }
                ],
                "resourceVersion": "<version>",
                "uid": "<uid>"
            },
            "spec": {
                "containers": [
                    {
                        "env": [
                            {
                                "name": "CONFIG",
                                "value": "/etc/web/config.yaml"
                            },
                            {
                                "name": "LOG_LEVEL",
                                "value": "info"
                            }
                        ],
                        "image": "registry.example.com/shop/web:2.14.3",
                        "livenessProbe": {
                            "httpGet": {
                                "path": "/healthz",
                                "port": 8080
                            },
                            "periodSeconds": 10
                        },
                        "name": "web",
                        "readinessProbe": {
                            "httpGet": {
                                "path": "/readyz",
                                "port": 8080
                            },
                            "periodSeconds": 5
                        },
                        "resources": {
                            "limits": {
                                "cpu": "1",
                                "memory": "512Mi"
                            },
                            "requests": {
                                "cpu": "250m",
                                "memory": "256Mi"
                            }
                        },
                        "volumeMounts": [
                            {
                                "mountPath": "/var/run/secrets/kubernetes.io/serviceaccount",
                                "name": "kube-api-access-<volume>",
                                "readOnly": true
                            }
                        ]
                    }
                ],
                "dnsPolicy": "ClusterFirst",<node_name>
                "restartPolicy": "Always",
                "serviceAccountName": "web",
                "terminationGracePeriodSeconds": 30,
                "tolerations": [
                    {
                        "effect": "NoExecute",
                        "key": "node.kubernetes.io/not-ready",
                        "operator": "Exists",
                        "tolerationSeconds": 300
                    }
                ],
                "volumes": [
                    {
                        "name": "kube-api-access-<volume>",
                        "projected": {
                            "defaultMode": 420,
                            "sources": [
                                {
                                    "serviceAccountToken": {
                                        "expirationSeconds": 3607,
                                        "path": "token"
                                    }
                                }
                            ]
                        }
                    }
                ]
            },
            "status": <status>
        })";

inline constexpr std::string_view kRunningText = R"({
                "conditions": [
                    {
                        "lastTransitionTime": "<started>",
                        "status": "True",
                        "type": "PodReadyToStartContainers"
                    },
                    {
                        "lastTransitionTime": "<created>",
                        "status": "True",
                        "type": "Initialized"
                    },
                    {
                        "lastTransitionTime": "<ready_since>",
                        "status": "<ready>",
                        "type": "Ready"
                    },
                    {
                        "lastTransitionTime": "<ready_since>",
                        "status": "<ready>",
                        "type": "ContainersReady"
                    },
                    {
                        "lastTransitionTime": "<created>",
                        "status": "True",
                        "type": "PodScheduled"
                    }
                ],
                "containerStatuses": [
                    {
                        "containerID": "containerd://<container_id>",
                        "image": "registry.example.com/shop/web:2.14.3",
                        "imageID": "registry.example.com/shop/web@sha256:9f1c2c66e0d8d4d8fbd5a4d84a0c1ae7b1f9b7a59e6cc7f23b0a54f26ac1d7e3",
                        "name": "web",
                        "ready": <ready_flag>,
                        "restartCount": <restarts>,
                        "state": {
                            "running": {
                                "startedAt": "<started>"
                            }
                        }
                    }
                ],
                "hostIP": "<host_ip>",
                "phase": "Running",
                "podIP": "<pod_ip>",
                "podIPs": [
                    {
                        "ip": "<pod_ip>"
                    }
                ],
                "qosClass": "Burstable",
                "startTime": "<created>"
            })";

inline constexpr std::string_view kPendingText = R"({
                "conditions": [
                    {
                        "lastTransitionTime": "<created>",
                        "message": "0/<nodes> nodes are available: <nodes> Insufficient cpu. preemption: 0/<nodes> nodes are available: <nodes> No preemption victims found for incoming pod.",
                        "reason": "Unschedulable",
                        "status": "False",
                        "type": "PodScheduled"
                    }
                ],
                "phase": "Pending",
                "qosClass": "Burstable"
            })";

}  // namespace ebb::testing
