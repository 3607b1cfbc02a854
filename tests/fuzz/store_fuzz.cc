// Fuzzes objects on their way into a controller's cache. Each line is an object; the byte before
// it selects the kind, the format, and whether the object is added or deleted. A rejected object
// leaves the cache unchanged, and a deleted one is gone.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "control/cache/store.h"
#include "input.h"
#include "schema/core/json.h"

namespace {

using ebb::control::Resource;
using ebb::control::Store;

constexpr Resource kResources[] = {
    Resource::kPods,  Resource::kReplicaSets, Resource::kDeployments, Resource::kPolicies,
    Resource::kNodes, Resource::kGroupCosts,  Resource::kDecisions};

// The cached JSON of a ReplicaSet is the same document without its managedFields.
void check_kept(const Store& store, std::string_view text) {
  const auto given = ebb::fuzz::parse_plainly(text);
  if (!given || ebb::fuzz::has_odd_names(text)) return;
  const auto& object = given->get_object();
  const auto at = [&](std::string_view field) {
    return ebb::schema::text_at(object, {"metadata", field});
  };
  const std::string_view space = at("namespace").empty() ? "default" : at("namespace");
  const auto* set = store.replica_set(space, at("name"));
  if (set == nullptr || set->uid.view() != at("uid")) return;
  const auto kept = ebb::fuzz::parse_plainly(set->json);
  EBB_CHECK(kept.has_value() && kept->is_object());
  EBB_CHECK(!kept->get_object().at("metadata").get_object().contains("managedFields"));
}

void put(Store& store, unsigned choice, std::string_view text) {
  const Resource resource = kResources[choice % std::size(kResources)];
  const bool may_be_protobuf = resource == Resource::kPods || resource == Resource::kNodes;
  const auto format =
      may_be_protobuf && (choice & 64U) != 0 ? Store::Format::kProtobuf : Store::Format::kJson;
  const std::size_t before = store.pods();
  if ((choice & 128U) != 0) {
    (void)store.remove(resource, format, text);
    EBB_CHECK(store.pods() <= before);
    return;
  }
  const auto taken = store.upsert(resource, format, text);
  EBB_CHECK(store.pods() <= before + 1);
  if (taken && resource == Resource::kReplicaSets) check_kept(store, text);
  if (!taken) EBB_CHECK(ebb::fuzz::is_text(taken.error().message));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view input = ebb::fuzz::as_text(data, size);
  Store store;
  for (int objects = 0; !input.empty() && objects < 50; ++objects) {
    const auto choice = static_cast<unsigned char>(input.front());
    input.remove_prefix(1);
    put(store, choice, ebb::fuzz::take_until(input, '\n'));
  }
  store.tidy();
  for (const Resource resource : kResources) {
    store.begin_listing(resource);
    store.end_listing(resource);
  }
  EBB_CHECK(store.pods() == 0);
  return 0;
}
