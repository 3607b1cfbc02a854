// Namespaces, events, services and leases: what little there is to check.
#include <set>

#include <fmt/format.h>

#include "apiserver/checks.h"
#include "schema/json.h"

namespace ebb::apiserver {

namespace json = boost::json;

using schema::array_at;
using schema::object_at;
using schema::text_at;

namespace {

constexpr FieldPath kSpec{.name = "spec"};

// Newer events say more about themselves, and are held to it.
void check_new_event(const json::object& event, Findings& findings) {
  const std::string_view component = text_at(event, {"reportingComponent"});
  if (component.empty()) findings.required("reportingComponent");
  findings.complain(FieldPath{.name = "reportingComponent"}, component,
                    schema::qualified_name_complaints(component));
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
    if (one.required && text.empty()) findings.required(std::string(one.field));
    if (text.size() > one.most) {
      findings.invalid(std::string(one.field), R"("")",
                       fmt::format("can have at most {} characters", one.most));
    }
  }
}

void check_service_ports(const json::object& spec, Findings& findings) {
  const json::array* ports = array_at(spec, {"ports"});
  const bool several = ports != nullptr && ports->size() > 1;
  std::set<std::string_view> names;
  each_entry(spec, "ports", kSpec, [&](const json::object& port, const FieldPath& path) {
    const std::string_view name = text_at(port, {"name"});
    if (name.empty()) {
      if (several) findings.required(below(path, "name"));
      return;
    }
    findings.complain(FieldPath{.parent = &path, .name = "name"}, name,
                      schema::dns_label_complaints(name));
    if (!names.insert(name).second) findings.duplicate(below(path, "name"), quoted(name));
  });
}

}  // namespace

void check_namespace(const Write& write, Findings& findings) {
  const json::array* finalizers = array_at(write.spec(), {"finalizers"});
  if (finalizers == nullptr) return;
  for (const json::value& one : *finalizers) {
    if (!one.is_string()) continue;
    findings.complain(FieldPath{.parent = &kSpec, .name = "finalizers"}, one.get_string(),
                      schema::qualified_name_complaints(one.get_string()));
  }
}

void check_event(const Write& write, Findings& findings) {
  const json::object& event = write.object;
  const std::string_view own = text_at(event, {"metadata", "namespace"});
  const std::string_view other = text_at(event, {"involvedObject", "namespace"});
  const bool is_new = !text_at(event, {"eventTime"}).empty();
  // Events about what has no namespace are kept in the default one.
  const bool fits = other.empty()
                        ? own.empty() || own == "default" || (is_new && own == "kube-system")
                        : is_new || own == other;
  if (!fits) {
    findings.invalid("involvedObject.namespace", quoted(other), "does not match event.namespace");
  }
  if (is_new) check_new_event(event, findings);
}

void check_service(const Write& write, Findings& findings) {
  const json::object& spec = write.spec();
  const std::string_view type = text_at(spec, {"type"});
  const bool headless = text_at(spec, {"clusterIP"}) == "None";
  const json::array* ports = array_at(spec, {"ports"});
  if ((ports == nullptr || ports->empty()) && !headless && type != "ExternalName") {
    findings.required("spec.ports");
  }
  check_service_ports(spec, findings);
  check_labels(object_at(spec, {"selector"}), FieldPath{.parent = &kSpec, .name = "selector"},
               findings);
  if (type == "ExternalName") {
    std::string_view name = text_at(spec, {"externalName"});
    if (name.ends_with('.')) name.remove_suffix(1);
    if (name.empty()) {
      findings.required("spec.externalName");
    } else {
      findings.complain(FieldPath{.parent = &kSpec, .name = "externalName"}, name,
                        schema::dns_subdomain_complaints(name));
    }
  }
}

void check_lease(const Write& write, Findings& findings) {
  const json::object& spec = write.spec();
  if (!text_at(spec, {"preferredHolder"}).empty() && text_at(spec, {"strategy"}).empty()) {
    findings.forbidden("spec.preferredHolder", "may only be specified if `strategy` is defined");
  }
}

}  // namespace ebb::apiserver
