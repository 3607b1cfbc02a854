#include "control/deployment/set_views.h"

#include <utility>

#include "control/core/json_document.h"
#include "control/deployment/template_identity.h"
#include "schema/core/json.h"

namespace ebb::control::deployments {

namespace json = boost::json;

const SetView* SetViews::find(const ReplicaSet& set) const {
  const auto known = views_.find(std::string(set.uid.view()));
  // An upgraded API server may print the same version with more fields.
  const bool is_current = known != views_.end() &&
                          known->second.resource_version == set.resource_version &&
                          known->second.bytes == set.json.size();
  return is_current ? &known->second : nullptr;
}

const SetView* SetViews::read(const ReplicaSet& set, WorkBudget& budget) {
  if (const SetView* known = find(set)) return known;
  budget.spend(kUnitsPerDocument + units_to_parse(set.json.size()));
  auto document = parse_document(set.json);
  if (!document) return nullptr;
  SetView view = read_set(std::move(*document));
  if (const json::object* pod_template = schema::object_at(view.object, {"spec", "template"})) {
    view.template_digest = template_digest(*pod_template);
  }
  view.object = {};
  view.whole = false;
  view.bytes = set.json.size();
  SetView& kept = views_[std::string(set.uid.view())];
  kept = std::move(view);
  return &kept;
}

}  // namespace ebb::control::deployments
