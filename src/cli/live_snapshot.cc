#include "cli/live_snapshot.h"

#include <array>
#include <chrono>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/buffer.h"
#include "model/read_snapshot.h"
#include "schema/json.h"

namespace ebb::cli {
namespace {

namespace json = boost::json;
using kube::ApiReply;
using plan::Request;
using schema::text_at;

constexpr Nanoseconds kDeadlineNs = 60 * kNanosecondsPerSecond;
constexpr int kPage = 500;
constexpr int kNotFound = 404;
constexpr int kForbidden = 403;
constexpr int kGone = 410;

struct Kind {
  std::string_view group;  // the path that stands before the namespace
  std::string_view plural;
  bool namespaced = true;
  bool optional = false;  // where the cluster has it, and shows it
};
constexpr Kind kDeployments{"/apis/apps/v1", "deployments"};
constexpr Kind kReplicaSets{"/apis/apps/v1", "replicasets"};
constexpr std::array kRead = {
    kDeployments,
    kReplicaSets,
    Kind{"/api/v1", "pods"},
    Kind{"/api/v1", "nodes", false, true},
    Kind{"/apis/ebb.dev/v1alpha1", "downscalepolicies", true, true},
    Kind{"/apis/ebb.dev/v1alpha1", "podgroupcosts", true, true},
};

const Kind& kind_of(const Request& request) {
  return request.kind == Request::Kind::kDeployment ? kDeployments : kReplicaSets;
}

// For one segment of a path, or a value in a query.
std::string escaped(std::string_view text) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
  std::string result;
  for (const char c : text) {
    if (kPlain.find(c) != std::string_view::npos) {
      result += c;
    } else {
      result += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return result;
}

std::string path_of(const Kind& kind, std::string_view name_space) {
  if (!kind.namespaced || name_space.empty()) return fmt::format("{}/{}", kind.group, kind.plural);
  return fmt::format("{}/namespaces/{}/{}", kind.group, escaped(name_space), kind.plural);
}

// Speaks up once something has taken two seconds, then once a second.
class Progress {
 public:
  explicit Progress(std::ostream& err) : err_(err) {}

  void reading(std::string_view plural) {
    plural_ = plural;
    pages_ = 0;
  }
  void page_over() { ++pages_; }
  void tick() {
    const auto now = std::chrono::steady_clock::now();
    if (now < next_) return;
    err_ << fmt::format("reading {}: {} so far\n", plural_, pages_ * kPage) << std::flush;
    next_ = now + std::chrono::seconds(1);
  }

 private:
  std::ostream& err_;
  std::string_view plural_;
  int pages_ = 0;
  std::chrono::steady_clock::time_point next_ =
      std::chrono::steady_clock::now() + std::chrono::seconds(2);
};

ApiReply ask(kube::Client& client, std::string path, std::string query, Progress* progress) {
  constexpr Nanoseconds kTickNs = kNanosecondsPerSecond / 4;
  model::ApiRequest request{
      .path = std::move(path), .query = std::move(query), .accept = "application/json"};
  std::optional<ApiReply> reply;
  client.send(request, kDeadlineNs, [&](ApiReply came) { reply = std::move(came); });
  while (!reply) {
    client.poll(kTickNs);
    if (progress != nullptr) progress->tick();
  }
  return std::move(*reply);
}

bool good(const ApiReply& reply) {
  return reply.failure == net::HttpReply::Failure::kNone && reply.response.code == 200;
}

json::object parsed(const std::string& text) {
  json::parse_options options;
  options.max_depth = 200;
  json::error_code error;
  json::value value = json::parse(text, error, {}, options);
  return !error && value.is_object() ? std::move(value.get_object()) : json::object();
}

// What kubectl would say, short of its first words.
tl::unexpected<Error> refused(const ApiReply& reply) {
  if (reply.failure != net::HttpReply::Failure::kNone) {
    return fail(ErrorCode::kIo, "cannot reach the cluster: " + reply.error);
  }
  const json::object status = parsed(reply.response.body.str());
  const std::string_view message = text_at(status, {"message"});
  const std::string_view reason = text_at(status, {"reason"});
  const ErrorCode code =
      reply.response.code == kNotFound ? ErrorCode::kNotFound : ErrorCode::kInvalidInput;
  if (message.empty()) {
    return fail(code, fmt::format("from server: it answered with code {}", reply.response.code));
  }
  return fail(code,
              fmt::format("from server ({}): {}", reason.empty() ? "Unknown" : reason, message));
}

// The token that asks for the next page. API servers write `metadata` before the items, which
// need not be looked through then.
std::string continue_of(std::string_view list) {
  const auto items = list.find("\"items\"");
  if (list.find("\"metadata\"") < items) list = list.substr(0, items);
  constexpr std::string_view kField = "\"continue\"";
  if (list.find(kField) == std::string_view::npos) return {};
  // The head of the list, made whole, is a document of its own.
  std::string head(list);
  if (items != std::string_view::npos && head.size() == items) head += "\"items\":[]}";
  return std::string(text_at(parsed(head), {"metadata", "continue"}));
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

Result<void> read_kind(kube::Client& client, const Kind& kind, std::string_view name_space,
                       Progress& progress, model::SnapshotReader& reader) {
  progress.reading(kind.plural);
  std::string next;
  do {
    std::string query = fmt::format("limit={}", kPage);
    if (!next.empty()) query += "&continue=" + escaped(next);
    const ApiReply reply = ask(client, path_of(kind, name_space), std::move(query), &progress);
    const int code = reply.response.code;
    const bool missing = reply.failure == net::HttpReply::Failure::kNone &&
                         (code == kNotFound || code == kForbidden);
    if (kind.optional && missing) return {};
    if (!next.empty() && code == kGone) {
      return fail(ErrorCode::kIo,
                  fmt::format("the {} changed while they were read: try again", kind.plural));
    }
    if (!good(reply)) return refused(reply);
    Buffer text;
    if (auto copied = copy(reply.response.body, text); !copied) return copied;
    auto added = reader.add(fmt::format("list of {}", kind.plural), text.text());
    if (!added) return added;
    progress.page_over();
    next = continue_of(text.text());
  } while (!next.empty());
  return {};
}

}  // namespace

Result<std::string> find_namespace(kube::Client& client, const Request& request) {
  const Kind& kind = kind_of(request);
  const ApiReply reply = ask(client, path_of(kind, {}),
                             "fieldSelector=metadata.name%3D" + escaped(request.name), nullptr);
  if (!good(reply)) return refused(reply);
  const json::object list = parsed(reply.response.body.str());
  std::vector<std::string> found;
  if (const json::array* items = schema::array_at(list, {"items"})) {
    for (const json::value& item : *items) {
      if (item.is_object())
        found.emplace_back(text_at(item.get_object(), {"metadata", "namespace"}));
    }
  }
  if (found.size() == 1) return std::move(found.front());
  if (found.empty()) {
    return fail(ErrorCode::kNotFound,
                fmt::format("no namespace has {} {}", kind.plural, request.name));
  }
  return fail(ErrorCode::kUsage,
              fmt::format("several namespaces have {} {}: {}; choose one with -n", kind.plural,
                          request.name, fmt::join(found, ", ")));
}

Result<model::Snapshot> read_live(kube::Client& client, const Request& request,
                                  const Streams& streams) {
  const Kind& kind = kind_of(request);
  // Asked for by itself, so that a wrong name is told as kubectl tells it.
  const ApiReply target =
      ask(client, fmt::format("{}/{}", path_of(kind, request.name_space), escaped(request.name)),
          {}, nullptr);
  if (!good(target)) return refused(target);
  Progress progress(streams.err);
  model::SnapshotReader reader;
  for (const Kind& one : kRead) {
    auto read = read_kind(client, one, request.name_space, progress, reader);
    if (!read) return propagate(read);
  }
  return std::move(reader).finish();
}

}  // namespace ebb::cli
