"""Discovery: versions, groups, resources, schemas."""

import gzip
import json

import pytest

KINDS = {
    "pods": ("v1", True, "Pod"),
    "nodes": ("v1", False, "Node"),
    "namespaces": ("v1", False, "Namespace"),
    "secrets": ("v1", True, "Secret"),
    "events": ("v1", True, "Event"),
    "configmaps": ("v1", True, "ConfigMap"),
    "services": ("v1", True, "Service"),
    "serviceaccounts": ("v1", True, "ServiceAccount"),
    "replicasets": ("apps/v1", True, "ReplicaSet"),
    "deployments": ("apps/v1", True, "Deployment"),
    "leases": ("coordination.k8s.io/v1", True, "Lease"),
}
OURS = {
    "downscaledecisions": ("ebb.dev/v1alpha1", True, "DownscaleDecision"),
    "downscalepolicies": ("ebb.dev/v1alpha1", True, "DownscalePolicy"),
    "podgroupcosts": ("ebb.dev/v1alpha1", True, "PodGroupCost"),
}
VERBS = {"create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"}


def resources(kubectl):
    found = {}
    for row in kubectl("api-resources", "-o", "wide").table():
        found[(row["NAME"], row["APIVERSION"])] = row
    return found


def test_api_resources(kubectl):
    found = resources(kubectl)
    for name, (version, namespaced, kind) in KINDS.items():
        row = found[(name, version)]
        assert (row["NAMESPACED"], row["KIND"]) == (str(namespaced).lower(), kind)
        assert VERBS <= set(row["VERBS"].split(",")) | (
            {"deletecollection"} if name == "namespaces" else set()
        ), name


@pytest.mark.ebb_only
def test_api_resources_of_ebb(kubectl):
    found = resources(kubectl)
    for name, (version, namespaced, kind) in OURS.items():
        row = found[(name, version)]
        assert (row["NAMESPACED"], row["KIND"]) == (str(namespaced).lower(), kind)


def test_short_names(kubectl):
    found = resources(kubectl)
    for name, short in (
        ("pods", "po"),
        ("nodes", "no"),
        ("namespaces", "ns"),
        ("events", "ev"),
        ("configmaps", "cm"),
        ("services", "svc"),
        ("serviceaccounts", "sa"),
    ):
        assert found[(name, "v1")]["SHORTNAMES"] == short
    assert found[("replicasets", "apps/v1")]["SHORTNAMES"] == "rs"
    assert found[("deployments", "apps/v1")]["SHORTNAMES"] == "deploy"


def test_api_versions(kubectl):
    versions = kubectl("api-versions").lines
    assert {"v1", "apps/v1", "coordination.k8s.io/v1", "policy/v1"} <= set(versions)


def test_all_columns(kubectl):
    """Everything that is said of a kind, in each of the columns."""
    found = resources(kubectl)
    usual = "create,delete,deletecollection,get,list,patch,update,watch"
    for name, (version, *_) in KINDS.items():
        row = found[(name, version)]
        one_by_one = name == "namespaces"
        assert row["VERBS"] == (usual.replace("deletecollection,", "") if one_by_one else usual)
        in_all = name in {"pods", "services", "replicasets", "deployments"}
        assert row["CATEGORIES"] == ("all" if in_all else "")
    reviews = found[("selfsubjectaccessreviews", "authorization.k8s.io/v1")]
    assert (reviews["VERBS"], reviews["NAMESPACED"]) == ("create", "false")


def names(kubectl, *flags):
    return set(kubectl("api-resources", "-o", "name", *flags).lines)


def test_resources_are_chosen_by_scope_verb_and_category(kubectl):
    everything = names(kubectl)
    cluster = names(kubectl, "--namespaced=false")
    within = names(kubectl, "--namespaced=true")
    assert {"nodes", "namespaces"} <= cluster and {"pods", "deployments.apps"} <= within
    assert cluster | within == everything and not cluster & within
    listed = names(kubectl, "--verbs=list,get")
    assert {"pods", "nodes", "leases.coordination.k8s.io"} <= listed
    assert "selfsubjectreviews.authentication.k8s.io" in names(kubectl, "--verbs=create") - listed
    in_all = names(kubectl, "--categories=all")
    served = {"pods", "services", "deployments.apps", "replicasets.apps"}
    assert in_all & (served | {"secrets", "configmaps", "nodes"}) == served
    assert {"deployments.apps", "replicasets.apps"} <= names(kubectl, "--api-group=apps")
    assert "pods" not in names(kubectl, "--api-group=apps")


def test_resources_are_sorted(kubectl):
    by_name = kubectl("api-resources", "--sort-by=name", "--no-headers").lines
    assert [line.split()[0] for line in by_name] == sorted(line.split()[0] for line in by_name)
    kinds = [row["KIND"] for row in kubectl("api-resources", "--sort-by=kind").table()]
    assert kinds == sorted(kinds)


@pytest.mark.ebb_only
def test_api_versions_of_ebb(kubectl):
    assert kubectl("api-versions").lines == [
        "admissionregistration.k8s.io/v1",
        "apps/v1",
        "authentication.k8s.io/v1",
        "authorization.k8s.io/v1",
        "coordination.k8s.io/v1",
        "ebb.dev/v1alpha1",
        "policy/v1",
        "v1",
    ]


def test_version(kubectl):
    answer = kubectl.json("version")
    assert answer["serverVersion"]["major"] == "1"
    assert answer["serverVersion"]["gitVersion"].startswith("v1.")
    assert "WARNING: version difference" not in kubectl("version").err or kubectl.version < 36


def test_cluster_info(kubectl, cluster):
    assert f"https://127.0.0.1:{cluster.api.access.port}" in kubectl("cluster-info").out


