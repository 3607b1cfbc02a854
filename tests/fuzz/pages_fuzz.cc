// Fuzzes pages of lists. The fast reader agrees with a full parse, and a truncated page is
// rejected.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/serialize.hpp>

#include "base/check.h"
#include "control/cache/list_page.h"
#include "control/cache/live_pods.h"
#include "input.h"
#include "model/api/requests.h"
#include "model/component/kind_feed.h"
#include "model/records/pod_text.h"
#include "schema/core/json.h"

namespace {

namespace json = boost::json;
using ebb::control::ListPage;
using ebb::control::Store;
using ebb::fuzz::parse_plainly;
using ebb::schema::text_at;

bool is_inside(std::string_view part, std::string_view whole) {
  return part.empty() ||
         (part.data() >= whole.data() && part.data() + part.size() <= whole.data() + whole.size());
}

void check_same(const ListPage& page, const json::object& list) {
  const json::array* items = ebb::schema::array_at(list, {"items"});
  EBB_CHECK((items == nullptr ? 0 : items->size()) == page.items.size());
  for (std::size_t i = 0; i < page.items.size(); ++i) {
    const auto item = parse_plainly(page.items[i]);
    EBB_CHECK(item && *item == (*items)[i]);
  }
  const std::string_view revision = text_at(list, {"metadata", "resourceVersion"});
  EBB_CHECK(page.revision == ebb::model::parse_revision(revision));
  EBB_CHECK(page.continue_token == text_at(list, {"metadata", "continue"}));
}

// The page without its last byte, that is, after which nothing but blanks may follow.
void check_cut(std::string_view body) {
  const std::size_t last = body.find_last_not_of(" \t\r\n");
  EBB_CHECK(!ebb::control::read_page(body.substr(0, last)));
}

void check_page(std::string_view body) {
  const auto page = ebb::control::read_page(body);
  if (!page) {
    EBB_CHECK(ebb::fuzz::is_text(page.error().message));
    return;
  }
  EBB_CHECK(page->revision != 0);
  for (const std::string_view item : page->items) EBB_CHECK(is_inside(item, body));
  if (page->format == Store::Format::kProtobuf) return;
  const auto list = parse_plainly(body);
  if (!list || ebb::fuzz::has_odd_names(body)) return;
  check_same(*page, list->get_object());
  check_cut(body);
}

// The list of pods that is read in full finds those of the ReplicaSet and no others.
void check_live_pods(std::string_view body) {
  const auto live = ebb::control::read_live_pods(body, {.name = "web-7d4", .uid = "7f3a"});
  if (!live) {
    EBB_CHECK(ebb::fuzz::is_text(live.error().message));
    return;
  }
  const auto list = parse_plainly(body);
  if (!list || ebb::fuzz::has_odd_names(body)) return;
  const json::array* items = ebb::schema::array_at(list->get_object(), {"items"});
  EBB_CHECK(items != nullptr);
  std::size_t owned = 0;
  for (const json::value& item : *items) {
    const json::array* owners =
        ebb::schema::array_at(item.get_object(), {"metadata", "ownerReferences"});
    if (owners == nullptr) continue;
    for (const json::value& owner : *owners) {
      if (!owner.is_object() || !ebb::schema::is_true_at(owner.get_object(), {"controller"})) {
        continue;
      }
      const auto at = [&](std::string_view field) { return text_at(owner.get_object(), {field}); };
      if (at("uid") == "7f3a" && at("name") == "web-7d4" && at("kind") == "ReplicaSet") ++owned;
      break;
    }
  }
  EBB_CHECK(live->pods.size() == owned);
}

// The feed reports every object of the page, and then its end.
void check_feed(std::string_view body) {
  ebb::model::KindFeed feed(*ebb::model::pod_kind(),
                            ebb::model::KindFeed::Lists::kStreamingOrPages);
  (void)feed.next_request();
  std::size_t told = 0;
  const bool taken = feed.take_page(body, [&](const ebb::model::ObjectEvent& event) {
    EBB_CHECK(event.object != nullptr);
    ++told;
  });
  const auto list = parse_plainly(body);
  if (!taken || !list) return;
  const json::array* items = ebb::schema::array_at(list->get_object(), {"items"});
  // An object whose name occurs twice is reported as deleted in between.
  EBB_CHECK(items != nullptr && told <= 2 * items->size());
  EBB_CHECK(feed.synced() == text_at(list->get_object(), {"metadata", "continue"}).empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view body = ebb::fuzz::as_text(data, size);
  check_page(body);
  check_live_pods(body);
  check_feed(body);
  return 0;
}
