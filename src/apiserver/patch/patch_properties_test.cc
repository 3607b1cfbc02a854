// Properties of patches: random small documents of a small schema.
#include <string>
#include <utility>
#include <vector>

#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "apiserver/patch/patch.h"
#include "support/objects/patch_schemas.h"

namespace ebb::apiserver {
namespace {

namespace json = boost::json;
using testing::kObject;

int pick(int below) { return *rc::gen::inRange(0, below); }
bool coin() { return pick(2) == 0; }

std::string pick_name() { return std::string(1, static_cast<char>('a' + pick(4))); }

json::array any_names() {
  json::array names;
  for (const char* name : {"a", "b", "c"}) {
    if (coin()) names.emplace_back(name);
  }
  return names;
}

// Each key at most once, in any order.
template <class Key, class Fill>
json::array any_entries(const char* key_name, const std::vector<Key>& keys, Fill fill) {
  json::array entries;
  for (const Key& key : keys) {
    if (coin()) continue;
    json::object entry{{key_name, key}};
    fill(entry);
    entries.insert(entries.begin() + pick(static_cast<int>(entries.size()) + 1), std::move(entry));
  }
  return entries;
}

json::object any_container_part() {
  json::object part;
  if (coin()) part["image"] = pick_name();
  if (coin()) part["command"] = any_names();
  if (coin()) {
    part["ports"] = any_entries("containerPort", std::vector{80, 443, 53}, [](json::object& port) {
      if (coin()) port["protocol"] = "UDP";
    });
  }
  return part;
}

// No nulls, no directives: what a document can be.
json::object any_document() {
  json::object metadata;
  json::object spec;
  if (coin()) metadata["labels"] = {{pick_name(), pick_name()}, {pick_name(), pick_name()}};
  if (coin()) metadata["finalizers"] = any_names();
  if (coin()) spec["tolerations"] = {{{"key", pick_name()}}};
  if (coin()) spec["replicas"] = pick(3);
  if (coin()) spec["strategy"] = {{"type", pick_name()}};
  if (coin()) {
    spec["containers"] =
        any_entries("name", std::vector<std::string>{"a", "b", "c"}, [](json::object& container) {
          for (auto& field : any_container_part()) container[field.key()] = field.value();
        });
  }
  return {{"metadata", std::move(metadata)}, {"spec", std::move(spec)}};
}

RC_GTEST_PROP(StrategicMergePatch, OfNothingChangesNothing, ()) {
  const json::object document = any_document();
  const auto result = strategic_merge_patch(kObject, document, {});
  RC_ASSERT(result.has_value());
  RC_ASSERT(json::serialize(*result) == json::serialize(document));
}

RC_GTEST_PROP(StrategicMergePatch, OfTheDocumentItselfChangesNothing, ()) {
  const json::object document = any_document();
  const auto result = strategic_merge_patch(kObject, document, document);
  RC_ASSERT(result.has_value());
  RC_ASSERT(json::serialize(*result) == json::serialize(document));
}

RC_GTEST_PROP(StrategicMergePatch, TwiceIsAsGoodAsOnce, ()) {
  const json::object patch = any_document();
  const auto once = strategic_merge_patch(kObject, any_document(), patch);
  RC_ASSERT(once.has_value());
  const auto twice = strategic_merge_patch(kObject, *once, patch);
  RC_ASSERT(twice.has_value());
  RC_ASSERT(json::serialize(*twice) == json::serialize(*once));
}

// With a $setElementOrder that names everything, the result has exactly that order.
RC_GTEST_PROP(StrategicMergePatch, PutsAllEntriesWhereTheyAreWanted, ()) {
  const json::object document = any_document();
  std::vector<std::string> order{"a", "b", "c"};
  std::swap(order[0], order[static_cast<std::size_t>(pick(3))]);
  std::swap(order[1], order[1U + static_cast<std::size_t>(pick(2))]);
  json::array wanted;
  for (const std::string& name : order) wanted.emplace_back(json::object{{"name", name}});
  const auto result = strategic_merge_patch(kObject, document,
                                            {{"spec", {{"$setElementOrder/containers", wanted}}}});
  RC_ASSERT(result.has_value());
  std::size_t next = 0;
  const json::value* containers = result->at("spec").as_object().if_contains("containers");
  if (containers == nullptr) return;
  for (const json::value& container : containers->as_array()) {
    while (next < order.size() && container.at("name").as_string() != order[next]) ++next;
    RC_ASSERT(next < order.size());
  }
  RC_ASSERT(containers->as_array().size() ==
            document.at("spec").at("containers").as_array().size());
}

RC_GTEST_PROP(MergePatch, OfTheDocumentItselfChangesNothing, ()) {
  const json::object document = any_document();
  RC_ASSERT(json::serialize(merge_patch(document, document)) == json::serialize(document));
}

}  // namespace
}  // namespace ebb::apiserver
