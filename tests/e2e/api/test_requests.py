"""Headers and bodies that few clients send: impersonation, YAML, conditional requests."""

import pytest
from support.api import APPLY_PATCH, TABLE
from support.objects import deployment

REVIEWS = "/apis/authentication.k8s.io/v1/selfsubjectreviews"
AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"


def who(api, **headers):
    named = {f"Impersonate-{name}": value for name, value in headers.items()}
    body = {"apiVersion": "authentication.k8s.io/v1", "kind": "SelfSubjectReview"}
    return api.request("POST", REVIEWS, body, more_headers=named)


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({"User": "bob"}, {"username": "bob", "groups": ["system:authenticated"]}),
        (
            {"User": "bob", "Group": "a", "Uid": "7", "Extra-Ac%2Fme": "x"},
            {
                "username": "bob",
                "uid": "7",
                "groups": ["a", "system:authenticated"],
                "extra": {"ac/me": ["x"]},
            },
        ),
        (
            {"User": "system:serviceaccount:shop:web"},
            {
                "username": "system:serviceaccount:shop:web",
                "groups": [
                    "system:serviceaccounts",
                    "system:serviceaccounts:shop",
                    "system:authenticated",
                ],
            },
        ),
    ],
)
def test_the_impersonated_user_is_the_user(api, headers, expected):
    answer = who(api, **headers)
    assert answer.code == 201
    assert answer.json["status"]["userInfo"] == expected


def test_groups_want_a_user(api):
    refused = who(api, Group="a")
    assert refused.code == 400
    assert refused.json["message"] == (
        'requested &user.DefaultInfo{Name:"", UID:"", Groups:[]string{"a"}, '
        "Extra:map[string][]string(nil)} without impersonating a user name"
    )


def test_a_new_object_that_is_applied_has_a_name(api, core):
    body = {"apiVersion": "v1", "kind": "ConfigMap", "data": {"a": "b"}}
    path = f"{core}/configmaps/mine"
    refused = api.request("PATCH", path, body, APPLY_PATCH, fieldManager="me")
    assert refused.code == 400
    assert refused.json["message"] == (
        "the name of the object (mine based on URL) was undeterminable: name must be provided"
    )
    named = {**body, "metadata": {"name": "mine"}}
    assert api.request("PATCH", path, named, APPLY_PATCH, fieldManager="me").code == 201
    assert api.request("PATCH", path, body, APPLY_PATCH, fieldManager="me").code == 200


@pytest.mark.parametrize("path", ["/api", "/apis"])
def test_discovery_is_not_sent_again(api, path):
    first = api.request("GET", path, accept=AGGREGATED)
    tag = first.header("ETag")
    assert first.code == 200
    assert tag.startswith('"')
    again = api.request("GET", path, accept=AGGREGATED, more_headers={"If-None-Match": tag})
    assert (again.code, again.body, again.header("ETag")) == (304, b"", tag)
    other = api.request("GET", path, accept=AGGREGATED, more_headers={"If-None-Match": '"x"'})
    assert (other.code, other.body) == (200, first.body)


def test_bodies_may_be_yaml(api, core):
    text = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  k: {}\n"
    made = api.request("POST", f"{core}/configmaps", text.format("v"), "application/yaml")
    assert (made.code, made.json["data"]) == (201, {"k": "v"})
    put = api.request("PUT", f"{core}/configmaps/a", text.format("w"), "application/yaml")
    assert (put.code, put.json["data"]) == (200, {"k": "w"})
    refused = api.request("POST", f"{core}/configmaps", "a", "text/plain")
    assert refused.code == 415
    # Ours goes on with what was given.
    assert refused.json["message"].startswith(
        "the body of the request was in an unknown format - accepted media types include: "
        "application/json, application/yaml, application/vnd.kubernetes.protobuf"
    )


def test_the_table_of_a_scale_has_its_numbers(api, apps):
    api.create(f"{apps}/deployments", deployment("web", 2))
    table = api.request("GET", f"{apps}/deployments/web/scale", accept=TABLE).json
    names = [column["name"] for column in table["columnDefinitions"]]
    assert names == ["Name", "Desired", "Available", "Age"]
    assert table["rows"][0]["cells"][:3] == ["web", 2, 0]
    assert table["rows"][0]["object"]["metadata"]["name"] == "web"
