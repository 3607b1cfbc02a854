#include "cli/plan/live_list.h"

#include <cstring>
#include <string>

#include <fmt/format.h>

#include "cli/common/buffer.h"
#include "control/cache/list_page.h"
#include "model/api/list_query.h"
#include "model/protobuf/wire_frames.h"

namespace ebb::cli {
namespace {

using kube::ApiReply;

constexpr std::string_view kJson = "application/json";
constexpr std::string_view kProtobuf = "application/vnd.kubernetes.protobuf,application/json";
// After this many lists whose continue token expired, the list is read without paging, because a
// single answer cannot expire.
constexpr int kMaxBeginnings = 3;

constexpr int kForbidden = 403;
constexpr int kNotFound = 404;
constexpr int kNotAcceptable = 406;
constexpr int kGone = 410;
constexpr int kUnsupported = 415;

Result<void> copy(const Bytes& body, Buffer& into) {
  char* place = into.reserve(body.size());
  if (place == nullptr)
    return fail(ErrorCode::kIo, "not enough memory for the API server's answer");
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
  LiveList(LiveRequests& requests, const LiveKind& kind, std::string_view namespace_name,
           model::SnapshotReader& reader)
      : requests_(requests),
        kind_(kind),
        path_(path_of(kind, namespace_name)),
        reader_(reader),
        start_(reader.mark()),
        protobuf_(kind.protobuf) {}

  [[nodiscard]] Result<void> read();

 private:
  // Whether the answer requires another way of reading the list.
  [[nodiscard]] bool changes_course(const ApiReply& reply);
  // Stores the token for the next page in `next_`.
  [[nodiscard]] Result<void> take_page(const ApiReply& reply);
  void report_progress();

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
    report_progress();
    const bool in_pages = beginnings_ <= kMaxBeginnings;
    const ApiReply reply = requests_.ask(path_, in_pages ? model::page_query(next_) : "",
                                         protobuf_ ? kProtobuf : kJson);
    const bool missing = answered_with(reply, kNotFound) || answered_with(reply, kForbidden);
    if (kind_.optional && missing) return {};
    if (changes_course(reply)) continue;
    if (!good(reply)) return refused(reply);
    EBB_RETURN_IF_ERROR(take_page(reply));
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
  EBB_RETURN_IF_ERROR(copy(reply.response.body, text));
  const std::string source = fmt::format("list of {}", kind_.plural);
  if (!text.text().starts_with(model::kProtobufMagic)) {
    EBB_RETURN_IF_ERROR(reader_.add(source, text.text()));
    const auto page = control::read_page(text.text());
    if (!page) return fail(page.error().code, fmt::format("{}: {}", source, page.error().message));
    next_ = page->continue_token;
    return {};
  }
  EBB_ASSIGN_OR_RETURN(next_, reader_.add_protobuf_list(source, text.text()));
  return {};
}

void LiveList::report_progress() {
  requests_.now_doing(
      fmt::format("reading {}: {} so far", kind_.plural, reader_.count() - start_.count));
}

}  // namespace

std::string path_of(const LiveKind& kind, std::string_view namespace_name) {
  if (!kind.namespaced || namespace_name.empty())
    return fmt::format("{}/{}", kind.group, kind.plural);
  return fmt::format("{}/namespaces/{}/{}", kind.group, model::percent_encoded(namespace_name),
                     kind.plural);
}

Result<void> read_kind(LiveRequests& requests, const LiveKind& kind,
                       std::string_view namespace_name, model::SnapshotReader& reader) {
  return LiveList(requests, kind, namespace_name, reader).read();
}

}  // namespace ebb::cli
