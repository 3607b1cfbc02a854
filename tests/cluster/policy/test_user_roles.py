"""deploy/user-roles.yaml gives the users of a namespace the rights to ebb's kinds that their role
there suggests.
"""

import pytest
import yaml
from support.kube_api_server import REPOSITORY
from support.process import eventually

pytestmark = pytest.mark.systems("ebb")

RBAC = "/apis/rbac.authorization.k8s.io/v1"


@pytest.fixture
def roles(place):
    """The roles of the file, and in the namespace of the test a user for view and one for edit."""
    text = (REPOSITORY / "deploy" / "user-roles.yaml").read_text(encoding="utf-8")
    names = []
    for role in yaml.safe_load_all(text):
        place.api.create(f"{RBAC}/clusterroles", role)
        names.append(role["metadata"]["name"])
    for role in ("view", "edit"):
        place.api.create(
            f"{RBAC}/namespaces/{place.namespace}/rolebindings",
            {
                "metadata": {"name": role},
                "roleRef": {
                    "apiGroup": "rbac.authorization.k8s.io",
                    "kind": "ClusterRole",
                    "name": role,
                },
                "subjects": [{"kind": "User", "name": f"user-{role}"}],
            },
        )
    yield
    for name in names:
        place.api.delete(f"{RBAC}/clusterroles/{name}")


def may(place, role, verb, resource):
    review = place.api.create(
        "/apis/authorization.k8s.io/v1/subjectaccessreviews",
        {
            "spec": {
                "user": f"user-{role}",
                "resourceAttributes": {
                    "namespace": place.namespace,
                    "group": "ebb.dev",
                    "resource": resource,
                    "verb": verb,
                },
            }
        },
    )
    return review["status"]["allowed"]


def test_viewers_read_and_editors_write_policies(place, roles):
    # A controller adds the rules to the roles of the API server.
    eventually(lambda: may(place, "edit", "create", "downscalepolicies"), timeout=60)
    for resource in ("downscalepolicies", "podgroupcosts", "downscaledecisions"):
        eventually(lambda kind=resource: may(place, "view", "list", kind), timeout=60)
        eventually(lambda kind=resource: may(place, "edit", "get", kind), timeout=60)
    assert not may(place, "view", "create", "downscalepolicies")
    assert not may(place, "edit", "create", "downscaledecisions")
    assert not may(place, "edit", "update", "podgroupcosts")
