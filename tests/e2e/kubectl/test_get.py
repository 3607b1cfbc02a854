"""kubectl get in all output formats."""

import json
import re

import pytest
import yaml
from support.objects import config_map, deployment, pod, policy, replica_set
from support.process import eventually


@pytest.fixture
def three(api, core, apps, ready_pods):
    """Three ready pods and two workloads without controllers."""
    for name, tier in (("alpha", "a"), ("beta", "b"), ("gamma", "a")):
        api.create(f"{core}/pods", pod(name, {"app": "web", "tier": tier}))
    api.create(f"{apps}/deployments", deployment("web", 3))
    api.create(f"{apps}/replicasets", replica_set("web-1", 3))
    ready_pods(3)


def headings(result):
    return re.split(r"\s{2,}", result.lines[0].strip())


def test_pods_as_a_table(kubectl, three):
    rows = kubectl("get", "pods").table()
    assert [row["NAME"] for row in rows] == ["alpha", "beta", "gamma"]
    assert list(rows[0]) == ["NAME", "READY", "STATUS", "RESTARTS", "AGE"]
    assert (rows[0]["READY"], rows[0]["STATUS"], rows[0]["RESTARTS"]) == ("1/1", "Running", "0")
    assert re.fullmatch(r"\d+s", rows[0]["AGE"])


def test_pods_wide(kubectl, three):
    row = kubectl("get pods -o wide").table()[0]
    assert list(row) == [
        "NAME",
        "READY",
        "STATUS",
        "RESTARTS",
        "AGE",
        "IP",
        "NODE",
        "NOMINATED NODE",
        "READINESS GATES",
    ]
    assert row["NODE"] and row["NODE"] != "<none>"
    assert re.fullmatch(r"[0-9.]+", row["IP"])
    assert (row["NOMINATED NODE"], row["READINESS GATES"]) == ("<none>", "<none>")


def test_deployments_as_tables(kubectl, three):
    row = kubectl("get", "deploy").table()[0]
    assert list(row) == ["NAME", "READY", "UP-TO-DATE", "AVAILABLE", "AGE"]
    assert (row["READY"], row["UP-TO-DATE"], row["AVAILABLE"]) == ("0/3", "0", "0")
    wide = kubectl("get deploy -o wide").table()[0]
    assert (wide["CONTAINERS"], wide["IMAGES"], wide["SELECTOR"]) == (
        "main",
        "registry.example/web:1",
        "app=web",
    )


def test_replica_sets_as_tables(kubectl, three):
    row = kubectl("get rs -o wide").table()[0]
    assert list(row) == [
        "NAME",
        "DESIRED",
        "CURRENT",
        "READY",
        "AGE",
        "CONTAINERS",
        "IMAGES",
        "SELECTOR",
    ]
    assert (row["DESIRED"], row["CURRENT"], row["READY"]) == ("3", "0", "0")


def test_nodes_as_tables(kubectl):
    result = kubectl("get nodes")
    assert headings(result) == ["NAME", "STATUS", "ROLES", "AGE", "VERSION"]
    assert len(result.table()) == 6
    assert {row["STATUS"] for row in result.table()} == {"Ready"}
    assert headings(kubectl("get nodes -o wide"))[5:] == [
        "INTERNAL-IP",
        "EXTERNAL-IP",
        "OS-IMAGE",
        "KERNEL-VERSION",
        "CONTAINER-RUNTIME",
    ]


def test_namespaces_as_a_table(kubectl, namespace):
    rows = kubectl("get", "ns", namespace).table()
    assert list(rows[0]) == ["NAME", "STATUS", "AGE"]
    assert rows[0]["STATUS"] == "Active"


def test_other_kinds_as_tables(kubectl, api, core, namespace):
    kubectl.create(config_map("settings", {"a": "1", "b": "2"}))
    assert kubectl("get", "cm", "settings").table()[0]["DATA"] == "2"
    secret = {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": "key"},
        "stringData": {"a": "b"},
    }
    kubectl.create(secret)
    row = kubectl("get", "secret", "key").table()[0]
    assert (row["TYPE"], row["DATA"]) == ("Opaque", "1")
    lease = {
        "apiVersion": "coordination.k8s.io/v1",
        "kind": "Lease",
        "metadata": {"name": "leader"},
        "spec": {"holderIdentity": "me", "leaseDurationSeconds": 15},
    }
    kubectl.create(lease)
    row = kubectl("get", "lease", "leader").table()[0]
    assert (list(row), row["HOLDER"]) == (["NAME", "HOLDER", "AGE"], "me")


