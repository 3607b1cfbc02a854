"""Nodes: cordon, drain, taint, and the hollow scheduler and kubelet.

All tests share the nodes, so a test leaves them as it found them.
"""

import collections

import pytest
from support.objects import owner_reference, pod, replica_set
from support.process import eventually

ZONE = "topology.kubernetes.io/zone"


@pytest.fixture
def a_node(api):
    """A node that is made whole again afterwards."""
    name = api.get("/api/v1/nodes")["items"][-1]["metadata"]["name"]
    yield name
    api.patch(f"/api/v1/nodes/{name}", {"spec": {"unschedulable": None, "taints": None}})


def zones(api):
    return {
        n["metadata"]["name"]: n["metadata"]["labels"][ZONE]
        for n in api.get("/api/v1/nodes")["items"]
    }


def on_node(name, where, app="web", **more):
    return pod(name, {"app": app}, nodeSelector={"kubernetes.io/hostname": where}, **more)


def test_cordon_and_uncordon(kubectl, api, core, a_node):
    assert kubectl("cordon", a_node).out == f"node/{a_node} cordoned\n"
    assert kubectl("get", "node", a_node).table()[0]["STATUS"] == "Ready,SchedulingDisabled"
    kubectl.create(on_node("waiting", a_node))
    assert kubectl.run("wait pod/waiting --for=condition=Ready --timeout=1s").code == 1
    assert kubectl("uncordon", a_node).out == f"node/{a_node} uncordoned\n"
    kubectl("wait pod/waiting --for=condition=Ready --timeout=20s")


def test_drain_evicts_pods_with_a_controller(
    kubectl, api, core, apps, a_node, namespace, ready_pods
):
    owner = api.create(f"{apps}/replicasets", replica_set("web"))
    for name in ("one", "two"):
        thing = on_node(name, a_node, app=namespace)
        thing["metadata"]["ownerReferences"] = [owner_reference(owner)]
        api.create(f"{core}/pods", thing)
    ready_pods(2)
    result = kubectl(
        "drain", a_node, "--ignore-daemonsets", f"--pod-selector=app={namespace}", "--timeout=30s"
    )
    assert f"node/{a_node} drained" in result.lines
    assert f"node/{a_node} cordoned" in result.lines
    assert api.get(f"{core}/pods")["items"] == []
    assert api.get(f"/api/v1/nodes/{a_node}")["spec"]["unschedulable"] is True


def test_drain_refuses_pods_without_a_controller_unless_forced(
    kubectl, api, core, a_node, namespace, ready_pods
):
    api.create(f"{core}/pods", on_node("bare", a_node, app=namespace))
    ready_pods(1)
    result = kubectl.fails("drain", a_node, f"--pod-selector=app={namespace}", "--timeout=10s")
    assert "cannot delete" in result.err
    kubectl("drain", a_node, f"--pod-selector=app={namespace}", "--force", "--timeout=30s")
    assert api.get(f"{core}/pods")["items"] == []


def test_an_eviction_answers_with_success(api, core, ready_pods):
    api.create(f"{core}/pods", pod("web"))
    ready_pods(1)
    eviction = {"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": "web"}}
    answer = api.request("POST", f"{core}/pods/web/eviction", eviction)
    assert (answer.code, answer.json["status"]) == (201, "Success")
    eventually(lambda: api.request("GET", f"{core}/pods/web").code == 404)
    assert api.request("POST", f"{core}/pods/web/eviction", eviction).code == 404


def test_taint_and_remove(kubectl, api, a_node):
    assert (
        kubectl("taint", "node", a_node, "only=mine:NoSchedule").out == f"node/{a_node} tainted\n"
    )
    taints = api.get(f"/api/v1/nodes/{a_node}")["spec"]["taints"]
    assert taints == [{"key": "only", "value": "mine", "effect": "NoSchedule"}]
    assert "already has" in kubectl.fails("taint", "node", a_node, "only=yours:NoSchedule").err
    kubectl("taint", "node", a_node, "only=yours:NoSchedule", "--overwrite")
    assert kubectl("taint", "node", a_node, "only-").out == f"node/{a_node} untainted\n"
    assert "taints" not in api.get(f"/api/v1/nodes/{a_node}")["spec"]


