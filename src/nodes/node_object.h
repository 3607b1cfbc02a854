// Node objects as a kubelet registers and renews them.
#pragma once

#include <string>
#include <string_view>

#include <boost/json/object.hpp>

#include "nodes/settings.h"

namespace ebb::nodes {

// A whole node, Ready.
[[nodiscard]] boost::json::object node_object(const NodeSpec& spec, std::string_view address,
                                              Timestamp now);

// What a node's status lacks to be that of a node that is alive: nothing to change gives an
// empty object. Values that are there stay, except conditions that are not as they should be.
[[nodiscard]] boost::json::object missing_status(const boost::json::object& node,
                                                 std::string_view address, Timestamp now);
// Labels that every node has and this one lacks.
[[nodiscard]] boost::json::object missing_labels(const boost::json::object& node);
// What to change about a Ready node that is tainted as not ready, as a real API server
// taints new nodes: a patch of that revision without these taints. Empty: nothing.
[[nodiscard]] boost::json::object lifted_taints(const boost::json::object& node);

// A status that says no more than: still alive.
[[nodiscard]] boost::json::object heartbeat(Timestamp now);

}  // namespace ebb::nodes
