"""Webhooks that deny writes with statuses that would mean something else if the API server sent
them: it lets a webhook choose the code, reason, details and causes of its denial.
"""

import time

from support.webhooks import allow, configuration, deny, rule, webhook

NAME = "v.example.com"
DENIES_FOR_SECONDS = 1.5

# As the API server says them itself.
GONE = {
    "code": 404,
    "reason": "NotFound",
    "message": 'pods "web" not found',
    "details": {"name": "web", "kind": "pods"},
}
PRECONDITION = "Precondition failed: UID in precondition: 1, UID in object meta: 2"
OTHER_UID = {
    "code": 409,
    "reason": "Conflict",
    "message": f'Operation cannot be fulfilled on pods "web": {PRECONDITION}',
    "details": {"name": "web", "kind": "pods"},
}
LATER = {"code": 429, "reason": "TooManyRequests", "details": {"retryAfterSeconds": 60}}
BROKEN = {"code": 503, "reason": "ServiceUnavailable", "details": {"retryAfterSeconds": 60}}
TERMINATING = {
    "code": 403,
    "reason": "Forbidden",
    "details": {"causes": [{"reason": "NamespaceTerminating", "message": "it goes"}]},
}


def lies(status, seconds=DENIES_FOR_SECONDS):
    """A behaviour that denies so for a while after it is first asked, and nothing after that."""
    until = []

    def behave(_):
        until.append(time.monotonic() + seconds)
        return deny(**status) if time.monotonic() < until[0] else allow()

    return behave


def denies(server, status, operation, seconds=DENIES_FOR_SECONDS, name="v", **more):
    """The configuration of a webhook that behaves so."""
    server.behaviours["/v"] = lies(status, seconds)
    hook = webhook(NAME, server.client("/v"), rule("pods", operations=[operation]), **more)
    return configuration("Validating", name, hook)
