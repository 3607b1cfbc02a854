// Calls the admission webhooks for a write: mutating ones on the object as the client sent it,
// validating ones on the object as it would be stored. webhook_session.h describes how questions
// are answered.
#pragma once  // private to its room

#include <string_view>

#include <boost/json/object.hpp>

#include "apiserver/handlers/write.h"
#include "apiserver/request/call.h"
#include "model/api/status.h"

namespace ebb::apiserver {

// The write as webhooks see it.
struct Admission {
  std::string_view operation{};  // CREATE, UPDATE, DELETE
  // The kind of the documents if it is not the call's own: a Scale, an Eviction.
  const schema::Kind* shown = nullptr;
  // The name of the object; empty while the server has not generated one.
  std::string_view name{};
  const boost::json::object* old = nullptr;
  boost::json::object options{};  // as CreateOptions, UpdateOptions or DeleteOptions
  bool dry_run = false;
};

// Returns true if webhooks may apply to this request. If not, skip the functions below.
[[nodiscard]] inline bool is_admitted(const Call& call) { return call.session != nullptr; }

// The admission of a write by POST, by PUT or PATCH, and by DELETE.
[[nodiscard]] Admission admission_of_create(const Call& call, const WriteOptions& options);
[[nodiscard]] Admission admission_of_update(const Call& call, const WriteOptions& options,
                                            const boost::json::object& old);
[[nodiscard]] Admission admission_of_delete(const Call& call, const Target& target,
                                            const DeleteOptions& options);

// Returns true if an error only means that webhooks must be called first.
[[nodiscard]] bool is_pending(const model::Status& status);

// Returns the object, a draft or not, after all mutating webhooks.
[[nodiscard]] model::StatusOr<boost::json::object> mutate(const Call& call,
                                                          const Admission& admission,
                                                          boost::json::object object);
// Calls the validating webhooks. The object may be a draft.
[[nodiscard]] model::StatusOr<void> review(const Call& call, const Admission& admission,
                                           const boost::json::object& object);
// Calls both kinds of webhooks for a deletion, which none of them can change.
[[nodiscard]] model::StatusOr<void> review_deletion(const Call& call, const Target& target,
                                                    const DeleteOptions& options);
// Calls both kinds of webhooks for a document that is not stored, such as an Eviction. Returns the
// mutated document.
[[nodiscard]] model::StatusOr<boost::json::object> admit_document(const Call& call,
                                                                  const schema::Kind& shown,
                                                                  const WriteOptions& options,
                                                                  boost::json::object document);

}  // namespace ebb::apiserver
