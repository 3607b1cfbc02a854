"""Protobuf and JSON have the same meaning, in both directions. Against a real kube-apiserver,
this shows that the numbers in the schema table are those of Kubernetes.
"""

import pytest
from support.api import JSON, PROTOBUF, revision
from support.objects import config_map, deployment, pod, policy
from support.our_kinds import serve_our_kinds
from support.protobuf import FrameWatch, Translator, as_new, without_nulls
from support.rich import STATUSES, everything

KINDS = list(everything("x"))
METADATA = ";as=PartialObjectMetadata;g=meta.k8s.io;v=v1"
METADATA_LIST = ";as=PartialObjectMetadataList;g=meta.k8s.io;v=v1"


@pytest.fixture(scope="module")
def protobuf():
    translator = Translator()
    yield translator
    translator.close()


def read(api, protobuf, path, accept=PROTOBUF, code=200, **query):
    answer = api.request("GET", path, accept=accept, **query)
    assert answer.code == code, answer.body
    assert answer.header("Content-Type") == PROTOBUF
    return protobuf.decode(answer.body)


def twins(api, protobuf, path):
    """The object in both formats at the same revision: its status may be changing."""
    while True:
        ours, twin = read(api, protobuf, path), without_nulls(api.get(path))
        if revision(ours) == revision(twin):
            return ours, twin


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_the_same_in_both(api, namespace, protobuf, kind):
    path, make = everything(namespace)[kind]
    first, second = f"{namespace}-1", f"{namespace}-2"
    try:
        made = api.create(path, make(first))
        ours, twin = twins(api, protobuf, f"{path}/{first}")
        assert ours == twin

        body = protobuf.encode(as_new(made, second))
        answer = api.request("POST", path, body, content_type=PROTOBUF, accept=PROTOBUF)
        assert answer.code == 201, answer.body
        ours, stored = twins(api, protobuf, f"{path}/{second}")
        assert ours == stored
        answered = protobuf.decode(answer.body)
        for field in set(made) - {"metadata", "status"}:
            assert answered[field] == stored[field] == without_nulls(made[field]), field
    finally:
        for name in (first, second):
            api.request("DELETE", f"{path}/{name}", gracePeriodSeconds=0)


@pytest.mark.parametrize("kind", list(STATUSES))
def test_every_status_is_the_same_in_both(api, namespace, protobuf, kind):
    path, make = everything(namespace)[kind]
    one = f"{path}/{namespace}"
    thing = make(namespace)
    if kind == "Service":
        thing["spec"] = {"type": "LoadBalancer", "ports": [{"port": 80}]}
    try:
        api.create(path, thing)
        api.patch(f"{one}/status", {"status": STATUSES[kind]})
        ours, twin = twins(api, protobuf, one)
        assert ours == twin
        # The node registrar of `ebb up` updates the status of nodes.
        for field in STATUSES[kind] if kind != "Node" else ["images", "volumesAttached"]:
            assert ours["status"][field] == STATUSES[kind][field], field

        ours["status"].pop("conditions", None)
        body = protobuf.encode({**ours, "metadata": {"name": namespace}})
        answer = api.request("PUT", f"{one}/status", body, content_type=PROTOBUF)
        assert answer.code == 200, answer.body
    finally:
        api.request("DELETE", one, gracePeriodSeconds=0)


def test_an_update_in_protobuf(api, core, protobuf):
    path = f"{core}/configmaps"
    made = api.create(path, config_map("x", {"a": "1"}))
    made["data"] = {"b": "2"}
    answer = api.request("PUT", f"{path}/x", protobuf.encode(made), content_type=PROTOBUF)
    assert answer.code == 200
    assert answer.json["data"] == {"b": "2"}
    again = api.request("PUT", f"{path}/x", protobuf.encode(made), content_type=PROTOBUF)
    assert again.code == 409


def test_unknown_fields_are_dropped_without_a_word(api, core, protobuf):
    body = protobuf.encode(config_map("x", {"a": "1"}))
    # Behind the message in its envelope a field of a later version, and one in the envelope.
    answer = api.request(
        "POST", f"{core}/configmaps", body + b"\xaa\x3e\x01z", content_type=PROTOBUF
    )
    assert answer.code == 201, answer.body
    assert answer.warnings == []


