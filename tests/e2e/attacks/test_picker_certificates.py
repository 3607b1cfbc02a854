"""A tenant's Secret has an unusable client certificate. The process keeps running, the pods go in
the default order, the tenant can see why, and the picker of another tenant is called as usual.
"""

import base64
import json
import ssl
import subprocess
import time

import pytest
import yaml
from support.ebb import BINARY, QUICK, EbbCluster
from support.identities import Identities, marked_as_encrypted
from support.names import make_namespace
from support.pickers import RecordingPicker
from support.scaled import Workload

pytestmark = pytest.mark.ebb_only


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    with EbbCluster(tmp_path_factory.mktemp("certificates"), "--nodes=3x2", "-v=4", *QUICK) as one:
        yield one


@pytest.fixture(scope="module")
def identities(tmp_path_factory):
    return Identities(tmp_path_factory.mktemp("identities"))


@pytest.fixture(scope="module")
def good(identities):
    return identities.pair()


@pytest.fixture(scope="module")
def picker(identities, good):
    """Asks its clients for a certificate, and believes the good one alone."""
    certificate, key = identities.pair()
    paths = [identities.folder / name for name in ("server.crt", "server.key", "client.crt")]
    for path, text in zip(paths, (certificate, key, good[0])):
        path.write_text(text, encoding="utf-8")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(paths[0], paths[1])
    context.load_verify_locations(paths[2])
    context.verify_mode = ssl.CERT_REQUIRED
    picker = RecordingPicker()
    picker.server.socket = context.wrap_socket(picker.server.socket, server_side=True)
    picker.authority = certificate
    with picker:
        yield picker


def encoded(text):
    return base64.b64encode(text.encode()).decode()


def settings_of(picker):
    return picker.http(
        scheme="https",
        caBundle=encoded(picker.authority),
        clientCertificate={"secretRef": {"name": "pair"}},
    )


@pytest.fixture(scope="module")
def neighbour(cluster, picker, good):
    """Another tenant, with a picker that works."""
    workload = Workload(cluster.api, make_namespace(cluster.api, "neighbour"))
    workload.add_secret("pair", **{"tls.crt": good[0], "tls.key": good[1]})
    workload.create(12)
    workload.add_policy("web", settings_of(picker))
    workload.wait_condition("web", "Ready", "True")
    return workload


KEY_IS_ENCRYPTED = "the private key in Secret pair is encrypted"


def encrypted_key(make, certificate, key):
    return certificate, make.encrypted(key), KEY_IS_ENCRYPTED


def encrypted_rsa_key(make, *_):
    certificate, key = make.pair("rsa")
    return certificate, make.encrypted(key), KEY_IS_ENCRYPTED


def traditional_encrypted_key(_, certificate, key):
    return certificate, marked_as_encrypted(key), KEY_IS_ENCRYPTED


def encrypted_certificate(_, certificate, key):
    return marked_as_encrypted(certificate), key, "the certificate in Secret pair is encrypted"


def truncated_key(_, certificate, key):
    return certificate, key[: len(key) // 2], "the private key in Secret pair is not valid PEM"


def truncated_certificate(_, certificate, key):
    cut = certificate[: len(certificate) // 2]
    return cut, key, "the certificate in Secret pair is not valid PEM"


def key_of_another(make, certificate, _):
    problem = "the private key in Secret pair does not belong to the certificate"
    return certificate, make.key(), problem


def expired(make, *_):
    certificate, key = make.pair(days=-1)
    return certificate, key, "the certificate in Secret pair has expired"


def enormous_key(_, certificate, key):
    # As large as a Secret may be.
    padding = "\n" * (1024 * 1024 - len(key) - len(certificate))
    return certificate, key + padding, "Secret pair, key tls.key: must have at most 65536 bytes"


def endless_key(make, certificate, _):
    # Reading it would take many minutes.
    problem = "the private key in Secret pair has an unsupported type"
    return certificate, make.bloated_dsa_key(100_000), problem


def garbage(_, certificate, __):
    text = "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"
    return certificate, text, "the private key in Secret pair cannot be read"


ATTACKS = [
    encrypted_key,
    encrypted_rsa_key,
    traditional_encrypted_key,
    encrypted_certificate,
    truncated_key,
    truncated_certificate,
    key_of_another,
    expired,
    enormous_key,
    endless_key,
    garbage,
]


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.__name__)
def test_a_bad_client_certificate_does_not_affect_other_workloads(
    cluster, namespace, identities, good, picker, neighbour, attack
):
    certificate, key, problem = attack(identities, *good)
    workload = Workload(cluster.api, namespace)
    workload.add_secret("pair", **{"tls.crt": certificate, "tls.key": key})
    workload.create(4)
    workload.add_policy("web", settings_of(picker))
    workload.wait_condition("web", "Ready", "True")
    asked = len(picker.requests)
    assert len(workload.scale(2)) == 2
    assert cluster.child.running(), cluster.child.output()
    assert len(picker.requests) == asked
    workload.wait_event("PickerFailed", "bad settings")
    workload.wait_event("PickerFailed", problem)
    assert problem in workload.wait_condition("web", "PickerReachable", "False")["message"]

    left = len(neighbour.pods())
    first = sorted(neighbour.pods())[0]
    assert neighbour.scale(left - 1) == {first}
    assert len(picker.requests) == asked + 1

    told = json.dumps(cluster.api.get(f"{workload.core}/events")) + cluster.child.output()
    secret = [line for line in key.splitlines() if len(line) > 40 and not line.startswith("-")]
    assert not any(line in told for line in secret)


@pytest.mark.parametrize("protect", [Identities.encrypted, lambda _, key: marked_as_encrypted(key)])
def test_an_encrypted_key_in_a_kubeconfig_is_refused_without_a_prompt(
    cluster, identities, good, tmp_path, protect
):
    config = yaml.safe_load(cluster.kubeconfig.read_text(encoding="utf-8"))
    for user in config["users"]:
        user["user"] = {
            "client-certificate-data": encoded(good[0]),
            "client-key-data": encoded(protect(identities, good[1])),
        }
    path = tmp_path / "kubeconfig"
    path.write_text(yaml.safe_dump(config), encoding="utf-8")
    began = time.monotonic()
    # `script` gives it a terminal, on which OpenSSL could prompt.
    command = f"{BINARY} plan deploy/web --replicas 1 --kubeconfig {path}"
    done = subprocess.run(
        ["script", "--quiet", "--return", "--command", command, "/dev/null"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1, done.stdout
    assert "the private key in the kubeconfig is encrypted" in done.stdout
    assert "pass" not in done.stdout.replace("passphrase", "").lower()
    assert time.monotonic() - began < 30
