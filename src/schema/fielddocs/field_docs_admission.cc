// Field docs of webhook configurations.
#include "schema/fielddocs/field_docs_text.h"

namespace ebb::schema {

constexpr std::string_view kAdmissionFieldDocs = R"(
package io.k8s.api.admissionregistration.v1

ValidatingWebhookConfiguration: Webhooks that may refuse requests.
  webhooks: The webhooks. They are called in parallel.

MutatingWebhookConfiguration: Webhooks that may change objects before they are stored.
  webhooks: The webhooks. They are called one after the other.

ValidatingWebhook: A webhook that may refuse requests.
  name: A unique name in the form of a domain name: pods.example.com.
  clientConfig: The address of the webhook.
  rules: The requests that it is called for. It is called once, however many rules match.
  failurePolicy: How a failed call is handled: Fail rejects the request, Ignore continues without
    the webhook.
  matchPolicy: Exact matches the rules literally. Equivalent also matches requests for the same
    objects in another API version.
  namespaceSelector: It is called only for objects in namespaces with these labels.
  objectSelector: It is called only if the object has these labels, before or after the request.
  sideEffects: The side effects of a call: None, or NoneOnDryRun.
  timeoutSeconds: The time limit of a call, from 1 to 30.
  admissionReviewVersions: The versions of AdmissionReview that the webhook supports, preferred ones
    first.
  matchConditions: Conditions in CEL. This API server does not support them.

MutatingWebhook: A webhook that may change objects before they are stored.
  name: A unique name in the form of a domain name: pods.example.com.
  clientConfig: The address of the webhook.
  rules: The requests that it is called for. It is called once, however many rules match.
  failurePolicy: How a failed call is handled: Fail rejects the request, Ignore continues without
    the webhook.
  matchPolicy: Exact matches the rules literally. Equivalent also matches requests for the same
    objects in another API version.
  namespaceSelector: It is called only for objects in namespaces with these labels.
  objectSelector: It is called only if the object has these labels, before or after the request.
  sideEffects: The side effects of a call: None, or NoneOnDryRun.
  timeoutSeconds: The time limit of a call, from 1 to 30.
  admissionReviewVersions: The versions of AdmissionReview that the webhook supports, preferred ones
    first.
  reinvocationPolicy: IfNeeded calls the webhook again if a later webhook changed the object. Never
    calls it once.
  matchConditions: Conditions in CEL. This API server does not support them.

MatchCondition: A condition in CEL.
  name: The name of the condition.
  expression: The CEL expression.

RuleWithOperations: Selects requests by operation and resource.
  operations: CREATE, UPDATE, DELETE or CONNECT. * means all operations.

Rule: Selects resources.
  apiGroups: The API groups. * means all groups.
  apiVersions: The API versions. * means all versions.
  resources: The resources, such as pods. pods/status is a subresource, pods/* means all subresources of
    pods, and */scale means the scale subresource of all resources.
  scope: Cluster means cluster-scoped resources, Namespaced means namespaced ones, * means both.

WebhookClientConfig: The address of a webhook. Exactly one of url and service must be set.
  url: The URL of the webhook, beginning with https://.
  service: The Service of the webhook.
  caBundle: The CA certificates in PEM format that the webhook's certificate is verified with; by default
    those of the system.

ServiceReference: The Service of a webhook.
  namespace: The namespace of the Service.
  name: The name of the Service.
  path: The path of requests.
  port: The port of the Service.
)";

}  // namespace ebb::schema
