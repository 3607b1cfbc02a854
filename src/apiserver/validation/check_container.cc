// Validates the containers of pods and pod templates.
#include "apiserver/validation/check_container.h"

#include <string>
#include <unordered_set>

#include <fmt/format.h>

#include "apiserver/validation/checks.h"
#include "schema/core/json.h"

namespace ebb::apiserver {

namespace json = boost::json;

using schema::integer_at;
using schema::object_at;
using schema::text_at;

namespace {

// Detects duplicate texts.
class Seen {
 public:
  // Returns true if the text occurred before.
  bool again(std::string_view text) { return !texts_.insert(text).second; }

 private:
  std::unordered_set<std::string_view> texts_;
};

void check_ports(const json::object& container, const FieldPath& path, FieldErrors& errors) {
  Seen names;
  each_entry(container, "ports", path, [&](const json::object& port, const FieldPath& port_path) {
    const std::string_view name = text_at(port, {"name"});
    if (name.empty()) return;
    const schema::ErrorMessages complaints = schema::port_name_errors(name);
    errors.complain(FieldPath{.parent = &port_path, .name = "name"}, name, complaints);
    if (complaints.empty() && names.again(name)) {
      errors.duplicate(below(port_path, "name"), quoted(name));
    }
  });
}

void check_value_from(const json::object& variable, const json::object& source,
                      const FieldPath& path, FieldErrors& errors) {
  std::string_view problem;
  if (source.empty()) {
    problem =
        "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` "
        "or `fileKeyRef`";
  } else if (!text_at(variable, {"value"}).empty()) {
    problem = "may not be specified when `value` is not empty";
  } else if (source.size() > 1) {
    problem = "may not have more than one field specified at a time";
  }
  if (!problem.empty()) errors.invalid(below(path, "valueFrom"), R"("")", problem);
  for (const std::string_view field : {"configMapKeyRef", "secretKeyRef"}) {
    const std::string_view key = text_at(source, {field, "key"});
    if (key.empty()) continue;
    const FieldPath source_path{.parent = &path, .name = "valueFrom"};
    const FieldPath reference_path{.parent = &source_path, .name = field};
    errors.complain(FieldPath{.parent = &reference_path, .name = "key"}, key,
                    schema::config_key_errors(key));
  }
}

void check_environment(const json::object& container, const FieldPath& path, FieldErrors& errors) {
  each_entry(container, "env", path, [&](const json::object& variable, const FieldPath& env_path) {
    const std::string_view name = text_at(variable, {"name"});
    if (!name.empty()) {
      errors.complain(FieldPath{.parent = &env_path, .name = "name"}, name,
                      schema::environment_name_errors(name));
    }
    if (const json::object* source = object_at(variable, {"valueFrom"})) {
      check_value_from(variable, *source, env_path, errors);
    }
  });
}

void check_mounts(const json::object& container, const std::set<std::string_view>& volumes,
                  const FieldPath& path, FieldErrors& errors) {
  Seen paths;
  each_entry(container, "volumeMounts", path,
             [&](const json::object& mount, const FieldPath& mount_path) {
               const std::string_view name = text_at(mount, {"name"});
               if (!name.empty() && !volumes.contains(name)) {
                 errors.not_found(below(mount_path, "name"), quoted(name));
               }
               const std::string_view where = text_at(mount, {"mountPath"});
               if (paths.again(where)) {
                 errors.invalid(below(mount_path, "mountPath"), quoted(where), "must be unique");
               }
             });
}

void check_probe(const json::object& container, std::string_view field, const FieldPath& path,
                 FieldErrors& errors) {
  const json::object* probe = object_at(container, {field});
  if (probe == nullptr) return;
  const FieldPath probe_path{.parent = &path, .name = field};
  int handlers = 0;
  for (const std::string_view handler : {"exec", "httpGet", "tcpSocket", "grpc"}) {
    if (!probe->contains(handler) || ++handlers == 1) continue;
    errors.forbidden(below(probe_path, handler), "may not specify more than 1 handler type");
  }
  if (handlers == 0) errors.required(probe_path.text(), "must specify a handler type");
  // Only readiness probes may require more than one success.
  if (field != "readinessProbe") {
    const std::int64_t successes = integer_at(*probe, {"successThreshold"}).value_or(1);
    if (successes != 1) {
      errors.invalid(below(probe_path, "successThreshold"), fmt::format("{}", successes),
                     "must be 1");
    }
  }
}

constexpr std::string_view kProbes[] = {"livenessProbe", "readinessProbe", "startupProbe"};

// Two containers cannot use the same port of the node.
void check_host_ports(const json::object& spec, const FieldPath& path, FieldErrors& errors) {
  std::unordered_set<std::string> taken;
  each_entry(spec, "containers", path, [&](const json::object& one, const FieldPath& one_path) {
    each_entry(one, "ports", one_path, [&](const json::object& port, const FieldPath& port_path) {
      const std::int64_t number = integer_at(port, {"hostPort"}).value_or(0);
      if (number == 0) return;
      const std::string text =
          fmt::format("{}/{}/{}", text_at(port, {"protocol"}), text_at(port, {"hostIP"}), number);
      if (!taken.insert(text).second) {
        errors.duplicate(below(port_path, "hostPort"), quoted(text));
      }
    });
  });
}

}  // namespace

void check_containers(const json::object& spec, const std::set<std::string_view>& volumes,
                      const FieldPath& path, FieldErrors& errors) {
  Seen names;
  const auto common = [&](const json::object& container, const FieldPath& container_path) {
    const std::string_view name = text_at(container, {"name"});
    if (!name.empty() && names.again(name)) {
      errors.duplicate(below(container_path, "name"), quoted(name));
    }
    check_ports(container, container_path, errors);
    check_environment(container, container_path, errors);
    check_mounts(container, volumes, container_path, errors);
    if (const json::object* resources = object_at(container, {"resources"})) {
      check_container_resources(*resources,
                                FieldPath{.parent = &container_path, .name = "resources"}, errors);
    }
  };
  each_entry(spec, "containers", path, [&](const json::object& one, const FieldPath& one_path) {
    common(one, one_path);
    for (const std::string_view probe : kProbes) check_probe(one, probe, one_path, errors);
  });
  check_host_ports(spec, path, errors);
  each_entry(spec, "initContainers", path, [&](const json::object& one, const FieldPath& one_path) {
    common(one, one_path);
    const bool stays = text_at(one, {"restartPolicy"}) == "Always";
    if (!stays && one.contains("lifecycle")) {
      errors.forbidden(below(one_path, "lifecycle"),
                       "may not be set for init containers without restartPolicy=Always");
    }
    for (const std::string_view probe : kProbes) {
      if (stays) {
        check_probe(one, probe, one_path, errors);
      } else if (one.contains(probe)) {
        errors.forbidden(below(one_path, probe),
                         "may not be set for init containers without restartPolicy=Always");
      }
    }
  });
}

}  // namespace ebb::apiserver
