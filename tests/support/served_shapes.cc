#include "support/served_shapes.h"

#include "schema/kind.h"
#include "schema/shapes_apps.h"
#include "schema/shapes_meta.h"
#include "schema/shapes_pod.h"
#include "schema/shapes_reviews.h"
#include "schema/shapes_subresources.h"

namespace ebb::testing {

using schema::Field;
using schema::Kind;
using schema::Shape;

namespace {

void collect(const Shape& shape, std::set<const Shape*>& into) {
  if (!into.insert(&shape).second) return;
  for (const Field& field : shape.fields) {
    if (field.shape != nullptr) collect(*field.shape, into);
  }
}

}  // namespace

std::set<const Shape*> served_shapes() {
  std::set<const Shape*> shapes;
  for (const Kind& kind : schema::kinds()) collect(*kind.shape, shapes);
  for (const Kind& kind : schema::review_kinds()) collect(*kind.shape, shapes);
  for (const Shape* shape :
       {&schema::kDeleteOptions, &schema::kStatus, &schema::kListMeta,
        &schema::kPartialObjectMetadata, &schema::kBinding, &schema::kEviction, &schema::kScale}) {
    collect(*shape, shapes);
  }
  return shapes;
}

}  // namespace ebb::testing
