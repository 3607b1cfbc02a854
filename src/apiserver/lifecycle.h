// From what a client sent to what is stored: which fields belong to the server, what a write to
// the object or to its status may change, and how an object comes to its end. Pure functions
// of the documents.
#pragma once

#include <string_view>

#include <boost/json/object.hpp>

#include "apiserver/options.h"
#include "base/timestamp.h"
#include "schema/kind.h"

namespace ebb::apiserver {

// A new object: uid, creation time and generation are ours, status is not the client's.
void prepare_create(const schema::Kind& kind, boost::json::object& object, std::string_view uid,
                    Timestamp now);

// A write to the object itself keeps status, and counts the generation up if anything but
// metadata changed.
void prepare_update(const schema::Kind& kind, boost::json::object& object,
                    const boost::json::object& old);

// A write to /status: everything but status (and labels and annotations, where the kind
// says so) stays as it was.
[[nodiscard]] boost::json::object prepare_status_update(const schema::Kind& kind,
                                                        const boost::json::object& object,
                                                        const boost::json::object& old);

// What a delete request does to an object.
struct Deletion {
  boost::json::object object;
  bool gone = false;  // it is removed now; else it is stored as changed, waiting
};
[[nodiscard]] Deletion begin_deletion(const schema::Kind& kind, boost::json::object object,
                                      const DeleteOptions& options, Timestamp now);

// Whether nothing keeps an object that is being deleted: no finalizer, no time left.
[[nodiscard]] bool is_at_its_end(const boost::json::object& object);

}  // namespace ebb::apiserver
