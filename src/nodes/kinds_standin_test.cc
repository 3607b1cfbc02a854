// Kinds for these tests until the table of kinds is there.
#include <array>

#include "schema/kind.h"

namespace ebb::schema {
namespace {

const std::array<Kind, 6>& table() {
  static const std::array<Kind, 6> kTable{{
      {.version = "v1", .name = "Pod", .plural = "pods", .has_status = true},
      {.version = "v1", .name = "Node", .plural = "nodes", .namespaced = false, .has_status = true},
      {.version = "v1", .name = "Namespace", .plural = "namespaces", .namespaced = false},
      {.version = "v1", .name = "Event", .plural = "events"},
      {.group = "apps", .version = "v1", .name = "ReplicaSet", .plural = "replicasets"},
      {.group = "apps", .version = "v1", .name = "Deployment", .plural = "deployments"},
  }};
  return kTable;
}

}  // namespace

std::string Kind::api_version() const {
  return group.empty() ? std::string(version) : std::string(group) + "/" + std::string(version);
}

std::span<const Kind> kinds() { return table(); }

const Kind* find_kind(std::string_view group, std::string_view version, std::string_view plural) {
  for (const Kind& kind : table()) {
    if (kind.group == group && kind.version == version && kind.plural == plural) return &kind;
  }
  return nullptr;
}

const Kind* find_kind(std::string_view api_version, std::string_view name) {
  for (const Kind& kind : table()) {
    if (kind.api_version() == api_version && kind.name == name) return &kind;
  }
  return nullptr;
}

}  // namespace ebb::schema
