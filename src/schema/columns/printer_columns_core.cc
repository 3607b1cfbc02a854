// The columns of small kinds.
#include "schema/columns/cells.h"
#include "schema/columns/printer_columns.h"

namespace ebb::schema {
namespace {

json::value phase_cell(const json::object& object, Timestamp /*now*/) {
  return json::value(text_at(object, {"status", "phase"}));
}

json::value type_cell(const json::object& secret, Timestamp /*now*/) {
  return json::value(text_at(secret, {"type"}));
}

// The number of keys.
json::value data_cell(const json::object& object, Timestamp /*now*/) {
  std::int64_t keys = 0;
  for (const std::string_view field : {"data", "binaryData"}) {
    if (const json::object* data = object_at(object, {field})) {
      keys += static_cast<std::int64_t>(data->size());
    }
  }
  return keys;
}

json::value holder_cell(const json::object& lease, Timestamp /*now*/) {
  return json::value(text_at(lease, {"spec", "holderIdentity"}));
}

json::value webhooks_cell(const json::object& configuration, Timestamp /*now*/) {
  const json::array* webhooks = array_at(configuration, {"webhooks"});
  return webhooks == nullptr ? std::int64_t{0} : static_cast<std::int64_t>(webhooks->size());
}

constexpr PrinterColumn kNamespaceColumns[] = {
    kNameColumn,
    {"Status", "string", "", 0, "Active or Terminating.", phase_cell},
    kAgeColumn,
};

constexpr PrinterColumn kSecretColumns[] = {
    kNameColumn,
    {"Type", "string", "", 0, "The type of the Secret.", type_cell},
    {"Data", "string", "", 0, "The number of keys.", data_cell},
    kAgeColumn,
};

constexpr PrinterColumn kConfigMapColumns[] = {
    kNameColumn,
    {"Data", "string", "", 0, "The number of keys.", data_cell},
    kAgeColumn,
};

constexpr PrinterColumn kServiceAccountColumns[] = {kNameColumn, kAgeColumn};

constexpr PrinterColumn kLeaseColumns[] = {
    kNameColumn,
    {"Holder", "string", "", 0, "The holder of the lease.", holder_cell},
    kAgeColumn,
};

constexpr PrinterColumn kWebhookConfigurationColumns[] = {
    kNameColumn,
    {"Webhooks", "integer", "", 0, "The number of webhooks.", webhooks_cell},
    kAgeColumn,
};

}  // namespace

std::span<const PrinterColumn> namespace_columns() { return kNamespaceColumns; }
std::span<const PrinterColumn> secret_columns() { return kSecretColumns; }
std::span<const PrinterColumn> configmap_columns() { return kConfigMapColumns; }
std::span<const PrinterColumn> serviceaccount_columns() { return kServiceAccountColumns; }
std::span<const PrinterColumn> lease_columns() { return kLeaseColumns; }

std::span<const PrinterColumn> webhook_configuration_columns() {
  return kWebhookConfigurationColumns;
}

}  // namespace ebb::schema
