// Validates the spec of pods and pod templates.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "apiserver/validation/check_container.h"
#include "apiserver/validation/checks.h"
#include "schema/core/json.h"

namespace ebb::apiserver {

namespace json = boost::json;

using schema::object_at;
using schema::text_at;

namespace {

// Returns the names of the volumes.
std::set<std::string_view> check_volumes(const json::object& spec, const FieldPath& path,
                                         FieldErrors& errors) {
  std::set<std::string_view> names;
  each_entry(spec, "volumes", path, [&](const json::object& volume, const FieldPath& volume_path) {
    const std::string_view name = text_at(volume, {"name"});
    if (!names.insert(name).second) errors.duplicate(below(volume_path, "name"), quoted(name));
    // Every field except the name is a source, and exactly one must be set. Kubernetes checks
    // emptyDir first.
    std::size_t sources = volume.contains("emptyDir") ? 1 : 0;
    for (const auto& member : volume) {
      if (member.key() == "name" || member.key() == "emptyDir" || ++sources == 1) continue;
      errors.forbidden(below(volume_path, member.key()), "may not specify more than 1 volume type");
    }
    if (sources == 0) errors.required(volume_path.text(), "must specify a volume type");
  });
  return names;
}

void check_toleration(const json::object& toleration, const FieldPath& path, FieldErrors& errors) {
  const std::string_view op = text_at(toleration, {"operator"});
  const std::string_view value = text_at(toleration, {"value"});
  const std::string_view effect = text_at(toleration, {"effect"});
  if (text_at(toleration, {"key"}).empty() && op != "Exists") {
    errors.invalid(below(path, "operator"), quoted(op),
                   "operator must be Exists when `key` is empty, which means \"match all values "
                   "and all keys\"");
  }
  if (toleration.contains("tolerationSeconds") && effect != "NoExecute") {
    errors.invalid(below(path, "effect"), quoted(effect),
                   "effect must be 'NoExecute' when `tolerationSeconds` is set");
  }
  // Kubernetes reports both at the operator.
  if (op == "Exists" && !value.empty()) {
    errors.invalid(below(path, "operator"), quoted(value),
                   "value must be empty when `operator` is 'Exists'");
  }
  if (op.empty() || op == "Equal") {
    errors.complain(FieldPath{.parent = &path, .name = "operator"}, value,
                    schema::label_value_errors(value));
  }
}

}  // namespace

void check_pod_spec(const json::object& spec, const FieldPath& path, FieldErrors& errors) {
  const std::set<std::string_view> volumes = check_volumes(spec, path, errors);
  check_containers(spec, volumes, path, errors);
  check_labels(object_at(spec, {"nodeSelector"}),
               FieldPath{.parent = &path, .name = "nodeSelector"}, errors);
  each_entry(spec, "tolerations", path,
             [&](const json::object& toleration, const FieldPath& toleration_path) {
               check_toleration(toleration, toleration_path, errors);
             });
}

}  // namespace ebb::apiserver