@pytest.mark.ebb_only
def test_a_taint_keeps_pods_away_that_do_not_tolerate_it(kubectl, api, a_node):
    kubectl("taint", "node", a_node, "only=mine:NoSchedule")
    kubectl.create(on_node("stranger", a_node))
    kubectl.create(on_node("friend", a_node, tolerations=[{"key": "only", "operator": "Exists"}]))
    kubectl("wait pod/friend --for=condition=Ready --timeout=20s")
    assert kubectl("get pod stranger").table()[0]["STATUS"] == "Pending"


@pytest.mark.ebb_only
def test_an_unschedulable_pod_says_why(kubectl, api, core):
    api.create(f"{core}/pods", pod("lost", nodeSelector={"no": "where"}))

    def scheduled():
        conditions = api.get(f"{core}/pods/lost")["status"].get("conditions", [])
        return [c for c in conditions if c["type"] == "PodScheduled"]

    condition = eventually(scheduled)[0]
    assert (condition["status"], condition["reason"]) == ("False", "Unschedulable")
    assert "nodes are available" in condition["message"]


@pytest.mark.ebb_only
def test_pods_of_a_workload_spread_over_zones(api, core, apps, ready_pods):
    owner = api.create(f"{apps}/replicasets", replica_set("web", 6))
    for index in range(6):
        api.create(f"{core}/pods", pod(f"web-{index}", {"app": "web"}, owner=owner))
    where = zones(api)
    per_zone = collections.Counter(where[p["spec"]["nodeName"]] for p in ready_pods(6))
    assert sorted(per_zone.values()) == [2, 2, 2]


@pytest.mark.ebb_only
def test_topology_spread_constraints_hold(kubectl, api, core, ready_pods):
    constraint = {
        "maxSkew": 1,
        "topologyKey": ZONE,
        "whenUnsatisfiable": "DoNotSchedule",
        "labelSelector": {"matchLabels": {"app": "spread"}},
    }
    for index in range(7):
        api.create(
            f"{core}/pods",
            pod(f"s-{index}", {"app": "spread"}, topologySpreadConstraints=[constraint]),
        )
    where = zones(api)
    per_zone = collections.Counter(where[p["spec"]["nodeName"]] for p in ready_pods(7))
    assert max(per_zone.values()) - min(per_zone.values()) <= 1 and len(per_zone) == 3


def test_node_selectors_hold(kubectl, api, core, ready_pods):
    zone = sorted(set(zones(api).values()))[0]
    for index in range(3):
        api.create(f"{core}/pods", pod(f"web-{index}", nodeSelector={ZONE: zone}))
    where = zones(api)
    assert {where[p["spec"]["nodeName"]] for p in ready_pods(3)} == {zone}


@pytest.mark.ebb_only
def test_required_anti_affinity_holds(kubectl, api, core, ready_pods):
    term = {"labelSelector": {"matchLabels": {"app": "apart"}}, "topologyKey": ZONE}
    rule = {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]}}
    for index in range(4):
        api.create(f"{core}/pods", pod(f"web-{index}", {"app": "apart"}, affinity=rule))
    where = zones(api)
    assert len({where[p["spec"]["nodeName"]] for p in ready_pods(3)}) == 3
    pending = api.get(f"{core}/pods", fieldSelector="spec.nodeName=")["items"]
    assert len(pending) == 1


@pytest.mark.ebb_only
def test_a_pod_that_shall_never_be_ready_runs_but_is_not(kubectl, api, core):
    api.create(f"{core}/pods", pod("sick", annotations={"ebb.dev/never-ready": "true"}))
    kubectl("wait", "pod/sick", "--for=jsonpath={.status.phase}=Running", "--timeout=20s")
    assert kubectl.run("wait pod/sick --for=condition=Ready --timeout=1s").code == 1
    row = kubectl("get pod sick").table()[0]
    assert (row["READY"], row["STATUS"]) == ("0/1", "Running")


def test_binding_a_pod_by_hand(kubectl, api, core, a_node):
    thing = pod("byhand", schedulerName="nobody")
    api.create(f"{core}/pods", thing)
    target = {"apiVersion": "v1", "kind": "Node", "name": a_node}
    binding = {
        "apiVersion": "v1",
        "kind": "Binding",
        "metadata": {"name": "byhand"},
        "target": target,
    }
    answer = api.request("POST", f"{core}/pods/byhand/binding", binding)
    if answer.code == 409:  # The simulated scheduler of `--against kube` binds everything.
        return
    assert answer.code == 201
    kubectl("wait pod/byhand --for=condition=Ready --timeout=20s")
    assert api.get(f"{core}/pods/byhand")["spec"]["nodeName"] == a_node
    assert api.request("POST", f"{core}/pods/byhand/binding", binding).code == 409
