"""Lists: revisions, pages from one snapshot, and what is refused."""

import threading
import time

import pytest
from support.api import TABLE, revision
from support.objects import config_map, pod
from support.past import push_out_of_memory

FUTURE = 10**9


def fill(api, core, count, stem="s"):
    for index in range(count):
        api.create(
            f"{core}/secrets",
            {"metadata": {"name": f"{stem}{index:03}", "labels": {"odd": str(index % 2)}}},
        )


def names(listed):
    return [item["metadata"]["name"] for item in listed["items"]]


def pages(api, path, **query):
    """All pages of a list."""
    found = [api.get(path, **query)]
    while token := found[-1]["metadata"].get("continue"):
        found.append(
            api.get(
                path,
                **{k: v for k, v in query.items() if k != "resourceVersion"},
                **{"continue": token},
            )
        )
        assert len(found) < 1000
    return found


def test_a_list_says_what_it_is_a_list_of(api, core):
    """Its items need not say it again; Kubernetes leaves it out, ebb sends them as they are stored."""
    fill(api, core, 1)
    listed = api.get(f"{core}/secrets")
    assert (listed["kind"], listed["apiVersion"]) == ("SecretList", "v1")
    assert listed["items"][0].get("kind", "Secret") == "Secret"


def test_an_empty_list_has_empty_items_and_a_revision(api, core):
    listed = api.get(f"{core}/secrets")
    assert listed["items"] == []
    assert revision(listed) > 0


def test_items_are_ordered_by_namespace_and_name(api, core):
    for name in ("b", "a", "c"):
        api.create(f"{core}/secrets", {"metadata": {"name": name}})
    assert names(api.get(f"{core}/secrets")) == ["a", "b", "c"]
    everywhere = [
        (i["metadata"]["namespace"], i["metadata"]["name"])
        for i in api.get("/api/v1/secrets")["items"]
    ]
    assert everywhere == sorted(everywhere)


def test_the_revision_of_a_list_grows_with_every_write(api, core):
    first = revision(api.get(f"{core}/secrets"))
    written = revision(api.create(f"{core}/secrets", {"metadata": {"name": "x"}}))
    second = revision(api.get(f"{core}/secrets"))
    assert first < written <= second


@pytest.mark.parametrize("limit", [1, 3, 7, 20])
def test_pages_are_complete_and_from_one_snapshot(api, core, limit):
    fill(api, core, 7)
    found = pages(api, f"{core}/secrets", limit=limit)
    assert [n for page in found for n in names(page)] == [f"s{i:03}" for i in range(7)]
    assert len({revision(page) for page in found}) == 1
    assert all(len(page["items"]) <= limit for page in found)


def test_remaining_items_are_counted_without_selectors_only(api, core):
    fill(api, core, 5)
    assert api.get(f"{core}/secrets", limit=2)["metadata"]["remainingItemCount"] == 3
    assert (
        "remainingItemCount"
        not in api.get(f"{core}/secrets", limit=1, labelSelector="odd=0")["metadata"]
    )
    assert "remainingItemCount" not in api.get(f"{core}/secrets", limit=5)["metadata"]


def test_pages_with_a_selector(api, core):
    fill(api, core, 9)
    found = pages(api, f"{core}/secrets", limit=2, labelSelector="odd=1")
    assert [n for page in found for n in names(page)] == [f"s{i:03}" for i in range(1, 9, 2)]


def test_pages_do_not_see_writes_that_came_after_the_first(api, core):
    fill(api, core, 6)
    first = api.get(f"{core}/secrets", limit=2)
    api.delete(f"{core}/secrets/s004")
    api.create(f"{core}/secrets", {"metadata": {"name": "s0035"}})
    api.patch(f"{core}/secrets/s005", {"metadata": {"labels": {"odd": "changed"}}})
    rest = api.get(f"{core}/secrets", **{"continue": first["metadata"]["continue"]})
    assert names(rest) == ["s002", "s003", "s004", "s005"]
    assert rest["items"][-1]["metadata"]["labels"] == {"odd": "1"}
    assert revision(rest) == revision(first)
    assert names(api.get(f"{core}/secrets")) == ["s000", "s001", "s002", "s003", "s0035", "s005"]


