#include "apiserver/response/table.h"

#include <utility>

#include <boost/json/array.hpp>

#include "schema/core/json.h"

namespace ebb::apiserver {

namespace json = boost::json;

namespace {

// Finished pods carry a condition, so that clients can hide them.
json::array row_conditions(const schema::Kind& kind, const json::object& object) {
  if (kind.name != "Pod") return {};
  const std::string_view phase = schema::text_at(object, {"status", "phase"});
  const bool succeeded = phase == "Succeeded";
  if (!succeeded && phase != "Failed") return {};
  return {{{"type", "Completed"},
           {"status", "True"},
           {"reason", phase},
           {"message", succeeded ? "The pod has completed successfully." : "The pod failed."}}};
}

}  // namespace

json::array table_columns(const schema::Kind& kind) {
  json::array columns;
  columns.reserve(kind.columns().size());
  for (const schema::PrinterColumn& column : kind.columns()) {
    columns.push_back({{"name", column.name},
                       {"type", column.type},
                       {"format", column.format},
                       {"description", column.description},
                       {"priority", column.priority}});
  }
  return columns;
}

json::object table_row(const schema::Kind& kind, const json::object& object, IncludeObject include,
                       Timestamp now) {
  json::array cells;
  cells.reserve(kind.columns().size());
  for (const schema::PrinterColumn& column : kind.columns())
    cells.push_back(column.cell(object, now));

  json::object row{{"cells", std::move(cells)}};
  json::array conditions = row_conditions(kind, object);
  if (!conditions.empty()) row["conditions"] = std::move(conditions);
  switch (include) {
    case IncludeObject::kNone:
      row["object"] = nullptr;
      break;
    case IncludeObject::kMetadata:
      row["object"] = partial_metadata(object);
      break;
    case IncludeObject::kObject:
      row["object"] = object;
      break;
  }
  return row;
}

json::object partial_metadata(const json::object& object) {
  json::object partial{{"kind", "PartialObjectMetadata"}, {"apiVersion", "meta.k8s.io/v1"}};
  const json::value* metadata = object.if_contains("metadata");
  partial["metadata"] = metadata == nullptr ? json::value(json::object()) : *metadata;
  return partial;
}

}  // namespace ebb::apiserver