def test_services_as_a_table(kubectl):
    service = {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": "web"},
        "spec": {"selector": {"app": "web"}, "ports": [{"port": 80, "targetPort": 8080}]},
    }
    kubectl.create(service)
    rows = kubectl("get", "svc", "web").table()
    assert rows[0]["NAME"] == "web"


@pytest.mark.ebb_only
def test_policies_as_a_table(kubectl):
    kubectl.create(policy("slow"))
    rows = kubectl("get", "downscalepolicies").table()
    assert rows[0]["NAME"] == "slow" and "AGE" in rows[0]


def test_no_resources_found(kubectl, namespace):
    result = kubectl("get", "pods")
    assert (result.out, result.err) == ("", f"No resources found in {namespace} namespace.\n")


def test_output_name(kubectl, three):
    assert kubectl("get pods -o name").lines == ["pod/alpha", "pod/beta", "pod/gamma"]
    assert kubectl("get deploy -o name").lines == ["deployment.apps/web"]


def test_output_json_and_yaml_say_the_same(kubectl, three):
    as_json = json.loads(kubectl("get deploy web -o json").out)
    as_yaml = yaml.safe_load(kubectl("get deploy web -o yaml").out)
    assert as_json["metadata"]["uid"] == as_yaml["metadata"]["uid"]
    assert as_json["spec"] == as_yaml["spec"]
    assert (as_json["apiVersion"], as_json["kind"]) == ("apps/v1", "Deployment")


def test_a_list_as_json_is_of_kind_list_with_typed_items(kubectl, three):
    listed = kubectl.json("get", "pods")
    assert (listed["kind"], listed["apiVersion"]) == ("List", "v1")
    assert [(i["kind"], i["metadata"]["name"]) for i in listed["items"]] == [
        ("Pod", "alpha"),
        ("Pod", "beta"),
        ("Pod", "gamma"),
    ]


def test_output_jsonpath(kubectl, three):
    result = kubectl("get", "pods", "-o", "jsonpath={.items[*].metadata.name}")
    assert result.out == "alpha beta gamma"
    result = kubectl(
        "get",
        "pods",
        "-o",
        'jsonpath={range .items[?(@.metadata.labels.tier=="a")]}{.metadata.name},{end}',
    )
    assert result.out == "alpha,gamma,"


def test_output_custom_columns(kubectl, three):
    result = kubectl(
        "get", "pods", "-o", "custom-columns=POD:.metadata.name,TIER:.metadata.labels.tier"
    )
    assert [line.split() for line in result.lines] == [
        ["POD", "TIER"],
        ["alpha", "a"],
        ["beta", "b"],
        ["gamma", "a"],
    ]


def test_output_go_template(kubectl, three):
    result = kubectl("get", "pods", "-o", "go-template={{range .items}}{{.metadata.name}} {{end}}")
    assert result.out == "alpha beta gamma "


def test_all_namespaces(kubectl, three, namespace):
    rows = kubectl("get pods -A").table()
    assert list(rows[0])[:2] == ["NAMESPACE", "NAME"]
    assert {row["NAME"] for row in rows if row["NAMESPACE"] == namespace} == {
        "alpha",
        "beta",
        "gamma",
    }


@pytest.mark.parametrize(
    ("selector", "names"),
    [
        ("tier=a", ["alpha", "gamma"]),
        ("tier==b", ["beta"]),
        ("tier!=a", ["beta"]),
        ("tier in (a,b),app=web", ["alpha", "beta", "gamma"]),
        ("tier notin (b)", ["alpha", "gamma"]),
        ("!tier", []),
        ("tier", ["alpha", "beta", "gamma"]),
        ("app=other", []),
    ],
)
def test_label_selectors(kubectl, api, core, selector, names):
    for name, tier in (("alpha", "a"), ("beta", "b"), ("gamma", "a")):
        api.create(f"{core}/configmaps", config_map(name, labels={"app": "web", "tier": tier}))
    found = kubectl("get", "cm", "-l", f"{selector}", "-o", "name").lines
    # Kubernetes keeps one configmap of its own in every namespace; ebb need not.
    assert [
        n.removeprefix("configmap/") for n in found if not n.endswith("kube-root-ca.crt")
    ] == names


