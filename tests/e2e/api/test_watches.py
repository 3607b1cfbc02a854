"""Watches: their events, the order of events, where they start, and how they end."""

import time

import pytest
from support.api import TABLE, revision
from support.objects import config_map, pod
from support.past import push_out_of_memory


@pytest.fixture
def maps(core):
    return f"{core}/configmaps"


def current(api, path):
    return api.get(path)["metadata"]["resourceVersion"]


def brief(event):
    return event["type"], event["object"]["metadata"]["name"]


def ours(name, n="0", **labels):
    return config_map(name, {"n": n}, {"mine": "yes", **labels})


def test_a_life_in_events(api, maps):
    with api.watch(maps, resourceVersion=current(api, maps)) as watch:
        created = api.create(maps, ours("x"))
        changed = api.patch(f"{maps}/x", {"data": {"n": "1"}})
        api.delete(f"{maps}/x")
        events = watch.take(3)
    assert [brief(e) for e in events] == [("ADDED", "x"), ("MODIFIED", "x"), ("DELETED", "x")]
    assert [revision(e["object"]) for e in events[:2]] == [revision(created), revision(changed)]
    # The last state, at the revision of the deletion.
    assert events[2]["object"]["data"] == {"n": "1"}
    assert revision(events[2]["object"]) > revision(changed)
    assert events[0]["object"]["kind"] == "ConfigMap" and events[0]["object"]["apiVersion"] == "v1"


def test_a_watch_from_a_revision_sees_all_that_followed(api, maps):
    start = current(api, maps)
    for name in ("a", "b", "c"):
        api.create(maps, ours(name))
    with api.watch(maps, resourceVersion=start) as watch:
        assert [brief(e) for e in watch.take(3)] == [("ADDED", "a"), ("ADDED", "b"), ("ADDED", "c")]
        assert watch.quiet()


def test_a_watch_resumes_after_the_last_event_it_saw(api, maps):
    start = current(api, maps)
    for name in ("a", "b", "c"):
        api.create(maps, ours(name))
    with api.watch(maps, resourceVersion=start) as watch:
        last = watch.take(2)[-1]
    with api.watch(maps, resourceVersion=revision(last["object"])) as watch:
        assert brief(watch.next()) == ("ADDED", "c")
        assert watch.quiet()


@pytest.mark.parametrize("start", [None, 0])
def test_a_watch_without_a_revision_starts_with_what_is_there(api, maps, start):
    for name in ("a", "b"):
        api.create(maps, ours(name))
    with api.watch(maps, resourceVersion=start, labelSelector="mine=yes") as watch:
        assert sorted(brief(e) for e in watch.take(2)) == [("ADDED", "a"), ("ADDED", "b")]
        api.create(maps, ours("c"))
        assert brief(watch.next()) == ("ADDED", "c")


def test_entering_and_leaving_a_selection(api, maps):
    with api.watch(maps, resourceVersion=current(api, maps), labelSelector="colour=red") as watch:
        api.create(maps, ours("x", colour="blue"))
        api.patch(f"{maps}/x", {"metadata": {"labels": {"colour": "red"}}})
        api.patch(f"{maps}/x", {"data": {"n": "1"}})
        left = api.patch(f"{maps}/x", {"metadata": {"labels": {"colour": "blue"}}})
        api.patch(f"{maps}/x", {"data": {"n": "2"}})
        api.delete(f"{maps}/x")
        events = watch.take(3)
        assert [brief(e) for e in events] == [("ADDED", "x"), ("MODIFIED", "x"), ("DELETED", "x")]
        assert revision(events[2]["object"]) == revision(left)
        # An object that leaves the selection is shown in its last selected state.
        assert events[2]["object"]["metadata"]["labels"]["colour"] == "red"
        assert watch.quiet()


def test_a_field_selector_picks_one_object(api, maps):
    with api.watch(
        maps, resourceVersion=current(api, maps), fieldSelector="metadata.name=x"
    ) as watch:
        api.create(maps, ours("y"))
        api.create(maps, ours("x"))
        assert brief(watch.next()) == ("ADDED", "x")
        assert watch.quiet()


def test_a_field_selector_on_something_that_changes(api, core):
    path = f"{core}/pods"
    with api.watch(
        path, resourceVersion=current(api, path), fieldSelector="status.phase=Running"
    ) as watch:
        api.create(path, pod("web"))
        event = watch.next(20)
        assert brief(event) == ("ADDED", "web")
        assert event["object"]["status"]["phase"] == "Running"


def test_a_watch_over_all_namespaces(api, maps, namespace):
    with api.watch("/api/v1/configmaps", resourceVersion=current(api, maps)) as watch:
        api.create(maps, ours("x"))
        event = watch.until(
            lambda e: (
                e["object"]["metadata"]["namespace"] == namespace
                and e["object"]["metadata"]["name"] == "x"
            )
        )
        assert event["type"] == "ADDED"


