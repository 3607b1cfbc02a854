#include "control/cache/list_page.h"

#include "model/json/raw_json.h"
#include "model/protobuf/wire_frames.h"
#include "model/records/pod_text.h"

namespace ebb::control {
namespace {

using model::raw_member;

std::string_view unquoted(std::string_view text) {
  return text.size() >= 2 && text.front() == '"' ? text.substr(1, text.size() - 2) : "";
}

Result<ListPage> read_protobuf(std::string_view body) {
  EBB_ASSIGN_OR_RETURN(auto envelope, model::open_envelope(body));
  EBB_ASSIGN_OR_RETURN(auto list, model::read_list(envelope.message));
  ListPage page;
  page.format = Store::Format::kProtobuf;
  page.revision = model::parse_revision(list.resource_version);
  page.continue_token = list.continue_token;
  page.items = std::move(list.items);
  return page;
}

tl::unexpected<Error> refuse(const char* why) { return fail(ErrorCode::kInvalidInput, why); }

Result<void> read_items(std::string_view text, ListPage& page) {
  if (text == "null") return {};  // an empty list: Go encodes a nil slice like this
  model::RawJsonCursor items(text);
  while (const auto item = items.next()) page.items.push_back(item->text);
  if (!text.starts_with('[') || !items.complete()) return refuse("items is not an array");
  return {};
}

// The store parses items one by one, but cannot notice items that are not found here, and would
// treat them as deleted. So a page is rejected unless it is valid to its end.
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
      if (has_items) return refuse("the list has the field items twice");
      has_items = true;
      EBB_RETURN_IF_ERROR(read_items(member->text, page));
    }
  }
  if (!members.complete()) return refuse("the list is truncated or not valid JSON");
  if (!has_items) return refuse("the list has no field items");
  // Tokens are sent back unchanged, and API servers encode them in base64.
  if (page.continue_token.find('\\') != std::string_view::npos) {
    return refuse("the continue token of the list contains escapes (expected base64)");
  }
  return page;
}

}  // namespace

Result<ListPage> read_page(std::string_view body) {
  Result<ListPage> page = body.starts_with("k8s") ? read_protobuf(body) : read_json(body);
  if (page && page->revision == 0) {
    return fail(ErrorCode::kInvalidInput, "the list has no resourceVersion to watch from");
  }
  return page;
}

}  // namespace ebb::control
