// Validates namespaces, events, services and leases.
#include <set>

#include <fmt/format.h>

#include "apiserver/validation/checks.h"
#include "schema/core/json.h"

namespace ebb::apiserver {

namespace json = boost::json;

using schema::array_at;
using schema::object_at;
using schema::text_at;

namespace {

// Events in the newer format have more required fields.
void check_new_event(const json::object& event, FieldErrors& errors) {
  const std::string_view component = text_at(event, {"reportingComponent"});
  if (component.empty()) errors.required("reportingComponent");
  errors.complain(FieldPath{.name = "reportingComponent"}, component,
                  schema::qualified_name_errors(component));
  const struct {
    std::string_view field;
    std::size_t most;
    bool required;
  } texts[] = {{"reportingInstance", 128, true},
               {"action", 128, true},
               {"reason", 128, true},
               {"message", 1024, false}};
  for (const auto& one : texts) {
    const std::string_view text = text_at(event, {one.field});
    if (one.required && text.empty()) errors.required(std::string(one.field));
    if (text.size() > one.most) {
      errors.invalid(std::string(one.field), R"("")",
                     fmt::format("can have at most {} characters", one.most));
    }
  }
}

void check_service_ports(const json::object& spec, FieldErrors& errors) {
  const json::array* ports = array_at(spec, {"ports"});
  const bool several = ports != nullptr && ports->size() > 1;
  std::set<std::string_view> names;
  each_entry(spec, "ports", kSpec, [&](const json::object& port, const FieldPath& path) {
    const std::string_view name = text_at(port, {"name"});
    if (name.empty()) {
      if (several) errors.required(below(path, "name"));
      return;
    }
    errors.complain(FieldPath{.parent = &path, .name = "name"}, name,
                    schema::dns_label_errors(name));
    if (!names.insert(name).second) errors.duplicate(below(path, "name"), quoted(name));
  });
}

}  // namespace

void check_namespace(const Write& write, FieldErrors& errors) {
  const json::array* finalizers = array_at(write.spec(), {"finalizers"});
  if (finalizers == nullptr) return;
  for (const json::value& one : *finalizers) {
    if (!one.is_string()) continue;
    errors.complain(FieldPath{.parent = &kSpec, .name = "finalizers"}, one.get_string(),
                    schema::qualified_name_errors(one.get_string()));
  }
}

void check_event(const Write& write, FieldErrors& errors) {
  const json::object& event = write.object;
  const std::string_view own = text_at(event, {"metadata", "namespace"});
  const std::string_view other = text_at(event, {"involvedObject", "namespace"});
  const bool is_new = !text_at(event, {"eventTime"}).empty();
  // Events about cluster-scoped objects live in the default namespace.
  const bool fits = other.empty()
                        ? own.empty() || own == "default" || (is_new && own == "kube-system")
                        : is_new || own == other;
  if (!fits) {
    errors.invalid("involvedObject.namespace", quoted(other), "does not match event.namespace");
  }
  if (is_new) check_new_event(event, errors);
}

void check_service(const Write& write, FieldErrors& errors) {
  const json::object& spec = write.spec();
  const std::string_view type = text_at(spec, {"type"});
  const bool headless = text_at(spec, {"clusterIP"}) == "None";
  const json::array* ports = array_at(spec, {"ports"});
  if ((ports == nullptr || ports->empty()) && !headless && type != "ExternalName") {
    errors.required("spec.ports");
  }
  check_service_ports(spec, errors);
  check_labels(object_at(spec, {"selector"}), FieldPath{.parent = &kSpec, .name = "selector"},
               errors);
  if (type == "ExternalName") {
    std::string_view name = text_at(spec, {"externalName"});
    if (name.ends_with('.')) name.remove_suffix(1);
    if (name.empty()) {
      errors.required("spec.externalName");
    } else {
      errors.complain(FieldPath{.parent = &kSpec, .name = "externalName"}, name,
                      schema::dns_subdomain_errors(name));
    }
  }
}

void check_lease(const Write& write, FieldErrors& errors) {
  const json::object& spec = write.spec();
  if (!text_at(spec, {"preferredHolder"}).empty() && text_at(spec, {"strategy"}).empty()) {
    errors.forbidden("spec.preferredHolder", "may only be specified if `strategy` is defined");
  }
}

}  // namespace ebb::apiserver
