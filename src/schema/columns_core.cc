// The kinds of which there is little to show.
#include "schema/cells.h"
#include "schema/columns.h"

namespace ebb::schema {
namespace {

json::value phase_cell(const json::object& object, Timestamp /*now*/) {
  return json::value(text_at(object, {"status", "phase"}));
}

json::value type_cell(const json::object& secret, Timestamp /*now*/) {
  return json::value(text_at(secret, {"type"}));
}

// How many keys there are.
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

constexpr Column kNamespaceColumns[] = {
    kNameColumn,
    {"Status", "string", "", 0, "Active, or Terminating.", phase_cell},
    kAgeColumn,
};

constexpr Column kSecretColumns[] = {
    kNameColumn,
    {"Type", "string", "", 0, "What the secret is for.", type_cell},
    {"Data", "string", "", 0, "How many keys it has.", data_cell},
    kAgeColumn,
};

constexpr Column kConfigMapColumns[] = {
    kNameColumn,
    {"Data", "string", "", 0, "How many keys it has.", data_cell},
    kAgeColumn,
};

constexpr Column kServiceAccountColumns[] = {kNameColumn, kAgeColumn};

constexpr Column kLeaseColumns[] = {
    kNameColumn,
    {"Holder", "string", "", 0, "Who holds the lease.", holder_cell},
    kAgeColumn,
};

constexpr Column kWebhookConfigurationColumns[] = {
    kNameColumn,
    {"Webhooks", "integer", "", 0, "How many webhooks it has.", webhooks_cell},
    kAgeColumn,
};

}  // namespace

std::span<const Column> namespace_columns() { return kNamespaceColumns; }
std::span<const Column> secret_columns() { return kSecretColumns; }
std::span<const Column> configmap_columns() { return kConfigMapColumns; }
std::span<const Column> serviceaccount_columns() { return kServiceAccountColumns; }
std::span<const Column> lease_columns() { return kLeaseColumns; }

std::span<const Column> webhook_configuration_columns() { return kWebhookConfigurationColumns; }

}  // namespace ebb::schema
