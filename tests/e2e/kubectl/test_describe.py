"""kubectl describe: the object, related objects, and events."""

from support.objects import deployment, owner_reference, pod, replica_set


def sections(result):
    """The headings at the left edge: Name:, Labels:, Events: and so on."""
    return [
        line.split(":")[0] for line in result.lines if line and line[0] not in " \t" and ":" in line
    ]


def test_describe_a_pod(kubectl, api, core, ready_pods):
    api.create(f"{core}/pods", pod("web", {"app": "web"}, {"note": "hello"}))
    ready_pods(1)
    result = kubectl("describe", "pod", "web")
    found = sections(result)
    for section in (
        "Name",
        "Namespace",
        "Node",
        "Labels",
        "Annotations",
        "Status",
        "IP",
        "Containers",
        "Conditions",
        "QoS Class",
        "Tolerations",
        "Events",
    ):
        assert section in found, str(result)
    assert "registry.example/web:1" in result.out
    assert "Running" in result.out


def test_describe_a_deployment_names_its_replica_set(kubectl, api, apps):
    web = api.create(f"{apps}/deployments", deployment("web", 2))
    owned = replica_set("web-1", 2, labels={"app": "web"})
    owned["metadata"]["ownerReferences"] = [owner_reference(web)]
    owned["metadata"]["annotations"] = {"deployment.kubernetes.io/revision": "1"}
    api.create(f"{apps}/replicasets", owned)
    result = kubectl("describe", "deploy", "web")
    found = sections(result)
    for section in (
        "Name",
        "Selector",
        "Replicas",
        "StrategyType",
        "MinReadySeconds",
        "RollingUpdateStrategy",
        "Pod Template",
        "OldReplicaSets",
        "NewReplicaSet",
        "Events",
    ):
        assert section in found, str(result)
    assert "web-1" in result.out
    assert "2 desired" in result.out


def test_describe_a_replica_set(kubectl, api, apps):
    api.create(f"{apps}/replicasets", replica_set("web", 2))
    result = kubectl("describe", "rs", "web")
    found = sections(result)
    for section in (
        "Name",
        "Namespace",
        "Selector",
        "Replicas",
        "Pods Status",
        "Pod Template",
        "Events",
    ):
        assert section in found, str(result)
    assert "0 current / 2 desired" in result.out


def test_describe_a_node_lists_its_pods(kubectl, api, core, namespace, ready_pods):
    api.create(f"{core}/pods", pod("web"))
    where = ready_pods(1)[0]["spec"]["nodeName"]
    result = kubectl("describe", "node", where)
    found = sections(result)
    for section in (
        "Name",
        "Roles",
        "Labels",
        "CreationTimestamp",
        "Taints",
        "Unschedulable",
        "Conditions",
        "Capacity",
        "Non-terminated Pods",
        "Allocated resources",
        "Events",
    ):
        assert section in found, str(result)
    assert any(namespace in line and " web " in line for line in result.lines), str(result)


def test_describe_a_namespace(kubectl, namespace):
    result = kubectl("describe", "ns", namespace)
    assert {"Name", "Labels", "Annotations", "Status"} <= set(sections(result)), str(result)
    assert "Active" in result.out


def test_describe_of_nothing_is_not_found(kubectl):
    assert 'pods "ghost" not found' in kubectl.fails("describe", "pod", "ghost").err


def test_describe_shows_events_of_the_object(kubectl, api, core, apps):
    web = api.create(f"{apps}/replicasets", replica_set("web"))
    event = {
        "metadata": {"name": "web.1"},
        "involvedObject": {
            "apiVersion": "apps/v1",
            "kind": "ReplicaSet",
            "name": "web",
            "namespace": web["metadata"]["namespace"],
            "uid": web["metadata"]["uid"],
        },
        "reason": "ScalingReplicaSet",
        "message": "something was scaled",
        "type": "Normal",
        "count": 1,
        "source": {"component": "tester"},
        "firstTimestamp": web["metadata"]["creationTimestamp"],
        "lastTimestamp": web["metadata"]["creationTimestamp"],
    }
    api.create(f"{core}/events", event)
    assert "something was scaled" in kubectl("describe", "rs", "web").out
