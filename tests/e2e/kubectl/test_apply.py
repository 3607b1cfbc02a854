"""kubectl apply: create, change, leave unchanged, and merge with changes of other clients."""

import json

import pytest
import yaml
from support.objects import changed, config_map, deployment, manifest, pod, policy, replica_set


def test_apply_creates_then_leaves_unchanged_then_configures(kubectl):
    web = deployment("web", 2)
    assert kubectl.apply(web).out == "deployment.apps/web created\n"
    assert kubectl.apply(web).out == "deployment.apps/web unchanged\n"
    assert (
        kubectl.apply(changed(web, spec={"replicas": 3})).out == "deployment.apps/web configured\n"
    )
    assert kubectl.json("get", "deploy", "web")["spec"]["replicas"] == 3


def test_apply_unchanged_writes_nothing(kubectl):
    web = deployment("web", 1)
    kubectl.apply(web)
    before = kubectl.json("get", "deploy", "web")["metadata"]
    kubectl.apply(web)
    after = kubectl.json("get", "deploy", "web")["metadata"]
    assert (before["resourceVersion"], before["generation"]) == (
        after["resourceVersion"],
        after["generation"],
    )


@pytest.mark.parametrize(
    "thing",
    [replica_set("web", 1), pod("web"), config_map("web", {"a": "1"})],
    ids=lambda thing: thing["kind"],
)
def test_apply_twice_is_unchanged_for_every_kind(kubectl, thing):
    kubectl.apply(thing)
    assert kubectl.apply(thing).out.endswith("/web unchanged\n")


def test_apply_removes_fields_that_left_the_file(kubectl):
    web = deployment("web", 1)
    more = changed(web, metadata={"annotations": {"note": "x"}}, spec={"minReadySeconds": 5})
    kubectl.apply(more)
    kubectl.apply(web)
    stored = kubectl.json("get", "deploy", "web")
    assert "note" not in stored["metadata"]["annotations"]
    assert "minReadySeconds" not in stored["spec"]


def test_apply_removes_an_environment_variable_and_keeps_its_neighbour(kubectl):
    web = deployment("web", 0)
    container = web["spec"]["template"]["spec"]["containers"][0]
    container["env"] = [{"name": "A", "value": "1"}, {"name": "B", "value": "2"}]
    kubectl.apply(web)
    container["env"] = [{"name": "B", "value": "3"}]
    kubectl.apply(web)
    stored = kubectl.json("get", "deploy", "web")["spec"]["template"]["spec"]["containers"][0]
    assert stored["env"] == [{"name": "B", "value": "3"}]


def test_apply_keeps_what_others_set(kubectl):
    """Fields that the file never named belong to others: a scaled replica count, a label."""
    web = deployment("web", 2)
    del web["spec"]["replicas"]
    kubectl.apply(web)
    kubectl("scale", "deploy/web", "--replicas=7")
    kubectl("label", "deploy/web", "team=a")
    result = kubectl.apply(changed(web, spec={"minReadySeconds": 3}))
    assert result.out == "deployment.apps/web configured\n"
    stored = kubectl.json("get", "deploy", "web")
    assert stored["spec"]["replicas"] == 7
    assert stored["spec"]["minReadySeconds"] == 3
    assert stored["metadata"]["labels"] == {"app": "web", "team": "a"}


def test_apply_merges_containers_by_name(kubectl):
    """A sidecar that someone else injected stays when the file changes the main container."""
    web = deployment("web", 0)
    kubectl.apply(web)
    sidecar = {
        "spec": {
            "template": {
                "spec": {"containers": [{"name": "sidecar", "image": "registry.example/side:1"}]}
            }
        }
    }
    kubectl("patch", "deploy/web", "-p", json.dumps(sidecar))
    web["spec"]["template"]["spec"]["containers"][0]["image"] = "registry.example/web:2"
    kubectl.apply(web)
    containers = kubectl.json("get", "deploy", "web")["spec"]["template"]["spec"]["containers"]
    assert {c["name"]: c["image"] for c in containers} == {
        "main": "registry.example/web:2",
        "sidecar": "registry.example/side:1",
    }


