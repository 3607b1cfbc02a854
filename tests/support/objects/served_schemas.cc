#include "support/objects/served_schemas.h"

#include "schema/core/kind.h"
#include "schema/schemas/schemas_apps.h"
#include "schema/schemas/schemas_meta.h"
#include "schema/schemas/schemas_pod.h"
#include "schema/schemas/schemas_reviews.h"
#include "schema/schemas/schemas_subresources.h"

namespace ebb::testing {

using schema::Field;
using schema::Kind;
using schema::ObjectSchema;

namespace {

void collect(const ObjectSchema& schema, std::set<const ObjectSchema*>& into) {
  if (!into.insert(&schema).second) return;
  for (const Field& field : schema.fields) {
    if (field.schema != nullptr) collect(*field.schema, into);
  }
}

}  // namespace

std::set<const ObjectSchema*> served_schemas() {
  std::set<const ObjectSchema*> schemas;
  for (const Kind& kind : schema::kinds()) collect(*kind.schema, schemas);
  for (const Kind& kind : schema::review_kinds()) collect(*kind.schema, schemas);
  for (const ObjectSchema* schema :
       {&schema::kDeleteOptions, &schema::kStatus, &schema::kListMeta,
        &schema::kPartialObjectMetadata, &schema::kBinding, &schema::kEviction, &schema::kScale}) {
    collect(*schema, schemas);
  }
  return schemas;
}

}  // namespace ebb::testing
