// The steps that all writes share: checks, storing, answering.
#pragma once  // private to its room

#include <string>
#include <vector>

#include <boost/json/object.hpp>

#include "apiserver/request/call.h"

namespace ebb::apiserver {

// Reads the object in a request's body and makes it follow the schema of `kind`.
[[nodiscard]] model::StatusOr<Decoded> read_body(const Call& call, const schema::Kind& kind,
                                                 FieldValidation validation);

// The same for a document about the object in the path: a Scale, Eviction or Binding. Its name may
// be absent, but must not differ from the path.
[[nodiscard]] model::StatusOr<boost::json::object> read_subresource(const Call& call,
                                                                    const schema::Kind& kind);

// The object that a write goes to, named by the path, including staged changes.
struct Target {
  ObjectPtr object;
  boost::json::object content;  // a draft, decoded once for all steps of a write
};
[[nodiscard]] model::StatusOr<Target> target_of(const Call& call);

// Name and namespace of a body must equal those of the path; if absent, they are filled in.
[[nodiscard]] model::StatusOr<void> fit_to_path(const Call& call, boost::json::object& object);
// The same for the namespace alone.
[[nodiscard]] model::StatusOr<void> fit_to_namespace(const Call& call, boost::json::object& object);

// A new state of an object. If it differs from the old one, it is validated and stored; or removed,
// if the object is being deleted and has no finalizers left.
struct NewState {
  const Target& old;
  boost::json::object object;
  WriteOptions options;
  std::vector<std::string> warnings;
  bool of_status = false;  // a write to /status, which has its own validation
  bool of_scale = false;   // a write to /scale: webhooks see a Scale
};
[[nodiscard]] Answer save(const Call& call, NewState state);
// Stores the state without making an answer: returns the stored object.
[[nodiscard]] model::StatusOr<ObjectPtr> store_state(const Call& call, NewState state);

// Answers with an object, once its revision is published.
[[nodiscard]] Reply answer_with(const Call& call, int code, const ObjectPtr& object,
                                std::vector<std::string> warnings);
// Answers with a Status of success.
[[nodiscard]] Reply answer_success(const Call& call, int code, Revision after,
                                   std::string_view uid);

}  // namespace ebb::apiserver
