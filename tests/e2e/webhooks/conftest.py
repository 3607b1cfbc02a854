"""Webhooks that apply only to the namespace of one test."""

import time

import pytest
from support.webhooks import GROUP, WebhookServer, configuration, webhook


class Hooks:
    def __init__(self, cluster, namespace, server):
        self.cluster = cluster
        self.namespace = namespace
        self.server = server
        self.made = []

    def name(self, word):
        """Of a webhook: what messages about it say."""
        return f"{word}.{self.namespace}.example.com"

    def add(self, kind, word, behaviour, *rules, **more):
        path = f"/{word}"
        self.server.behaviours[path] = behaviour
        selector = {"matchLabels": {"kubernetes.io/metadata.name": self.namespace}}
        fields = {"namespaceSelector": selector, **more}
        client = fields.pop("clientConfig", self.server.client(path))
        self.register(kind, word, webhook(self.name(word), client, *rules, **fields))

    def mutating(self, word, behaviour, *rules, **more):
        self.add("Mutating", word, behaviour, *rules, **more)

    def validating(self, word, behaviour, *rules, **more):
        self.add("Validating", word, behaviour, *rules, **more)

    def register(self, kind, word, *webhooks):
        path = f"{GROUP}/{kind.lower()}webhookconfigurations"
        name = f"{word}-{self.namespace}"
        self.cluster.api.create(path, configuration(kind, name, *webhooks))
        self.made.append(f"{path}/{name}")
        if getattr(self.cluster, "real", False):
            time.sleep(1)  # until its watch has seen it

    def requests(self, word):
        return self.server.requests.get(f"/{word}", [])

    def clear(self):
        for path in self.made:
            self.cluster.api.request("DELETE", path)


@pytest.fixture
def hooks(cluster, namespace, tmp_path):
    server = WebhookServer(
        tmp_path, "IP:127.0.0.1", "DNS:localhost", f"DNS:hook.{namespace}.svc"
    )
    made = Hooks(cluster, namespace, server)
    yield made
    made.clear()
    server.close()
