"""kubectl explain: the description, type and choices of every kind and field."""

import re

import pytest

KINDS = (
    "configmaps deployments events leases localsubjectaccessreviews mutatingwebhookconfigurations "
    "namespaces nodes pods replicasets secrets selfsubjectaccessreviews selfsubjectreviews "
    "selfsubjectrulesreviews serviceaccounts services subjectaccessreviews "
    "validatingwebhookconfigurations"
).split()
OURS = "downscaledecisions downscalepolicies evictions podgroupcosts".split()


def explain(kubectl, *args):
    """The parts of the answer by their headings, and those before all headings."""
    parts = {"": ""}
    heading = ""
    for line in kubectl("explain", *args).lines:
        found = re.fullmatch(r"([A-Z]+):\s*(.*)", line)
        if found:
            heading, line = found.groups()
            parts[heading] = ""
        parts[heading] += line + "\n"
    return {name: text.strip() for name, text in parts.items()}


def fields(text):
    """The first word of each line that names a field, with the rest of the line."""
    found = {}
    for line in text.splitlines():
        match = re.fullmatch(r"\s*(\S+)\t(<.*>)(.*)", line)
        if match:
            found[match.group(1)] = (match.group(2), match.group(3).strip())
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_explained(kubectl, kind):
    parts = explain(kubectl, kind)
    assert parts["KIND"].lower() in (kind[:-1], kind)
    assert len(parts["DESCRIPTION"]) > 20 and "<empty>" not in parts["DESCRIPTION"]
    found = fields(parts["FIELDS"])
    assert found["kind"] == found["apiVersion"] == ("<string>", "")
    assert found["metadata"][0] == "<ObjectMeta>"


@pytest.mark.ebb_only
@pytest.mark.parametrize("kind", OURS)
def test_kinds_of_ebb_are_explained(kubectl, kind):
    parts = explain(kubectl, kind)
    assert len(parts["DESCRIPTION"]) > 20 and "<empty>" not in parts["DESCRIPTION"]


@pytest.mark.ebb_only
@pytest.mark.parametrize("kind", KINDS + OURS)
def test_no_field_is_without_a_description(kubectl, kind):
    """Nor is a kind. field_docs_test.cc checks nested fields."""
    for path in (kind, f"{kind}.metadata"):
        assert "<empty>" not in kubectl("explain", path).out


def test_a_field_with_two_types(kubectl):
    parts = explain(kubectl, "deployment.spec.strategy.rollingUpdate.maxSurge")
    assert (parts["GROUP"], parts["KIND"], parts["VERSION"]) == ("apps", "Deployment", "v1")
    assert parts["FIELD"] == "maxSurge <IntOrString>"
    assert len(parts["DESCRIPTION"]) > 20


def test_a_number(kubectl):
    assert explain(kubectl, "deployment.spec.replicas")["FIELD"] == "replicas <integer>"


def test_choices_are_listed(kubectl):
    parts = explain(kubectl, "pod.spec.restartPolicy")
    assert parts["FIELD"] == "restartPolicy <string>"
    assert parts["ENUM"].split() == ["Always", "Never", "OnFailure"]
    listed = kubectl("explain", "pod.spec.containers").lines
    at = next(i for i, line in enumerate(listed) if line.startswith("  imagePullPolicy\t"))
    assert listed[at : at + 2] == [
        "  imagePullPolicy\t<string>",
        "  enum: Always, IfNotPresent, Never",
    ]


def test_required_fields_are_marked(kubectl):
    container = fields(explain(kubectl, "pod.spec.containers")["FIELDS"])
    assert container["name"] == ("<string>", "-required-")
    assert container["image"] == ("<string>", "")
    assert container["env"] == ("<[]EnvVar>", "")
    spec = fields(explain(kubectl, "deployment.spec")["FIELDS"])
    marked = {name for name, (_, mark) in spec.items() if mark == "-required-"}
    assert marked == {"selector", "template"}


def test_everything_below_a_field(kubectl):
    text = explain(kubectl, "pod.spec.containers", "--recursive")["FIELDS"]
    lines = text.splitlines()
    for line in (
        "    valueFrom\t<EnvVarSource>",
        "      secretKeyRef\t<SecretKeySelector>",
        "        key\t<string> -required-",
        "    limits\t<map[string]Quantity>",
        "      port\t<IntOrString> -required-",
    ):
        assert line in lines, line


def test_a_list_of_structures_and_a_map(kubectl):
    spec = fields(explain(kubectl, "pod.spec")["FIELDS"])
    assert spec["containers"] == ("<[]Container>", "-required-")
    assert spec["nodeSelector"] == ("<map[string]string>", "")
    assert spec["tolerations"] == ("<[]Toleration>", "")


def test_an_unknown_field_is_refused(kubectl):
    refused = kubectl.fails("explain", "deployment.spec.replcas")
    assert refused.err.strip() == 'error: field "replcas" does not exist'


def test_an_unknown_kind_is_refused(kubectl):
    refused = kubectl.fails("explain", "gadgets")
    assert 'the server doesn\'t have a resource type "gadgets"' in refused.err


@pytest.mark.ebb_only
def test_a_field_of_ebb(kubectl):
    parts = explain(kubectl, "deployment.spec.downscalePodPicker")
    assert parts["FIELD"] == "downscalePodPicker <PodPicker>"
    assert "A service that is called during a scale-down" in parts["DESCRIPTION"]
    found = fields(parts["FIELDS"])
    assert found["http"][0] == "<HttpPicker>" and found["timeoutSeconds"][0] == "<integer>"
    assert "enum: full, names" in parts["FIELDS"]
    host = explain(kubectl, "deployment.spec.downscalePodPicker.http.host")
    assert host["FIELD"] == "host <string>"
    assert host["DESCRIPTION"] == "A host name or an IP address."


@pytest.mark.ebb_only
def test_a_strategy_of_a_policy(kubectl):
    parts = explain(kubectl, "downscalepolicy.spec.ranking.strategies.name")
    assert "TopologySpread" in parts["ENUM"]
    assert "TopologySpread:" in parts["DESCRIPTION"]


def test_as_an_openapi_document(kubectl):
    found = kubectl("explain", "leases", "--output=plaintext-openapiv2").out
    assert "holderIdentity" not in found and "FIELDS:" in found