@pytest.mark.parametrize(
    "damage",
    [lambda b: b"", lambda b: b"{}", lambda b: b[:-3], lambda b: b[:4] + b"\xff" * 12],
    ids=["empty", "json", "cut", "nonsense"],
)
def test_nonsense_is_a_bad_request(api, core, protobuf, damage):
    body = damage(protobuf.encode(config_map("x", {"a": "1"})))
    answer = api.request("POST", f"{core}/configmaps", body, content_type=PROTOBUF)
    assert (answer.code, answer.json["reason"]) == (400, "BadRequest")


def test_another_kind_is_a_bad_request(api, core, protobuf):
    body = protobuf.encode(pod("x"))
    answer = api.request("POST", f"{core}/configmaps", body, content_type=PROTOBUF)
    assert answer.code == 400
    assert 'Pod in version "v1" cannot be handled as a ConfigMap' in answer.json["message"]


def test_errors_come_in_protobuf_too(api, core, protobuf):
    told = read(api, protobuf, f"{core}/configmaps/none", code=404)
    twin = api.request("GET", f"{core}/configmaps/none").json
    assert told == without_nulls(twin)
    refused = api.request(
        "POST",
        f"{core}/configmaps",
        config_map("NO", {}),
        accept=PROTOBUF,
    )
    assert refused.code == 422
    causes = protobuf.decode(refused.body)["details"]["causes"]
    assert [(c["reason"], c["field"]) for c in causes] == [("FieldValueInvalid", "metadata.name")]


def test_lists_page_by_page(api, core, protobuf):
    for name in ("a", "b", "c"):
        api.create(f"{core}/pods", pod(name, schedulerName="nobody"))
    page = read(api, protobuf, f"{core}/pods", limit=2)
    twin = api.get(f"{core}/pods", limit=2)
    assert page["kind"] == "PodList"
    assert page["items"] == without_nulls(twin)["items"]
    assert page["metadata"]["remainingItemCount"] == 1
    rest = read(api, protobuf, f"{core}/pods", **{"continue": page["metadata"]["continue"]})
    assert [p["metadata"]["name"] for p in rest["items"]] == ["c"]


def test_metadata_only(api, core, protobuf):
    api.create(f"{core}/configmaps", config_map("a", {"x": "1"}, {"l": "1"}))
    one = read(api, protobuf, f"{core}/configmaps/a", PROTOBUF + METADATA)
    assert one == without_nulls(api.get(f"{core}/configmaps/a", accept=JSON + METADATA))
    assert one["kind"] == "PartialObjectMetadata"
    selected = {"fieldSelector": "metadata.name=a"}
    many = read(api, protobuf, f"{core}/configmaps", PROTOBUF + METADATA_LIST, **selected)
    twin = api.get(f"{core}/configmaps", accept=JSON + METADATA_LIST, **selected)
    assert many == without_nulls(twin)


@pytest.mark.parametrize("as_metadata", [False, True], ids=["objects", "metadata"])
def test_watches(api, core, protobuf, as_metadata):
    accept = METADATA if as_metadata else ""
    path = f"{core}/secrets"
    start = api.get(path)["metadata"]["resourceVersion"]
    secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s"}}
    with FrameWatch(api, protobuf, path, PROTOBUF + accept, resourceVersion=start) as frames:
        assert frames.content_type == f"{PROTOBUF};stream=watch"
        with api.watch(path, accept=JSON + accept, resourceVersion=start) as lines:
            api.create(path, {**secret, "data": {"a": "MQ=="}})
            api.patch(f"{path}/s", {"data": {"a": "Mg=="}})
            api.delete(f"{path}/s")
            for kind in ("ADDED", "MODIFIED", "DELETED"):
                event = frames.next()
                assert event == without_nulls(lines.next())
                assert event["type"] == kind


def test_a_streaming_list_ends_with_a_bookmark(api, core, protobuf):
    api.create(f"{core}/configmaps", config_map("a", {}))
    with FrameWatch(
        api,
        protobuf,
        f"{core}/configmaps",
        sendInitialEvents="true",
        resourceVersionMatch="NotOlderThan",
        allowWatchBookmarks="true",
        fieldSelector="metadata.name=a",
    ) as frames:
        assert frames.next()["object"]["metadata"]["name"] == "a"
        mark = frames.next()
        assert mark["type"] == "BOOKMARK"
        assert mark["object"]["metadata"]["annotations"] == {"k8s.io/initial-events-end": "true"}


