#include "apiserver/objects/kind_specifics.h"

#include <string>

#include "base/base64.h"
#include "schema/core/json.h"

namespace ebb::apiserver {

namespace json = boost::json;

namespace {

bool is_core(const schema::Kind& kind, std::string_view name) {
  return kind.group.empty() && kind.name == name;
}

// Returns true if cpu and memory each have a limit equal to the request.
bool is_guaranteed(const json::object& container) {
  for (const std::string_view resource : {"cpu", "memory"}) {
    const std::string_view limit = schema::text_at(container, {"resources", "limits", resource});
    if (limit.empty()) return false;
    if (schema::text_at(container, {"resources", "requests", resource}) != limit) return false;
  }
  return true;
}

bool has_resources(const json::object& container) {
  for (const std::string_view side : {"limits", "requests"}) {
    for (const std::string_view resource : {"cpu", "memory"}) {
      if (!schema::text_at(container, {"resources", side, resource}).empty()) return true;
    }
  }
  return false;
}

}  // namespace

bool is_pod(const schema::Kind& kind) { return is_core(kind, "Pod"); }
bool is_namespace(const schema::Kind& kind) { return is_core(kind, "Namespace"); }
bool is_secret(const schema::Kind& kind) { return is_core(kind, "Secret"); }

std::string_view quality_of_service(const json::object& pod) {
  bool any = false;
  bool all_guaranteed = true;
  for (const std::string_view list : {"containers", "initContainers"}) {
    const json::array* containers = schema::array_at(pod, {"spec", list});
    if (containers == nullptr) continue;
    for (const json::value& container : *containers) {
      if (!container.is_object()) continue;
      any = any || has_resources(container.get_object());
      all_guaranteed = all_guaranteed && is_guaranteed(container.get_object());
    }
  }
  if (!any) return "BestEffort";
  return all_guaranteed ? "Guaranteed" : "Burstable";
}

void set_first_state(const schema::Kind& kind, json::object& object) {
  if (is_pod(kind)) {
    object["status"] = json::object{{"phase", "Pending"}, {"qosClass", quality_of_service(object)}};
  } else if (is_namespace(kind)) {
    const std::string name(schema::text_at(object, {"metadata", "name"}));
    schema::ensure_object(object, {"metadata", "labels"})["kubernetes.io/metadata.name"] = name;
    schema::ensure_object(object, {"spec"})["finalizers"] = json::array{"kubernetes"};
    object["status"] = json::object{{"phase", "Active"}};
  } else if (kind.group == "apps" && kind.name == "ReplicaSet") {
    object["status"] = json::object{{"replicas", 0}};
  } else if (kind.group == "apps" && kind.name == "Deployment") {
    object["status"] = json::object();
  }
}

void fold_string_data(json::object& secret) {
  const json::object* texts = schema::object_at(secret, {"stringData"});
  if (texts == nullptr) return;
  const json::object copy = *texts;
  secret.stable_erase("stringData");
  json::object& data = schema::ensure_object(secret, {"data"});
  for (const json::key_value_pair& entry : copy) {
    if (entry.value().is_string()) data[entry.key()] = encode_base64(entry.value().get_string());
  }
}

}  // namespace ebb::apiserver
