"""Which clients created and deleted pods, according to kube-apiserver's audit log."""

import json

POLICY = """\
apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
- level: Metadata
  verbs: [create, delete]
  resources: [{group: "", resources: [pods]}]
- level: None
"""

EBB = "system:serviceaccount:kube-system:ebb-controller"


class Audit:
    def __init__(self, folder):
        folder.mkdir(parents=True, exist_ok=True)
        self.log = folder / "audit.log"
        self.policy = folder / "audit-policy.yaml"
        self.policy.write_text(POLICY, encoding="utf-8")

    def flags(self):
        return [
            f"--audit-policy-file={self.policy}",
            f"--audit-log-path={self.log}",
            "--audit-log-mode=blocking-strict",
        ]

    def count(self, namespace):
        """Requests of each side that succeeded: {("ebb", "delete"): 50, ...}. The deletes of
        hollow nodes, which remove pods that are already terminating, do not count."""
        counts = {}
        for line in self.log.read_text(encoding="utf-8").splitlines():
            event = json.loads(line)
            if event["objectRef"].get("namespace") != namespace:
                continue
            if event["responseStatus"]["code"] >= 300 or "subresource" in event["objectRef"]:
                continue
            side = self._side(event)
            if side:
                key = (side, event["verb"])
                counts[key] = counts.get(key, 0) + 1
        return counts

    @staticmethod
    def _side(event):
        if event["user"]["username"] == EBB:
            return "ebb"
        return "stock" if "controller-manager" in event.get("userAgent", "") else None
