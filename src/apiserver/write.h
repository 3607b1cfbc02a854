// The common end of all writes: checks, storing, answering.
#pragma once

#include <string>
#include <vector>

#include <boost/json/object.hpp>

#include "apiserver/call.h"

namespace ebb::apiserver {

// The object in a request's body, following the schema of `kind`.
[[nodiscard]] model::StatusOr<Decoded> read_body(const Call& call, const schema::Kind& kind,
                                                 FieldValidation validation);

// The same for a document about the object that the path names: a Scale, Eviction or Binding.
// It may leave out the name, but not give another.
[[nodiscard]] model::StatusOr<boost::json::object> read_subresource(const Call& call,
                                                                    const schema::Kind& kind);

// What is written to: the object that the path names, with everything staged in it.
struct Target {
  ObjectPtr object;
  boost::json::object content;  // a draft, decoded once; every step of a write looks at it
};
[[nodiscard]] model::StatusOr<Target> target_of(const Call& call);

// Name and namespace of a body must be those of the path, or absent: then they are filled in.
[[nodiscard]] model::StatusOr<void> fit_to_path(const Call& call, boost::json::object& object);
// The same for the namespace alone.
[[nodiscard]] model::StatusOr<void> fit_to_namespace(const Call& call, boost::json::object& object);

// A new state of an object: where it differs from the old one it is validated and stored, or,
// if nothing holds an object that is being deleted any more, removed.
struct NewState {
  const Target& old;
  boost::json::object object;
  WriteOptions options;
  std::vector<std::string> warnings;
  bool of_status = false;  // a write to /status: its own rules of validation
  bool of_scale = false;   // a write to /scale: that is what webhooks are shown
};
[[nodiscard]] Answer save(const Call& call, NewState state);
// The same up to the point where the answer is made: returns what was stored.
[[nodiscard]] model::StatusOr<ObjectPtr> store_state(const Call& call, NewState state);

// An object as the answer, once its revision is published.
[[nodiscard]] Reply answer_with(const Call& call, int code, const ObjectPtr& object,
                                std::vector<std::string> warnings);
// A Status of success as the answer.
[[nodiscard]] Reply answer_success(const Call& call, int code, Revision after,
                                   std::string_view uid);

}  // namespace ebb::apiserver
