// Events (core/v1) of the scheduler and the kubelet, for `kubectl describe`.
#pragma once  // private to its room

#include <string>
#include <string_view>

#include "model/api/api.h"
#include "model/api/requests.h"

namespace ebb::hollow {

struct Event {
  const schema::Kind* kind = nullptr;  // of the involved object
  model::ObjectName about{};
  std::string_view uid{};
  bool warning = false;
  std::string_view reason{};
  std::string message{};
  std::string_view component{};  // the source: "kubelet"
  std::string_view host{};       // the kubelet's node
  std::string_view field_path{};
};

// `number` counts the events of a component, so that names sort in the order of recording.
[[nodiscard]] model::ApiRequest event_request(const Event& event, Timestamp now,
                                              std::uint64_t number);

}  // namespace ebb::hollow
