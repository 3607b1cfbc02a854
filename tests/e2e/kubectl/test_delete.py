"""kubectl delete: grace periods, finalizers, cascades, collections, namespaces.

The ReplicaSets here have no controller, so only the garbage collector acts on their pods.
"""

import pytest
from support.objects import config_map, deployment, manifest, owner_reference, pod, replica_set
from support.process import eventually


@pytest.fixture
def family(api, core, apps, ready_pods):
    """A ReplicaSet and two pods that it owns."""
    owner = api.create(f"{apps}/replicasets", replica_set("web"))
    for name in ("one", "two"):
        api.create(f"{core}/pods", pod(name, {"app": "other"}, owner=owner))
    ready_pods(2)
    return owner


def gone(api, path):
    return eventually(lambda: api.request("GET", path).code == 404, timeout=20)


def test_delete_waits_until_the_pod_is_gone(kubectl, ready_pods):
    kubectl.create(pod("web"))
    ready_pods(1)
    result = kubectl("delete", "pod", "web")
    assert result.lines[0].startswith('pod "web" deleted')
    kubectl.fails("get", "pod", "web")


def test_delete_now_and_by_force(kubectl, ready_pods):
    for name in ("one", "two"):
        kubectl.create(pod(name))
    ready_pods(2)
    kubectl("delete pod one --now")
    result = kubectl("delete pod two --force --grace-period=0")
    assert "Immediate deletion does not wait for confirmation" in result.err
    kubectl.fails("get pod two")


def test_delete_from_a_file(kubectl):
    kubectl.create(manifest(config_map("one"), config_map("two")))
    result = kubectl("delete", "-f", "-", stdin=manifest(config_map("one"), config_map("two")))
    assert [line.split(" deleted")[0] for line in result.lines] == [
        'configmap "one"',
        'configmap "two"',
    ]


def test_delete_of_nothing_is_not_found(kubectl):
    assert 'pods "ghost" not found' in kubectl.fails("delete pod ghost").err
    kubectl("delete pod ghost --ignore-not-found")


def test_delete_by_label(kubectl):
    for name, app in (("one", "a"), ("two", "a"), ("three", "b")):
        kubectl.create(config_map(name, labels={"app": app}))
    kubectl("delete cm -l app=a")
    assert kubectl("get cm -l app -o name").lines == ["configmap/three"]


def test_delete_all(kubectl, ready_pods):
    for name in ("one", "two", "three"):
        kubectl.create(pod(name))
    ready_pods(3)
    kubectl("delete pods --all")
    assert kubectl("get pods -o name").lines == []


def test_delete_dry_run_deletes_nothing(kubectl):
    kubectl.create(config_map("x"))
    assert "(server dry run)" in kubectl("delete cm x --dry-run=server").out
    kubectl("get cm x")


def test_background_deletes_the_owner_first_and_then_its_pods(kubectl, api, core, family):
    kubectl("delete rs web --cascade=background")
    gone(api, f"{core}/pods/one")
    gone(api, f"{core}/pods/two")


def test_background_is_the_default(kubectl, api, core, family):
    kubectl("delete rs web")
    gone(api, f"{core}/pods/one")
    gone(api, f"{core}/pods/two")


def test_foreground_deletes_the_pods_before_the_owner(kubectl, api, core, apps, family):
    hold = {"metadata": {"finalizers": ["example.com/hold"]}}
    api.patch(f"{core}/pods/one", hold)
    kubectl("delete rs web --cascade=foreground --wait=false")
    gone(api, f"{core}/pods/two")
    owner = api.get(f"{apps}/replicasets/web")
    assert owner["metadata"]["finalizers"] == ["foregroundDeletion"]
    assert "deletionTimestamp" in owner["metadata"]
    api.patch(f"{core}/pods/one", {"metadata": {"finalizers": None}})
    gone(api, f"{core}/pods/one")
    gone(api, f"{apps}/replicasets/web")


