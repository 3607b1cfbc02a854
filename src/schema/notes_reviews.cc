// What the fields of questions about access are for.
#include "schema/notes_text.h"

namespace ebb::schema {

constexpr std::string_view kReviewNotes = R"(
package io.k8s.api.authorization.v1

SelfSubjectAccessReview: Asks whether the one who asks may do something.
  spec: The question.
  status: The answer.

SelfSubjectAccessReviewSpec: What is asked. Exactly one has to be given.
  resourceAttributes: Something done to objects.
  nonResourceAttributes: A request for a path that is no object.

SubjectAccessReview: Asks whether somebody may do something.
  spec: The question.
  status: The answer.

LocalSubjectAccessReview: Asks whether somebody may do something in one namespace.
  spec: The question. Its namespace has to be the one that it is sent to.
  status: The answer.

SubjectAccessReviewSpec: What is asked, and about whom.
  resourceAttributes: Something done to objects.
  nonResourceAttributes: A request for a path that is no object.
  user: The user.
  groups: The groups of the user.
  uid: The uid of the user.

ResourceAttributes: Something done to objects.
  namespace: The namespace they are in. Empty: all of them.
  verb: What is done: get, list, watch, create, update, patch, delete and so on. *: all of it.
  group: The group of their kind. *: all groups.
  version: The version of the API. *: all versions.
  resource: Their kind, in the plural. *: all kinds.
  subresource: The subresource, if one is meant.
  name: The name of the object. Empty: all of them.

NonResourceAttributes: A request for a path that is no object.
  path: The path.
  verb: The method of the request.

SubjectAccessReviewStatus: Whether somebody may do something.
  allowed: Whether it is allowed.
  reason: Why.
  evaluationError: What went wrong while that was found out.
  denied: Whether it is forbidden for good, whatever else might allow it.

SelfSubjectRulesReview: Asks what the one who asks may do in a namespace.
  spec: The question.
  status: The answer.

SelfSubjectRulesReviewSpec: What is asked.
  namespace: The namespace.

SubjectRulesReviewStatus: What somebody may do.
  resourceRules: What may be done to objects.
  nonResourceRules: Which other paths may be asked for.
  incomplete: Whether there may be more than is listed here.
  evaluationError: What went wrong while that was found out.

ResourceRule: What may be done to objects of some kinds.
  verbs: What may be done. *: all of it.
  apiGroups: The groups of the kinds. *: all groups.
  resources: The kinds, in the plural. *: all kinds.
  resourceNames: The names of the objects. None: all of them.

NonResourceRule: Which paths may be asked for.
  verbs: The methods of requests. *: all of them.
  nonResourceURLs: The paths. *: all of them.

package io.k8s.api.authentication.v1

SelfSubjectReview: Asks who the one who asks is.
  status: The answer.

SelfSubjectReviewStatus: Who somebody is.
  userInfo: The user.

UserInfo: A user.
  username: The name of the user.
  uid: A number or text by which the user stays the same, whatever the name.
  groups: The groups of the user.
)";

}  // namespace ebb::schema
