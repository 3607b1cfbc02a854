#include "hollow/resources.h"

#include <algorithm>

#include "schema/core/json.h"
#include "schema/core/quantity.h"

namespace ebb::hollow {
namespace {

// Larger amounts and sums are capped here.
constexpr std::int64_t kMaxAmount = 1LL << 60U;

// Both arguments are within +-kMaxAmount.
void add(std::int64_t& sum, std::int64_t more) {
  sum = std::clamp(sum + more, -kMaxAmount, kMaxAmount);
}

std::int64_t& entry_of(Resources& resources, std::string_view name) {
  for (auto& entry : resources.others) {
    if (entry.first == name) return entry.second;
  }
  return resources.others.emplace_back(name, 0).second;
}

Resources requests_of(const boost::json::value& container) {
  const boost::json::object* object = container.if_object();
  if (object == nullptr) return {};
  return read_resources(schema::object_at(*object, {"resources", "requests"}));
}

}  // namespace

std::optional<std::int64_t> parse_amount(std::string_view resource, std::string_view quantity) {
  const Result<schema::Quantity> parsed = schema::Quantity::parse(quantity);
  if (!parsed.has_value() || parsed->is_negative()) return std::nullopt;
  return std::min(resource == "cpu" ? parsed->milli_value() : parsed->value(), kMaxAmount);
}

Resources& Resources::operator+=(const Resources& more) {
  add(cpu_milli, more.cpu_milli);
  add(memory_bytes, more.memory_bytes);
  add(pods, more.pods);
  for (const auto& entry : more.others) add(entry_of(*this, entry.first), entry.second);
  return *this;
}

Resources& Resources::operator-=(const Resources& less) {
  cpu_milli -= less.cpu_milli;
  memory_bytes -= less.memory_bytes;
  pods -= less.pods;
  for (const auto& entry : less.others) entry_of(*this, entry.first) -= entry.second;
  return *this;
}

void Resources::raise_to(const Resources& other) {
  cpu_milli = std::max(cpu_milli, other.cpu_milli);
  memory_bytes = std::max(memory_bytes, other.memory_bytes);
  pods = std::max(pods, other.pods);
  for (const auto& entry : other.others) {
    std::int64_t& mine = entry_of(*this, entry.first);
    mine = std::max(mine, entry.second);
  }
}

std::int64_t Resources::other(std::string_view name) const {
  for (const auto& entry : others) {
    if (entry.first == name) return entry.second;
  }
  return 0;
}

Resources read_resources(const boost::json::object* quantities) {
  Resources resources;
  if (quantities == nullptr) return resources;
  for (const auto& entry : *quantities) {
    const std::string_view name = entry.key();
    std::optional<std::int64_t> amount;
    if (entry.value().is_string()) amount = parse_amount(name, entry.value().get_string());
    if (entry.value().is_int64()) {
      amount = parse_amount(name, std::to_string(entry.value().get_int64()));
    }
    if (!amount.has_value()) continue;
    if (name == "cpu") {
      resources.cpu_milli = *amount;
    } else if (name == "memory") {
      resources.memory_bytes = *amount;
    } else if (name == "pods") {
      resources.pods = *amount;
    } else {
      entry_of(resources, name) = *amount;
    }
  }
  return resources;
}

Resources read_requests(const boost::json::object& pod) {
  Resources total;
  Resources sidecars;
  Resources largest_init;
  if (const auto* inits = schema::array_at(pod, {"spec", "initContainers"}); inits != nullptr) {
    for (const boost::json::value& init : *inits) {
      Resources requests = requests_of(init);
      const bool sidecar =
          init.is_object() && schema::text_at(init.get_object(), {"restartPolicy"}) == "Always";
      if (sidecar) {
        sidecars += requests;
        largest_init.raise_to(sidecars);
      } else {
        // The sidecars before it run at the same time.
        requests += sidecars;
        largest_init.raise_to(requests);
      }
    }
  }
  if (const auto* containers = schema::array_at(pod, {"spec", "containers"});
      containers != nullptr) {
    for (const boost::json::value& container : *containers) total += requests_of(container);
  }
  total += sidecars;
  total.raise_to(largest_init);
  total += read_resources(schema::object_at(pod, {"spec", "overhead"}));
  total.pods = 1;
  return total;
}

}  // namespace ebb::hollow
