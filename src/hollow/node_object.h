// Node objects as a kubelet registers and updates them.
#pragma once  // private to its room

#include <string>
#include <string_view>

#include <boost/json/object.hpp>

#include "hollow/settings.h"

namespace ebb::hollow {

// Empty if the node has none.
[[nodiscard]] std::string_view internal_address(const boost::json::object& node);

// A complete node, Ready.
[[nodiscard]] boost::json::object node_object(const NodeSpec& spec, std::string_view address,
                                              Timestamp now);

// Returns the status fields that a live node must have and this one lacks; empty if there are none.
// Existing values are kept, except wrong conditions.
[[nodiscard]] boost::json::object missing_status(const boost::json::object& node,
                                                 std::string_view address, Timestamp now);
// Returns the labels that every node has and this one lacks.
[[nodiscard]] boost::json::object missing_labels(const boost::json::object& node);
// Returns a patch that removes the not-ready taint from a Ready node; a real API server adds this
// taint to new nodes. The patch applies to this revision only. Empty if there is no such taint.
[[nodiscard]] boost::json::object lifted_taints(const boost::json::object& node);

// A status that only updates the heartbeat time.
[[nodiscard]] boost::json::object heartbeat(Timestamp now);

}  // namespace ebb::hollow