def test_scale_bind_evict_and_delete(api, core, apps, protobuf):
    api.create(f"{apps}/deployments", deployment("web", replicas=0))
    path = f"{apps}/deployments/web/scale"
    scale = read(api, protobuf, path)
    assert scale == without_nulls(api.get(path))
    scale["spec"] = {"replicas": 0}
    answer = api.request("PUT", path, protobuf.encode(scale), content_type=PROTOBUF)
    assert answer.code == 200

    for name in ("a", "b"):
        api.create(f"{core}/pods", pod(name, schedulerName="nobody"))
    node = api.get("/api/v1/nodes")["items"][0]["metadata"]["name"]
    binding = {
        "apiVersion": "v1",
        "kind": "Binding",
        "metadata": {"name": "a"},
        "target": {"kind": "Node", "name": node},
    }
    answer = api.request(
        "POST", f"{core}/pods/a/binding", protobuf.encode(binding), content_type=PROTOBUF
    )
    assert answer.code == 201, answer.body
    assert api.get(f"{core}/pods/a")["spec"]["nodeName"] == node
    eviction = {"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": "b"}}
    answer = api.request(
        "POST",
        f"{core}/pods/b/eviction",
        protobuf.encode(eviction),
        content_type=PROTOBUF,
        accept=PROTOBUF,
    )
    assert answer.code == 201
    assert protobuf.decode(answer.body)["status"] == "Success"

    options = {"apiVersion": "v1", "kind": "DeleteOptions", "preconditions": {"uid": "other"}}
    for uid, code in (("other", 409), (None, 200)):
        options["preconditions"] = {"uid": uid} if uid else {}
        answer = api.request(
            "DELETE",
            f"{apps}/deployments/web",
            protobuf.encode(options),
            content_type=PROTOBUF,
        )
        assert answer.code == code, answer.body


def test_tables_fall_through_to_json(api, core):
    table = ";as=Table;v=v1;g=meta.k8s.io"
    answer = api.request("GET", f"{core}/pods", accept=f"{PROTOBUF}{table},{JSON}{table}")
    assert answer.header("Content-Type") == JSON
    assert answer.json["kind"] == "Table"


def test_patches_are_never_protobuf(api, core, protobuf):
    made = api.create(f"{core}/configmaps", config_map("x", {}))
    answer = api.request(
        "PATCH", f"{core}/configmaps/x", protobuf.encode(made), content_type=PROTOBUF
    )
    assert answer.code == 415


@pytest.mark.ebb_only  # a real one panics
def test_custom_kinds_are_not_written_in_protobuf(api, namespace):
    path = f"/apis/ebb.dev/v1alpha1/namespaces/{namespace}/downscalepolicies"
    answer = api.request("POST", path, b"k8s\x00", content_type=PROTOBUF)
    assert (answer.code, answer.json["reason"]) == (415, "UnsupportedMediaType")


@pytest.fixture
def custom_path(cluster, namespace):
    serve_our_kinds(cluster)
    return f"/apis/ebb.dev/v1alpha1/namespaces/{namespace}/downscalepolicies"


def test_custom_kinds_have_metadata_in_protobuf_and_nothing_else(api, custom_path, protobuf):
    api.create(custom_path, policy("p"))
    assert api.request("GET", custom_path, accept=PROTOBUF).code == 406
    answer = api.request("GET", custom_path, accept=f"{PROTOBUF},{JSON}")
    assert answer.header("Content-Type") == JSON
    one = read(api, protobuf, f"{custom_path}/p", PROTOBUF + METADATA)
    assert one == without_nulls(api.get(f"{custom_path}/p", accept=JSON + METADATA))
    with FrameWatch(api, protobuf, custom_path, PROTOBUF + METADATA) as frames:
        assert frames.next()["object"] == one
    gone = protobuf.encode({"apiVersion": "v1", "kind": "DeleteOptions"})
    answer = api.request("DELETE", f"{custom_path}/p", gone, content_type=PROTOBUF)
    assert answer.code == 200
