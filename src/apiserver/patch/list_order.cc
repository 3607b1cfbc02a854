#include "apiserver/patch/list_order.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include "apiserver/decode/go_text.h"
#include "apiserver/patch/patch_directives.h"
#include "model/json/printable.h"

namespace ebb::apiserver {

namespace json = boost::json;
using model::StatusOr;
using schema::Field;

namespace {

using Positions = std::unordered_map<std::string_view, std::size_t>;

Positions positions_of(const std::vector<std::string>& identities) {
  Positions positions;
  for (std::size_t i = 0; i < identities.size(); ++i) {
    if (!identities[i].empty()) positions.emplace(identities[i], i);
  }
  return positions;
}

// An entry to be placed.
struct Placed {
  json::value* entry;
  std::string_view identity;
};

// Returns true if both existed before, `a` in front of `b`.
bool stood_before(const Positions& before, const Placed& a, const Placed& b) {
  const auto first = before.find(a.identity);
  const auto second = before.find(b.identity);
  return first != before.end() && second != before.end() && first->second < second->second;
}

}  // namespace

std::string identity_of(const Field& list, const json::value& entry) {
  if (list.merge_key.empty()) return json::serialize(entry);
  const json::object* object = entry.if_object();
  const json::value* key = object == nullptr ? nullptr : object->if_contains(list.merge_key);
  return key == nullptr || key->is_null() ? std::string() : json::serialize(*key);
}

std::vector<std::string> identities_of(const Field& list, const json::array& entries) {
  std::vector<std::string> identities;
  identities.reserve(entries.size());
  for (const json::value& entry : entries) identities.push_back(identity_of(list, entry));
  return identities;
}

void order_entries(const Field& list, json::array& entries, const std::vector<std::string>& named,
                   const std::vector<std::string>& before) {
  const std::vector<std::string> identities = identities_of(list, entries);
  const Positions in_patch = positions_of(named);
  const Positions in_list = positions_of(before);
  std::vector<Placed> ours;
  std::vector<Placed> others;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    (in_patch.contains(identities[i]) ? ours : others).push_back({&entries[i], identities[i]});
  }
  std::stable_sort(ours.begin(), ours.end(), [&](const Placed& a, const Placed& b) {
    return in_patch.at(a.identity) < in_patch.at(b.identity);
  });
  json::array ordered(entries.storage());
  ordered.reserve(entries.size());
  auto our = ours.begin();
  auto other = others.begin();
  while (our != ours.end() || other != others.end()) {
    const bool take_other =
        our == ours.end() || (other != others.end() && stood_before(in_list, *other, *our));
    ordered.push_back(std::move(*(take_other ? other++ : our++)->entry));
  }
  entries = std::move(ordered);
}

StatusOr<std::vector<std::string>> read_element_order(const Field& list, const json::array& order,
                                                      const std::vector<std::string>& in_patch) {
  std::vector<std::string> named;
  named.reserve(order.size());
  for (const json::value& entry : order) {
    const json::object* object = entry.if_object();
    if (!list.merge_key.empty() && object == nullptr) {
      return tl::unexpected(bad_type(json::kind::object, entry));
    }
    named.push_back(identity_of(list, entry));
    if (named.back().empty()) return tl::unexpected(no_merge_key(*object, list.merge_key));
  }
  auto next = in_patch.begin();
  for (auto one = named.begin(); one != named.end() && next != in_patch.end(); ++one) {
    if (*one == *next) ++next;
  }
  if (next != in_patch.end() && !order.empty()) {
    return tl::unexpected(model::bad_request(model::printable_and_short(
        fmt::format("The order in patch list: [{}] doesn't match $setElementOrder list: {}",
                    fmt::join(in_patch, " "), go_text(order)))));
  }
  return named;
}

}  // namespace ebb::apiserver