def test_foreground_does_not_wait_for_pods_that_do_not_block(kubectl, api, core, apps):
    owner = api.create(f"{apps}/replicasets", replica_set("web"))
    loose = pod("loose")
    loose["metadata"]["ownerReferences"] = [owner_reference(owner, block=False)]
    loose["metadata"]["finalizers"] = ["example.com/hold"]
    api.create(f"{core}/pods", loose)
    kubectl("delete rs web --cascade=foreground")
    assert (
        "deletionTimestamp"
        in eventually(lambda: terminating(api, f"{core}/pods/loose"))["metadata"]
    )
    api.patch(f"{core}/pods/loose", {"metadata": {"finalizers": None}})


def terminating(api, path):
    thing = api.get(path)
    return thing if "deletionTimestamp" in thing["metadata"] else None


def test_orphan_leaves_the_pods_without_an_owner(kubectl, api, core, apps, family):
    kubectl("delete rs web --cascade=orphan")
    gone(api, f"{apps}/replicasets/web")
    for name in ("one", "two"):
        thing = api.get(f"{core}/pods/{name}")
        assert "ownerReferences" not in thing["metadata"]
        assert "deletionTimestamp" not in thing["metadata"]


def test_a_chain_of_owners_goes_altogether(kubectl, api, core, apps, ready_pods):
    top = api.create(f"{apps}/deployments", deployment("top"))
    middle = replica_set("middle")
    middle["metadata"]["ownerReferences"] = [owner_reference(top)]
    middle = api.create(f"{apps}/replicasets", middle)
    api.create(f"{core}/pods", pod("bottom", owner=middle))
    ready_pods(1)
    kubectl("delete deploy top")
    gone(api, f"{apps}/replicasets/middle")
    gone(api, f"{core}/pods/bottom")


def test_a_pod_with_another_living_owner_stays(kubectl, api, core, apps, family, ready_pods):
    other = api.create(f"{apps}/replicasets", replica_set("other"))
    shared = pod("shared")
    shared["metadata"]["ownerReferences"] = [
        owner_reference(family),
        owner_reference(other, controller=False),
    ]
    api.create(f"{core}/pods", shared)
    kubectl("delete rs web")
    gone(api, f"{core}/pods/one")
    references = eventually(lambda: one_owner(api, f"{core}/pods/shared"))
    assert references[0]["name"] == "other"


def one_owner(api, path):
    references = api.get(path)["metadata"].get("ownerReferences", [])
    return references if len(references) == 1 else None


def test_a_pod_whose_owner_never_existed_is_collected(kubectl, api, core, apps, family):
    ghost = {
        **family,
        "metadata": {
            **family["metadata"],
            "name": "ghost",
            "uid": "99999999-8888-7777-6666-555555555555",
        },
    }
    api.create(f"{core}/pods", pod("stray", owner=ghost))
    gone(api, f"{core}/pods/stray")


def test_a_finalizer_holds_a_deletion(kubectl, api, core):
    thing = config_map("held")
    thing["metadata"]["finalizers"] = ["example.com/hold"]
    api.create(f"{core}/configmaps", thing)
    kubectl("delete cm held --wait=false")
    held = api.get(f"{core}/configmaps/held")["metadata"]
    assert held["deletionGracePeriodSeconds"] == 0 and "deletionTimestamp" in held
    kubectl("patch", "cm/held", "--type=merge", "-p", '{"metadata":{"finalizers":null}}')
    gone(api, f"{core}/configmaps/held")


def test_no_finalizer_can_be_added_to_what_is_going(api, core):
    thing = config_map("held")
    thing["metadata"]["finalizers"] = ["example.com/hold"]
    api.create(f"{core}/configmaps", thing)
    api.delete(f"{core}/configmaps/held")
    more = {"metadata": {"finalizers": ["example.com/hold", "example.com/more"]}}
    answer = api.request(
        "PATCH", f"{core}/configmaps/held", more, content_type="application/merge-patch+json"
    )
    assert answer.code == 422
    assert (
        "metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted"
        in answer.json["message"]
    )
    api.patch(f"{core}/configmaps/held", {"metadata": {"finalizers": None}})


