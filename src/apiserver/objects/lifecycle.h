// Turns what a client sent into what is stored: the fields that the server owns, the fields that a
// write to the object or to its status may change, and the deletion of objects. Pure functions of
// the documents.
#pragma once

#include <string_view>

#include <boost/json/object.hpp>

#include "apiserver/request/options.h"
#include "base/timestamp.h"
#include "schema/core/kind.h"

namespace ebb::apiserver {

// Prepares a new object: the server sets uid, creation time and generation, and drops a status that
// the client sent.
void prepare_create(const schema::Kind& kind, boost::json::object& object, std::string_view uid,
                    Timestamp now);

// Prepares a write to the object itself: keeps status, and increments the generation if anything
// except metadata changed.
void prepare_update(const schema::Kind& kind, boost::json::object& object,
                    const boost::json::object& old);

// Prepares a write to /status: keeps everything except status (and labels and annotations, if the
// kind allows it).
[[nodiscard]] boost::json::object prepare_status_update(const schema::Kind& kind,
                                                        const boost::json::object& object,
                                                        const boost::json::object& old);

// The effect of a delete request on an object.
struct Deletion {
  boost::json::object object;
  bool gone = false;  // removed now; otherwise stored as terminating
};
[[nodiscard]] Deletion begin_deletion(const schema::Kind& kind, boost::json::object object,
                                      const DeleteOptions& options, Timestamp now);

// Returns true if an object that is being deleted has no finalizers and no grace period left.
[[nodiscard]] bool is_at_its_end(const boost::json::object& object);

}  // namespace ebb::apiserver
