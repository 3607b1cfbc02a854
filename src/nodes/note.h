// Events (core/v1) as the scheduler and the kubelet tell them, for `kubectl describe`.
#pragma once

#include <string>
#include <string_view>

#include "model/api.h"
#include "model/requests.h"

namespace ebb::nodes {

struct Note {
  const schema::Kind* kind = nullptr;  // of the object it is about
  model::ObjectName about{};
  std::string_view uid{};
  bool warning = false;
  std::string_view reason{};
  std::string message{};
  std::string_view component{};  // who says so: "kubelet"
  std::string_view host{};       // its node, for the kubelet
  std::string_view field_path{};
};

// `number` counts the events of a machine: names sort in the order in which things were told.
[[nodiscard]] model::ApiRequest event_request(const Note& note, Timestamp now,
                                              std::uint64_t number);

}  // namespace ebb::nodes