def test_pages_stay_consistent_while_writers_go_on(api, core):
    """Two configmaps always change together, first a and then z: in one snapshot z is never
    ahead of a, and a at most one ahead of z."""
    for name in ("a", "m", "z"):
        api.create(f"{core}/configmaps", config_map(name, {"n": "0"}, {"pair": "yes"}))
    stop = threading.Event()

    def write():
        turn = 0
        while not stop.is_set():
            turn += 1
            for name in ("a", "z"):
                api.patch(f"{core}/configmaps/{name}", {"data": {"n": str(turn)}})

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for _ in range(100):
            found = pages(api, f"{core}/configmaps", limit=1, labelSelector="pair=yes")
            counts = {
                i["metadata"]["name"]: int(i["data"]["n"]) for page in found for i in page["items"]
            }
            assert 0 <= counts["a"] - counts["z"] <= 1
    finally:
        stop.set()
        writer.join()


def test_all_pages_over_all_namespaces(api, core):
    fill(api, core, 5)
    found = pages(api, "/api/v1/secrets", limit=3)
    everywhere = [
        (i["metadata"]["namespace"], i["metadata"]["name"]) for page in found for i in page["items"]
    ]
    assert len(everywhere) == len(set(everywhere)) and everywhere == sorted(everywhere)


def test_an_exact_revision_shows_the_past(api, core):
    fill(api, core, 3)
    past = revision(api.get(f"{core}/secrets"))
    api.delete(f"{core}/secrets/s001")
    listed = api.get(f"{core}/secrets", resourceVersion=past, resourceVersionMatch="Exact")
    assert names(listed) == ["s000", "s001", "s002"]
    assert revision(listed) == past


def test_a_revision_with_a_limit_is_exact(api, core):
    fill(api, core, 3)
    past = revision(api.get(f"{core}/secrets"))
    api.delete(f"{core}/secrets/s001")
    listed = api.get(f"{core}/secrets", resourceVersion=past, limit=10)
    assert (names(listed), revision(listed)) == (["s000", "s001", "s002"], past)


def test_not_older_than_is_the_default_for_a_revision(api, core):
    fill(api, core, 3)
    past = revision(api.get(f"{core}/secrets"))
    latest = revision(api.create(f"{core}/secrets", {"metadata": {"name": "late"}}))
    for match in (None, "NotOlderThan"):
        assert (
            revision(api.get(f"{core}/secrets", resourceVersion=past, resourceVersionMatch=match))
            >= past
        )
        listed = api.get(f"{core}/secrets", resourceVersion=latest, resourceVersionMatch=match)
        assert "late" in names(listed) and revision(listed) >= latest


def test_revision_zero_gives_any_state(api, core):
    fill(api, core, 1)
    assert revision(api.get(f"{core}/secrets", resourceVersion=0)) > 0
    assert (
        revision(api.get(f"{core}/secrets", resourceVersion=0, resourceVersionMatch="NotOlderThan"))
        > 0
    )


@pytest.mark.parametrize("query", [{}, {"resourceVersionMatch": "NotOlderThan"}])
def test_a_revision_that_has_not_come_times_out(api, core, query):
    started = time.monotonic()
    answer = api.request("GET", f"{core}/secrets", resourceVersion=FUTURE, **query)
    assert 2 < time.monotonic() - started < 10
    assert (answer.code, answer.json["reason"]) == (504, "Timeout")
    assert answer.json["message"].startswith(
        f"Timeout: Too large resource version: {FUTURE}, current: "
    )
    assert answer.json["details"]["causes"][0]["reason"] == "ResourceVersionTooLarge"
    assert answer.json["details"]["retryAfterSeconds"] == 1


def test_a_revision_that_comes_soon_is_waited_for(api, core):
    ahead = revision(api.get(f"{core}/secrets")) + 5
    found = []

    def read():
        found.append(api.request("GET", f"{core}/secrets", resourceVersion=ahead))

    reader = threading.Thread(target=read)
    reader.start()
    time.sleep(0.3)
    fill(api, core, 5)
    reader.join(10)
    assert found[0].code == 200
    assert revision(found[0].json) >= ahead


REFUSED = [
    ({"resourceVersion": "abc"}, 400, "Invalid value"),
    (
        {"resourceVersionMatch": "Exact"},
        422,
        "resourceVersionMatch is forbidden unless resourceVersion is provided",
    ),
    (
        {"resourceVersionMatch": "Exact", "resourceVersion": 0},
        422,
        'resourceVersionMatch "exact" is forbidden for resourceVersion "0"',
    ),
    (
        {"resourceVersionMatch": "Newest", "resourceVersion": 5},
        422,
        'resourceVersionMatch: Unsupported value: "Newest"',
    ),
    ({"continue": "not a token"}, 400, "continue key is not valid"),
    ({"limit": "many"}, 400, ""),
    ({"labelSelector": "a in b"}, 400, "unable to parse requirement"),
    ({"fieldSelector": "spec.colour=red"}, 400, "field label not supported: spec.colour"),
    (
        {"fieldSelector": "metadata.name"},
        400,
        "invalid selector: 'metadata.name'; can't understand 'metadata.name'",
    ),
    ({"sendInitialEvents": "true"}, 422, "sendInitialEvents is forbidden for list"),
]