def test_a_write_that_changes_nothing_sends_no_event(api, maps):
    stored = api.create(maps, ours("x"))
    with api.watch(maps, resourceVersion=revision(stored)) as watch:
        same = api.patch(f"{maps}/x", {"data": {"n": "0"}})
        assert revision(same) == revision(stored)
        assert watch.quiet()


def test_a_dry_run_sends_no_event(api, maps):
    with api.watch(maps, resourceVersion=current(api, maps)) as watch:
        api.create(maps, ours("x"), dryRun="All")
        assert watch.quiet()


def test_a_graceful_deletion_is_seen_in_steps(api, core):
    path = f"{core}/pods"
    thing = pod("web")
    thing["metadata"]["finalizers"] = ["example.com/hold"]
    api.create(path, thing)
    with api.watch(path, resourceVersion=current(api, path)) as watch:
        api.delete(f"{path}/web")
        watch.until(
            lambda e: e["type"] == "MODIFIED" and "deletionTimestamp" in e["object"]["metadata"]
        )
        api.patch(f"{path}/web", {"metadata": {"finalizers": None}})
        watch.until(lambda e: e["type"] == "DELETED", timeout=20)


def test_a_watch_ends_when_its_time_is_up(api, maps):
    started = time.monotonic()
    with api.watch(maps, resourceVersion=current(api, maps), timeoutSeconds=2) as watch:
        assert watch.next(10) is None
    assert 1.5 < time.monotonic() - started < 6


def test_a_bookmark_comes_before_a_watch_ends(api, maps):
    """It lets a quiet watch resume where it was."""
    with api.watch(
        maps, resourceVersion=current(api, maps), allowWatchBookmarks="true", timeoutSeconds=5
    ) as watch:
        created = api.create(maps, ours("x"))
        assert brief(watch.next()) == ("ADDED", "x")
        bookmark = watch.next(10)
        assert bookmark["type"] == "BOOKMARK"
        assert (
            bookmark["object"]["kind"] == "ConfigMap" and bookmark["object"]["apiVersion"] == "v1"
        )
        assert revision(bookmark["object"]) >= revision(created)
        assert not bookmark["object"]["metadata"].get("name")
        while (event := watch.next(10)) is not None:
            assert event["type"] == "BOOKMARK"


def test_no_bookmarks_unless_asked_for(api, maps):
    with api.watch(maps, resourceVersion=current(api, maps), timeoutSeconds=4) as watch:
        assert watch.next(10) is None


@pytest.mark.ebb_only
def test_a_revision_that_is_too_old_is_gone(cluster, api, core, maps):
    past = push_out_of_memory(cluster, core)
    with api.watch(maps, resourceVersion=past) as watch:
        if watch.code == 200:
            event = watch.next()
            assert event["type"] == "ERROR"
            status = event["object"]
            assert watch.next() is None
        else:
            assert watch.code == 410
            status = watch.status
    assert (status["kind"], status["code"], status["reason"]) == ("Status", 410, "Expired")
    assert "too old resource version" in status["message"]


def test_a_revision_that_is_none_is_refused(api, maps):
    with api.watch(maps, resourceVersion="abc") as watch:
        assert watch.code in (400, 500)  # 500 in Kubernetes


def test_a_watch_as_tables(api, core):
    path = f"{core}/secrets"
    with api.watch(path, accept=TABLE, resourceVersion=current(api, path)) as watch:
        api.create(path, {"metadata": {"name": "one"}})
        api.create(path, {"metadata": {"name": "two"}})
        first, second = watch.take(2)
    assert first["object"]["kind"] == second["object"]["kind"] == "Table"
    assert [c["name"] for c in first["object"]["columnDefinitions"]] == [
        "Name",
        "Type",
        "Data",
        "Age",
    ]
    assert not second["object"].get("columnDefinitions")
    assert second["object"]["rows"][0]["cells"][0] == "two"
    assert second["object"]["rows"][0]["object"]["kind"] == "PartialObjectMetadata"


def test_a_watch_of_metadata_alone(api, maps):
    accept = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1"
    with api.watch(maps, accept=accept, resourceVersion=current(api, maps)) as watch:
        api.create(maps, ours("x"))
        event = watch.next()
    assert event["object"]["kind"] == "PartialObjectMetadata"
    assert "data" not in event["object"]


def test_content_type_of_a_watch(api, maps):
    with api.watch(maps, resourceVersion=current(api, maps)) as watch:
        headers = {name.lower(): value for name, value in watch.headers}
        assert headers["content-type"] == "application/json"
        assert headers.get("transfer-encoding") == "chunked"
