#include "control/list_page.h"

#include "model/pod_text.h"
#include "model/raw_json.h"
#include "model/wire_frames.h"

namespace ebb::control {
namespace {

using model::raw_member;

std::string_view unquoted(std::string_view text) {
  return text.size() >= 2 && text.front() == '"' ? text.substr(1, text.size() - 2) : "";
}

Result<ListPage> read_protobuf(std::string_view body) {
  auto envelope = model::open_envelope(body);
  if (!envelope) return propagate(envelope);
  auto list = model::read_list(envelope->message);
  if (!list) return propagate(list);
  ListPage page;
  page.format = Store::Format::kProtobuf;
  page.revision = model::parse_revision(list->resource_version);
  page.continue_token = list->continue_token;
  page.items = std::move(list->items);
  return page;
}

// The items are parsed by the store, one by one; a list that is cut off has lost its metadata or
// the end of its items, and either would be noticed.
Result<ListPage> read_json(std::string_view body) {
  ListPage page;
  bool has_items = false;
  model::RawJsonCursor members(body);
  while (const auto member = members.next()) {
    if (member->key == "metadata") {
      page.revision = model::parse_revision(unquoted(raw_member(member->text, "resourceVersion")));
      page.continue_token = unquoted(raw_member(member->text, "continue"));
    }
    if (member->key == "items") {
      has_items = true;
      model::RawJsonCursor items(member->text);
      while (const auto item = items.next()) page.items.push_back(item->text);
    }
  }
  if (!has_items) return fail(ErrorCode::kInvalidInput, "a list has no items");
  return page;
}

}  // namespace

Result<ListPage> read_page(std::string_view body) {
  Result<ListPage> page = body.starts_with("k8s") ? read_protobuf(body) : read_json(body);
  if (page && page->revision == 0) {
    return fail(ErrorCode::kInvalidInput, "a list has no resourceVersion to go on from");
  }
  return page;
}

}  // namespace ebb::control
