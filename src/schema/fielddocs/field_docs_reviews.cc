// Field docs of access reviews.
#include "schema/fielddocs/field_docs_text.h"

namespace ebb::schema {

constexpr std::string_view kReviewFieldDocs = R"(
package io.k8s.api.authorization.v1

SelfSubjectAccessReview: Checks whether the current user may do something.
  spec: The request.
  status: The result.

SelfSubjectAccessReviewSpec: The access to check. Exactly one field must be set.
  resourceAttributes: An action on objects.
  nonResourceAttributes: A request for a path that is not a resource.

SubjectAccessReview: Checks whether a user may do something.
  spec: The request.
  status: The result.

LocalSubjectAccessReview: Checks whether a user may do something in one namespace.
  spec: The request. Its namespace must be the one in the URL.
  status: The result.

SubjectAccessReviewSpec: The access to check, and the user.
  resourceAttributes: An action on objects.
  nonResourceAttributes: A request for a path that is not a resource.
  user: The name of the user.
  groups: The groups of the user.
  uid: The uid of the user.

ResourceAttributes: An action on objects.
  namespace: The namespace of the objects. Empty means all namespaces.
  verb: The verb, such as get, list, watch, create, update, patch or delete. * means all verbs.
  group: The API group. * means all groups.
  version: The API version. * means all versions.
  resource: The resource, such as pods. * means all resources.
  subresource: The subresource, if any.
  name: The name of the object. Empty means all objects.

NonResourceAttributes: A request for a path that is not a resource.
  path: The path of the request.
  verb: The verb of the request, such as get.

SubjectAccessReviewStatus: The result of an access review.
  allowed: Whether the action is allowed.
  reason: The reason for the result.
  evaluationError: An error during the check.
  denied: Whether the action is explicitly denied, so that no other authorizer can allow it.

SelfSubjectRulesReview: Lists the actions that the current user may perform in a namespace.
  spec: The request.
  status: The result.

SelfSubjectRulesReviewSpec: The namespace to check.
  namespace: The namespace.

SubjectRulesReviewStatus: The actions that a user may perform.
  resourceRules: The allowed actions on objects.
  nonResourceRules: The allowed requests for paths that are not resources.
  incomplete: Whether the list may be incomplete.
  evaluationError: An error during the check.

ResourceRule: Allowed actions on objects.
  verbs: The verbs. * means all verbs.
  apiGroups: The API groups. * means all groups.
  resources: The resources, such as pods. * means all resources.
  resourceNames: The names of the objects. Empty means all objects.

NonResourceRule: Allowed requests for paths that are not resources.
  verbs: The verbs. * means all verbs.
  nonResourceURLs: The paths. * means all paths.

package io.k8s.api.authentication.v1

SelfSubjectReview: Returns the current user.
  status: The result.

SelfSubjectReviewStatus: The current user.
  userInfo: The user.

UserInfo: A user.
  username: The name of the user.
  uid: An id of the user that does not change with the name.
  groups: The groups of the user.
)";

}  // namespace ebb::schema