def test_apply_takes_back_a_field_that_someone_else_changed(kubectl):
    web = deployment("web", 2)
    kubectl.apply(web)
    kubectl("scale", "deploy/web", "--replicas=9")
    kubectl.apply(web)
    assert kubectl.json("get", "deploy", "web")["spec"]["replicas"] == 2


def test_apply_warns_about_an_object_it_did_not_create(kubectl):
    kubectl.create(deployment("web", 1))
    result = kubectl.apply(deployment("web", 2))
    assert "missing the kubectl.kubernetes.io/last-applied-configuration annotation" in result.err
    assert kubectl.json("get", "deploy", "web")["spec"]["replicas"] == 2


def test_apply_several_documents_of_yaml(kubectl):
    documents = [deployment("web", 1), config_map("settings", {"a": "1"})]
    result = kubectl.apply(yaml.safe_dump_all(documents))
    assert result.lines == ["deployment.apps/web created", "configmap/settings created"]


def test_apply_prunes_what_left_the_set(kubectl):
    keep, drop = (config_map(name, labels={"set": "x"}) for name in ("keep", "drop"))
    options = ("-l", "set=x", "--prune", "--prune-allowlist=core/v1/ConfigMap")
    kubectl.apply(manifest(keep, drop), *options)
    result = kubectl.apply(manifest(keep), *options)
    assert "configmap/drop pruned" in result.lines
    assert kubectl("get configmap -o name -l set=x").out == "configmap/keep\n"


@pytest.mark.ebb_only
def test_apply_a_policy_uses_a_merge_patch(kubectl):
    ours = policy(
        "slow", podPicker={"http": {"host": "picker", "path": "/pick"}, "timeoutSeconds": 2}
    )
    assert kubectl.apply(ours).out == "downscalepolicy.ebb.dev/slow created\n"
    assert kubectl.apply(ours).out == "downscalepolicy.ebb.dev/slow unchanged\n"
    del ours["spec"]["podPicker"]["timeoutSeconds"]
    assert kubectl.apply(ours).out == "downscalepolicy.ebb.dev/slow configured\n"


@pytest.mark.ebb_only
def test_apply_adds_and_removes_a_picker_on_a_deployment(kubectl):
    web = deployment("web", 1)
    picker = {"http": {"scheme": "HTTPS", "host": "picker", "port": 443, "path": "/pick"}}
    kubectl.apply(changed(web, spec={"downscalePodPicker": picker}))
    stored = kubectl.json("get", "deploy", "web")["spec"]["downscalePodPicker"]
    assert stored["http"]["host"] == "picker"
    kubectl.apply(web)
    assert "downscalePodPicker" not in kubectl.json("get", "deploy", "web")["spec"]


def test_apply_dry_run_on_the_server_stores_nothing(kubectl):
    result = kubectl.apply(deployment("web", 1), "--dry-run=server")
    assert result.out == "deployment.apps/web created (server dry run)\n"
    kubectl.fails("get", "deploy", "web")
    kubectl.apply(deployment("web", 1))
    result = kubectl.apply(deployment("web", 2), "--dry-run=server")
    assert result.out == "deployment.apps/web configured (server dry run)\n"
    assert kubectl.json("get", "deploy", "web")["spec"]["replicas"] == 1


def test_diff_shows_what_apply_would_change(kubectl):
    kubectl.apply(deployment("web", 1))
    same = kubectl.run("diff", "-f", "-", stdin=manifest(deployment("web", 1)))
    assert (same.code, same.out) == (0, ""), str(same)
    other = kubectl.run("diff", "-f", "-", stdin=manifest(deployment("web", 4)))
    assert other.code == 1, str(other)
    assert "-  replicas: 1" in other.lines and "+  replicas: 4" in other.lines


def test_diff_of_something_new_shows_all_of_it(kubectl):
    result = kubectl.run("diff", "-f", "-", stdin=manifest(config_map("fresh", {"a": "1"})))
    assert result.code == 1, str(result)
    assert "+kind: ConfigMap" in result.lines