@pytest.mark.parametrize(
    ("query", "code", "message"), REFUSED, ids=[str(list(q.items())[0]) for q, _, _ in REFUSED]
)
def test_what_makes_no_sense_is_refused(api, core, query, code, message):
    answer = api.request("GET", f"{core}/pods", **query)
    assert answer.code == code, answer.body
    assert message in answer.json["message"]


def test_a_continuation_does_not_go_with_a_revision(api, core):
    fill(api, core, 2)
    token = api.get(f"{core}/secrets", limit=1)["metadata"]["continue"]
    answer = api.request("GET", f"{core}/secrets", **{"continue": token, "resourceVersion": 5})
    assert answer.code == 400
    assert (
        answer.json["message"] == "specifying resource version is not allowed when using continue"
    )
    answer = api.request(
        "GET", f"{core}/secrets", **{"continue": token, "resourceVersionMatch": "Exact"}
    )
    assert answer.code == 422
    assert "resourceVersionMatch is forbidden when continue is provided" in answer.json["message"]


@pytest.mark.ebb_only
def test_a_continuation_expires(cluster, api, core):
    """The answer has a token to continue with, but no longer from the same snapshot."""
    for name in ("a", "b", "y", "z"):
        api.create(f"{core}/configmaps", config_map(name))
    token = api.get(f"{core}/configmaps", limit=2)["metadata"]["continue"]
    push_out_of_memory(cluster, core)
    answer = api.request("GET", f"{core}/configmaps", **{"continue": token})
    assert (answer.code, answer.json["reason"]) == (410, "Expired")
    fresh = answer.json["metadata"].get("continue")
    if fresh:
        assert names(api.get(f"{core}/configmaps", **{"continue": fresh})) == ["y", "z"]


@pytest.mark.ebb_only
def test_an_exact_revision_of_long_ago_is_expired(cluster, api, core):
    past = push_out_of_memory(cluster, core)
    answer = api.request(
        "GET", f"{core}/configmaps", resourceVersion=past, resourceVersionMatch="Exact"
    )
    assert (answer.code, answer.json["reason"]) == (410, "Expired")


def test_a_single_object_can_be_asked_for_with_a_revision(api, core):
    stored = api.create(f"{core}/secrets", {"metadata": {"name": "x"}})
    assert api.get(f"{core}/secrets/x", resourceVersion=revision(stored))["metadata"]["name"] == "x"
    assert api.get(f"{core}/secrets/x", resourceVersion=0)["metadata"]["name"] == "x"


def test_a_list_as_a_table(api, core):
    fill(api, core, 3)
    table = api.get(f"{core}/secrets", accept=TABLE, limit=2)
    assert (table["kind"], table["apiVersion"]) == ("Table", "meta.k8s.io/v1")
    assert [c["name"] for c in table["columnDefinitions"]] == ["Name", "Type", "Data", "Age"]
    assert [row["cells"][:3] for row in table["rows"]] == [
        ["s000", "Opaque", 0],
        ["s001", "Opaque", 0],
    ]
    row = table["rows"][0]["object"]
    assert (row["kind"], row["apiVersion"]) == ("PartialObjectMetadata", "meta.k8s.io/v1")
    assert table["metadata"]["continue"]
    bare = api.get(f"{core}/secrets", accept=TABLE, includeObject="None")
    assert bare["rows"][0].get("object") is None
    full = api.get(f"{core}/secrets", accept=TABLE, includeObject="Object")
    assert full["rows"][0]["object"]["kind"] == "Secret"


def test_a_list_of_metadata_alone(api, core):
    api.create(f"{core}/pods", pod("web", {"a": "b"}))
    accept = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1"
    listed = api.get(f"{core}/pods", accept=accept)
    assert listed["kind"] == "PartialObjectMetadataList"
    assert "spec" not in listed["items"][0]
    assert (
        listed["items"][0]["metadata"]["labels"] == {"a": "b"}
        or "a" in listed["items"][0]["metadata"]["labels"]
    )
    one = api.get(
        f"{core}/pods/web", accept="application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1"
    )
    assert one["kind"] == "PartialObjectMetadata" and "spec" not in one


def test_what_cannot_be_served_is_not_acceptable(api, core):
    answer = api.request("GET", f"{core}/pods", accept="application/x-nothing")
    assert answer.code == 406