@pytest.mark.parametrize(
    "path", ["/api", "/apis", "/api/v1", "/apis/apps/v1", "/apis/apps", "/version", "/openapi/v3"]
)
def test_documents_are_json(kubectl, path):
    assert isinstance(json.loads(kubectl("get", "--raw", path).out), dict)


def test_group_document_names_its_versions(api):
    group = api.get("/apis/apps")
    assert (group["kind"], group["name"]) == ("APIGroup", "apps")
    assert group["preferredVersion"] == {"groupVersion": "apps/v1", "version": "v1"}


def test_subresources_are_listed(api):
    names = {r["name"] for r in api.get("/apis/apps/v1")["resources"]}
    assert {
        "deployments/status",
        "deployments/scale",
        "replicasets/status",
        "replicasets/scale",
    } <= names
    names = {r["name"] for r in api.get("/api/v1")["resources"]}
    assert {
        "pods/status",
        "pods/eviction",
        "pods/binding",
        "nodes/status",
        "namespaces/status",
        "namespaces/finalize",
    } <= names


@pytest.mark.parametrize(
    "path",
    [
        "/apis/batch/v1/namespaces/default/cronjobs1",
        "/apis/nothing.example/v1",
        "/api/v2",
        "/nowhere",
    ],
)
def test_an_unknown_path_is_not_found(api, path):
    answer = api.request("GET", path)
    assert answer.code == 404


@pytest.mark.parametrize("path", ["/api/v1/gadgets", "/apis/apps/v1/namespaces/default/gadgets"])
def test_an_unknown_resource_is_a_status(api, path):
    answer = api.request("GET", path)
    assert answer.code == 404
    if answer.body.startswith(b"404"):
        pytest.skip("Kubernetes answers in plain text here")
    status = answer.json
    assert (status["kind"], status["status"], status["reason"], status["code"]) == (
        "Status",
        "Failure",
        "NotFound",
        404,
    )
    assert status["message"] == "the server could not find the requested resource"


def test_a_wrong_token_is_refused(api, core):
    answer = api.request("GET", f"{core}/pods", token="wrong")
    assert (answer.code, answer.json["reason"], answer.json["message"]) == (
        401,
        "Unauthorized",
        "Unauthorized",
    )


def test_kubectl_reports_a_wrong_token(kubectl):
    result = kubectl.fails("get", "pods", "--token=wrong")
    assert "You must be logged in to the server (Unauthorized)" in result.err


def test_the_certificate_is_checked(kubectl, cluster, tmp_path):
    config = cluster.kubeconfig.read_text()
    kept = [line for line in config.splitlines() if "certificate-authority" not in line]
    if cluster.real or len(kept) == len(config.splitlines()):
        pytest.skip("this kubeconfig is not written line by line")
    bare = tmp_path / "kubeconfig"
    bare.write_text("\n".join(kept))
    result = kubectl.fails("get", "pods", f"--kubeconfig={bare}")
    assert "x509" in result.err or "certificate" in result.err


AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"


@pytest.mark.parametrize("path", ["/api", "/apis"])
def test_everything_in_one_document(api, path):
    """As clients ask first since 1.26: what it says is what the single documents say."""
    response = api.request("GET", path, accept=f"{AGGREGATED},application/json")
    assert response.code == 200
    assert response.header("Content-Type").replace(" ", "") == AGGREGATED
    groups = {item["metadata"].get("name", ""): item for item in response.json["items"]}
    names = [""] if path == "/api" else [g["name"] for g in api.get("/apis")["groups"]]
    assert sorted(groups) == sorted(names)
    for name in set(names) & {"", "apps", "coordination.k8s.io", "ebb.dev"}:
        for version in groups[name]["versions"]:
            single = api.get(f"{path}/{name + '/' if name else ''}{version['version']}")
            plain = {r["name"]: r for r in single["resources"]}
            together = set()
            for resource in version["resources"]:
                together.add(resource["resource"])
                entry = plain[resource["resource"]]
                assert resource["verbs"] == entry["verbs"]
                assert resource["responseKind"]["kind"] == entry["kind"]
                assert (resource["scope"] == "Namespaced") == entry["namespaced"]
                for below in resource.get("subresources", []):
                    together.add(f"{resource['resource']}/{below['subresource']}")
            assert together == set(plain)


def test_one_may_ask_what_one_may_do(kubectl):
    assert kubectl("auth", "can-i", "delete", "pods").out.strip() == "yes"
    assert kubectl("auth", "can-i", "get", "/healthz").out.strip() == "yes"
    assert "*" in kubectl("auth", "can-i", "--list").out
    assert "system:masters" in kubectl("auth", "whoami").out


@pytest.mark.parametrize("what", ["pods", "nodes"])
def test_metrics_are_refused_politely(kubectl, what):
    refused = kubectl.fails("top", what)
    assert "Metrics API not available" in refused.err


def packed(api, path):
    """The answer for a client that accepts gzip, as every Go program does."""
    connection = api.connect()
    headers = {**api.headers(None, "application/json", None), "Accept-Encoding": "gzip"}
    connection.request("GET", path, headers=headers)
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer.getheader("Content-Encoding"), body


def test_large_answers_are_packed(api, core):
    body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "large"}}
    api.create(f"{core}/configmaps", {**body, "data": {"text": "all the same " * 20_000}})
    encoding, answer = packed(api, f"{core}/configmaps/large")
    assert encoding == "gzip"
    unpacked = gzip.decompress(answer)
    assert len(unpacked) > 10 * len(answer)
    assert json.loads(unpacked) == api.get(f"{core}/configmaps/large")
    assert packed(api, "/api/v1/namespaces/default")[0] is None
