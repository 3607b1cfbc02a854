// What the fields of webhook configurations are for.
#include "schema/notes_text.h"

namespace ebb::schema {

constexpr std::string_view kAdmissionNotes = R"(
package io.k8s.api.admissionregistration.v1

ValidatingWebhookConfiguration: Webhooks that may refuse requests.
  webhooks: The webhooks. They are asked all at once.

MutatingWebhookConfiguration: Webhooks that may change objects before they are stored.
  webhooks: The webhooks. They are asked one after the other.

ValidatingWebhook: A webhook that may refuse requests.
  name: A name of its own, as a domain name: pods.example.com.
  clientConfig: Where it listens.
  rules: Which requests it is asked about. It is asked once, however many of them fit.
  failurePolicy: What counts when it cannot be asked: Fail refuses the request, Ignore goes on
    without it.
  matchPolicy: Exact: rules mean what they say. Equivalent: also requests for the same objects
    under another version.
  namespaceSelector: It is asked only about objects of namespaces with these labels.
  objectSelector: It is asked only if the object has these labels, before or after the request.
  sideEffects: What asking it changes elsewhere: None, or NoneOnDryRun.
  timeoutSeconds: How long it may take, 1 to 30.
  admissionReviewVersions: The versions of AdmissionReview that it understands, the best first.
  matchConditions: Conditions in CEL. They are not understood here, and so refused.

MutatingWebhook: A webhook that may change objects before they are stored.
  name: A name of its own, as a domain name: pods.example.com.
  clientConfig: Where it listens.
  rules: Which requests it is asked about. It is asked once, however many of them fit.
  failurePolicy: What counts when it cannot be asked: Fail refuses the request, Ignore goes on
    without it.
  matchPolicy: Exact: rules mean what they say. Equivalent: also requests for the same objects
    under another version.
  namespaceSelector: It is asked only about objects of namespaces with these labels.
  objectSelector: It is asked only if the object has these labels, before or after the request.
  sideEffects: What asking it changes elsewhere: None, or NoneOnDryRun.
  timeoutSeconds: How long it may take, 1 to 30.
  admissionReviewVersions: The versions of AdmissionReview that it understands, the best first.
  reinvocationPolicy: IfNeeded: it is asked again if another one changed the object after it.
    Never: it is asked once.
  matchConditions: Conditions in CEL. They are not understood here, and so refused.

MatchCondition: A condition in CEL.
  name: A name for it.
  expression: The condition.

RuleWithOperations: Some requests, by what they do to which kinds.
  operations: CREATE, UPDATE, DELETE or CONNECT. *: all of them.

Rule: Some kinds.
  apiGroups: Their groups. *: all groups.
  apiVersions: Their versions. *: all versions.
  resources: The kinds, in the plural. pods/status is a subresource, pods/* all of them, and */scale
    that of all kinds.
  scope: Cluster: only what is in no namespace. Namespaced: only what is in one. *: both.

WebhookClientConfig: Where a webhook listens. Exactly one of url and service has to be given.
  url: Its address, beginning with https://.
  service: A Service of the cluster.
  caBundle: The certificates, in PEM, by which it is known. Empty: those that the system trusts.

ServiceReference: A Service that a webhook stands behind.
  namespace: The namespace of the Service.
  name: The name of the Service.
  path: The path of requests.
  port: The port of the Service.
)";

}  // namespace ebb::schema
