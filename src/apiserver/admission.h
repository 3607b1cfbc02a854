// Where a write asks the admission webhooks that it concerns: mutating ones while it is still as
// the client sent it, validating ones when it is as it would be stored. consultation.h says how
// questions come to be answered.
#pragma once

#include <string_view>

#include <boost/json/object.hpp>

#include "apiserver/call.h"
#include "apiserver/write.h"
#include "model/status.h"

namespace ebb::apiserver {

// A write as webhooks are told of it.
struct Admission {
  std::string_view operation{};  // CREATE, UPDATE, DELETE
  // What the documents are, if not of the call's own kind: a Scale, an Eviction.
  const schema::Kind* shown = nullptr;
  // Of the object; empty while the server has not made one up.
  std::string_view name{};
  const boost::json::object* old = nullptr;
  boost::json::object options{};  // as CreateOptions, UpdateOptions or DeleteOptions
  bool dry_run = false;
};

// Whether anybody has a say in this request at all. If not, there is no need to call what follows.
[[nodiscard]] inline bool is_admitted(const Call& call) { return call.consultation != nullptr; }

// A write by POST, by PUT or PATCH, and by DELETE.
[[nodiscard]] Admission admission_of_create(const Call& call, const WriteOptions& options);
[[nodiscard]] Admission admission_of_update(const Call& call, const WriteOptions& options,
                                            const boost::json::object& old);
[[nodiscard]] Admission admission_of_delete(const Call& call, const Target& target,
                                            const DeleteOptions& options);

// What an error is that only means: there are questions to be answered first.
[[nodiscard]] bool is_pending(const model::Status& status);

// The object, a draft or not, after all mutating webhooks.
[[nodiscard]] model::StatusOr<boost::json::object> mutate(const Call& call,
                                                          const Admission& admission,
                                                          boost::json::object object);
// What validating webhooks say. The object may be a draft.
[[nodiscard]] model::StatusOr<void> review(const Call& call, const Admission& admission,
                                           const boost::json::object& object);
// Both, for a deletion: there is nothing to change then.
[[nodiscard]] model::StatusOr<void> review_deletion(const Call& call, const Target& target,
                                                    const DeleteOptions& options);
// Both, for a document that is not stored, such as an Eviction: what it has become.
[[nodiscard]] model::StatusOr<boost::json::object> admit_document(const Call& call,
                                                                  const schema::Kind& shown,
                                                                  const WriteOptions& options,
                                                                  boost::json::object document);

}  // namespace ebb::apiserver