def test_field_selectors(kubectl, three):
    assert kubectl("get pods --field-selector metadata.name=beta -o name").lines == ["pod/beta"]
    assert kubectl("get pods --field-selector metadata.name!=beta -o name").lines == [
        "pod/alpha",
        "pod/gamma",
    ]
    assert len(kubectl("get pods --field-selector status.phase=Running -o name").lines) == 3
    assert kubectl("get pods --field-selector status.phase=Pending -o name").lines == []
    where = kubectl.json("get", "pod", "alpha")["spec"]["nodeName"]
    assert "pod/alpha" in kubectl(f"get pods --field-selector spec.nodeName={where} -o name").lines


def test_an_unknown_field_selector_is_refused(kubectl):
    result = kubectl.fails("get pods --field-selector spec.color=red")
    assert "Error from server (BadRequest)" in result.err
    assert "field label not supported: spec.color" in result.err


def test_sort_by(kubectl, three):
    result = kubectl("get", "pods", "--sort-by={.metadata.labels.tier}", "-o", "name")
    assert result.lines[-1] == "pod/beta"
    rows = kubectl("get", "pods", "--sort-by=.metadata.creationTimestamp").table()
    assert len(rows) == 3


def test_show_labels_and_label_columns(kubectl, three):
    rows = kubectl("get pods --show-labels").table()
    # Since 1.35 a bound pod also gets the topology labels of its node.
    assert rows[0]["LABELS"].startswith("app=web,tier=a")
    rows = kubectl("get pods -L tier").table()
    assert [row["TIER"] for row in rows] == ["a", "b", "a"]


def test_get_all_shows_pods_and_workloads(kubectl, three):
    text = kubectl("get all").out
    for name in ("pod/alpha", "deployment.apps/web", "replicaset.apps/web-1"):
        assert name in text


def test_several_kinds_at_once(kubectl, three):
    names = kubectl("get deploy,rs -o name").lines
    assert names == ["deployment.apps/web", "replicaset.apps/web-1"]
    assert kubectl("get deploy/web pod/alpha -o name").lines == ["deployment.apps/web", "pod/alpha"]


def test_short_names_plurals_and_full_names(kubectl, three):
    for spelling in (
        "deploy",
        "deployment",
        "deployments",
        "deployments.apps",
        "deployments.v1.apps",
    ):
        assert kubectl("get", spelling, "-o", "name").lines == ["deployment.apps/web"]
    for spelling in ("po", "pod", "pods"):
        assert len(kubectl("get", spelling, "-o", "name").lines) == 3


def test_a_missing_object_is_not_found(kubectl):
    result = kubectl.fails("get", "pod", "ghost")
    assert result.err == 'Error from server (NotFound): pods "ghost" not found\n'
    assert kubectl("get pod ghost --ignore-not-found").out == ""
    result = kubectl.fails("get", "deploy", "ghost")
    assert result.err == 'Error from server (NotFound): deployments.apps "ghost" not found\n'


def test_an_unknown_resource_is_named(kubectl):
    result = kubectl.fails("get", "gadgets")
    assert 'error: the server doesn\'t have a resource type "gadgets"' in result.err


@pytest.mark.parametrize("size", [1, 2, 3, 500])
def test_lists_come_in_pieces(kubectl, api, core, size):
    for index in range(5):
        api.create(f"{core}/secrets", {"metadata": {"name": f"s{index}"}})
    names = kubectl(f"get secrets --chunk-size={size} -o name").lines
    assert names == [f"secret/s{index}" for index in range(5)]
    assert len(kubectl(f"get secrets --chunk-size={size}").table()) == 5


def test_raw_paths(kubectl):
    assert kubectl("get --raw /healthz").out == "ok"
    assert kubectl("get --raw /readyz").out == "ok"
    assert kubectl("get --raw /livez").out == "ok"


def test_a_terminating_pod_shows_as_terminating(kubectl, api, core, ready_pods):
    thing = pod("held")
    thing["metadata"]["finalizers"] = ["example.com/hold"]
    api.create(f"{core}/pods", thing)
    ready_pods(1)
    kubectl("delete pod held --wait=false")
    assert kubectl("get pod held").table()[0]["STATUS"] == "Terminating"
    api.patch(f"{core}/pods/held", {"metadata": {"finalizers": None}})
    eventually(lambda: api.request("GET", f"{core}/pods/held").code == 404)