def test_deleting_a_namespace_deletes_what_is_in_it(kubectl, api, core, namespace, ready_pods):
    kubectl.create(manifest(config_map("x"), deployment("web"), pod("one")))
    ready_pods(1)
    kubectl("delete", "ns", namespace, timeout=60)
    kubectl.fails("get", "ns", namespace)
    assert api.request("GET", f"{core}/configmaps/x").code == 404
    assert api.request("GET", f"{core}/pods/one").code == 404


def test_nothing_is_created_in_a_namespace_that_goes(kubectl, api, core, namespace):
    held = config_map("held")
    held["metadata"]["finalizers"] = ["example.com/hold"]
    api.create(f"{core}/configmaps", held)
    kubectl("delete", "ns", namespace, "--wait=false")
    assert api.get(f"/api/v1/namespaces/{namespace}")["status"]["phase"] == "Terminating"
    answer = api.request("POST", f"{core}/configmaps", config_map("late"))
    assert (answer.code, answer.json["reason"]) == (403, "Forbidden")
    assert answer.json["message"] == (
        f'configmaps "late" is forbidden: unable to create new content in namespace {namespace} '
        "because it is being terminated"
    )
    assert answer.json["details"]["causes"][0]["reason"] == "NamespaceTerminating"
    result = kubectl.fails("create", "-f", "-", stdin=manifest(config_map("late")))
    assert "because it is being terminated" in result.err
    api.patch(f"{core}/configmaps/held", {"metadata": {"finalizers": None}})
    gone(api, f"/api/v1/namespaces/{namespace}")


@pytest.mark.parametrize("name", ["default", "kube-system"])
def test_the_cluster_own_namespaces_cannot_be_deleted(kubectl, name):
    result = kubectl.fails("delete", "ns", name)
    assert "is forbidden: this namespace may not be deleted" in result.err


def test_preconditions(api, core):
    stored = api.create(f"{core}/configmaps", config_map("x"))
    wrong = {"preconditions": {"uid": "99999999-8888-7777-6666-555555555555"}}
    answer = api.request("DELETE", f"{core}/configmaps/x", wrong)
    assert (answer.code, answer.json["reason"]) == (409, "Conflict")
    assert (
        "the UID in the precondition (99999999-8888-7777-6666-555555555555) does not match"
        in answer.json["message"]
    )
    stale = {"preconditions": {"resourceVersion": "1"}}
    assert api.request("DELETE", f"{core}/configmaps/x", stale).code == 409
    right = {
        "preconditions": {
            "uid": stored["metadata"]["uid"],
            "resourceVersion": stored["metadata"]["resourceVersion"],
        }
    }
    answer = api.delete(f"{core}/configmaps/x", right)
    assert (answer["kind"], answer["status"]) == ("Status", "Success")
    assert answer["details"] == {
        "name": "x",
        "kind": "configmaps",
        "uid": stored["metadata"]["uid"],
    }


def test_a_graceful_deletion_marks_the_pod_first(api, core, ready_pods):
    thing = pod("web", terminationGracePeriodSeconds=7)
    thing["metadata"]["finalizers"] = ["example.com/hold"]
    api.create(f"{core}/pods", thing)
    before = ready_pods(1)[0]
    answer = api.request("DELETE", f"{core}/pods/web")
    assert answer.code == 200
    marked = answer.json
    assert marked["kind"] == "Pod"
    assert marked["metadata"]["deletionGracePeriodSeconds"] == 7
    assert marked["metadata"]["generation"] == before["metadata"]["generation"] + 1
    api.patch(f"{core}/pods/web", {"metadata": {"finalizers": None}})
    gone(api, f"{core}/pods/web")


def test_deletecollection_by_selector(api, core):
    for name, app in (("one", "a"), ("two", "a"), ("three", "b")):
        api.create(f"{core}/secrets", {"metadata": {"name": name, "labels": {"app": app}}})
    answer = api.delete(f"{core}/secrets", labelSelector="app=a")
    assert answer["kind"] == "SecretList"
    assert [i["metadata"]["name"] for i in api.get(f"{core}/secrets")["items"]] == ["three"]
