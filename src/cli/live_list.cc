#include "cli/live_list.h"

#include <cstring>
#include <string>

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <fmt/format.h>

#include "cli/buffer.h"
#include "model/list_query.h"
#include "model/wire_frames.h"
#include "schema/json.h"

namespace ebb::cli {
namespace {

namespace json = boost::json;
using kube::ApiReply;

constexpr std::string_view kJson = "application/json";
constexpr std::string_view kProtobuf = "application/vnd.kubernetes.protobuf,application/json";
// After so many lists whose place expired, all is asked for at once: one answer cannot expire.
constexpr int kMostBeginnings = 3;

constexpr int kForbidden = 403;
constexpr int kNotFound = 404;
constexpr int kNotAcceptable = 406;
constexpr int kGone = 410;
constexpr int kUnsupported = 415;

// The token that asks for the next page. API servers write `metadata` before the items, which
// need not be looked through then.
std::string continue_of(std::string_view list) {
  const auto items = list.find("\"items\"");
  if (list.find("\"metadata\"") < items) list = list.substr(0, items);
  if (list.find("\"continue\"") == std::string_view::npos) return {};
  // The head of the list, made whole, is a document of its own.
  std::string head(list);
  if (items != std::string_view::npos && head.size() == items) head += "\"items\":[]}";
  json::parse_options options;
  options.max_depth = 200;
  json::error_code error;
  const json::value value = json::parse(head, error, {}, options);
  if (error || !value.is_object()) return {};
  return std::string(schema::text_at(value.get_object(), {"metadata", "continue"}));
}

Result<void> copy(const Bytes& body, Buffer& into) {
  char* place = into.reserve(body.size());
  if (place == nullptr) return fail(ErrorCode::kIo, "the answer is too large for this machine");
  for (const Bytes::Segment& segment : body.segments()) {
    std::memcpy(place, segment.text.data(), segment.text.size());
    place += segment.text.size();
  }
  into.append(body.size());
  return {};
}

// One list of a kind, from the first page to the last.
class LiveList {
 public:
  LiveList(LiveRequests& requests, const LiveKind& kind, std::string_view name_space,
           model::SnapshotReader& reader)
      : requests_(requests),
        kind_(kind),
        path_(path_of(kind, name_space)),
        reader_(reader),
        start_(reader.mark()),
        protobuf_(kind.protobuf) {}

  [[nodiscard]] Result<void> read();

 private:
  // Whether the answer says that something has to be asked for in another way.
  [[nodiscard]] bool changes_course(const ApiReply& reply);
  // Leaves the token of the next page in `next_`.
  [[nodiscard]] Result<void> take_page(const ApiReply& reply);
  void tell_progress();

  LiveRequests& requests_;
  const LiveKind& kind_;
  const std::string path_;
  model::SnapshotReader& reader_;
  const model::SnapshotReader::Mark start_;
  bool protobuf_;
  int beginnings_ = 1;
  std::string next_;
};

Result<void> LiveList::read() {
  for (;;) {
    tell_progress();
    const bool in_pages = beginnings_ <= kMostBeginnings;
    const ApiReply reply = requests_.ask(path_, in_pages ? model::page_query(next_) : "",
                                         protobuf_ ? kProtobuf : kJson);
    const bool missing = answered_with(reply, kNotFound) || answered_with(reply, kForbidden);
    if (kind_.optional && missing) return {};
    if (changes_course(reply)) continue;
    if (!good(reply)) return refused(reply);
    if (auto taken = take_page(reply); !taken) return taken;
    if (next_.empty()) return {};
  }
}

bool LiveList::changes_course(const ApiReply& reply) {
  if (protobuf_ && (answered_with(reply, kNotAcceptable) || answered_with(reply, kUnsupported))) {
    protobuf_ = false;
    return true;
  }
  if (next_.empty() || !answered_with(reply, kGone)) return false;
  reader_.take_back(start_);
  next_.clear();
  ++beginnings_;
  return true;
}

Result<void> LiveList::take_page(const ApiReply& reply) {
  Buffer text;
  if (auto copied = copy(reply.response.body, text); !copied) return copied;
  const std::string source = fmt::format("list of {}", kind_.plural);
  if (!text.text().starts_with(model::kProtobufMagic)) {
    auto added = reader_.add(source, text.text());
    if (added) next_ = continue_of(text.text());
    return added;
  }
  auto token = reader_.add_protobuf_list(source, text.text());
  if (!token) return propagate(token);
  next_ = std::move(*token);
  return {};
}

void LiveList::tell_progress() {
  requests_.now_doing(
      fmt::format("reading {}: {} so far", kind_.plural, reader_.count() - start_.count));
}

}  // namespace

std::string path_of(const LiveKind& kind, std::string_view name_space) {
  if (!kind.namespaced || name_space.empty()) return fmt::format("{}/{}", kind.group, kind.plural);
  return fmt::format("{}/namespaces/{}/{}", kind.group, model::percent_encoded(name_space),
                     kind.plural);
}

Result<void> read_kind(LiveRequests& requests, const LiveKind& kind, std::string_view name_space,
                       model::SnapshotReader& reader) {
  return LiveList(requests, kind, name_space, reader).read();
}

}  // namespace ebb::cli
