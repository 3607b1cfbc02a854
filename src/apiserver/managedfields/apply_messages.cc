#include "apiserver/managedfields/apply_messages.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "apiserver/decode/scalar.h"
#include "schema/core/json.h"

namespace ebb::apiserver {

namespace json = boost::json;

model::Status conflict_status(const FieldConflicts& conflicts) {
  model::Status status;
  status.code = 409;
  status.reason = "Conflict";
  std::string list;
  for (const FieldConflict& conflict : conflicts) {
    const std::string manager = conflict.manager.text();
    list += fmt::format("{}conflicts with {}:", list.empty() ? "" : "\n", manager);
    for (const std::string& path : path_texts(conflict.fields)) {
      status.causes.push_back(
          {"FieldManagerConflict", fmt::format("conflict with {}", manager), path});
      list += "\n- " + path;
    }
  }
  if (status.causes.size() == 1) {
    status.message = fmt::format("Apply failed with 1 conflict: {}: {}", status.causes[0].message,
                                 status.causes[0].field);
  } else {
    status.message = fmt::format("Apply failed with {} conflicts: {}", status.causes.size(), list);
  }
  return status;
}

model::Status unnamed_error(std::string message) {
  model::Status status;
  status.code = 500;
  status.message = std::move(message);
  return status;
}

model::Status no_object(const json::value& body) {
  return model::bad_request(
      fmt::format("error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot "
                  "unmarshal {} into Go value of type map[string]interface {{}}",
                  json_type(body)));
}

std::string type_text(std::string_view api_version, std::string_view kind) {
  // Kubernetes prints the empty name of the core group with its slash.
  const bool has_group = api_version.find('/') != std::string_view::npos;
  return fmt::format("{}{}, Kind={}", has_group ? "" : "/", api_version, kind);
}

std::string object_text(const json::object& object) {
  return fmt::format(
      "{}/{}; {}", schema::text_at(object, {"metadata", "namespace"}),
      schema::text_at(object, {"metadata", "name"}),
      type_text(schema::text_at(object, {"apiVersion"}), schema::text_at(object, {"kind"})));
}

}  // namespace ebb::apiserver
