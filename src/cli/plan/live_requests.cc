#include "cli/plan/live_requests.h"

#include <optional>
#include <utility>

#include <fmt/format.h>

#include "control/core/json_document.h"

namespace ebb::cli {
namespace {

using kube::ApiReply;

constexpr Nanoseconds kDeadlineNs = 60 * kNanosecondsPerSecond;
constexpr Nanoseconds kTickNs = kNanosecondsPerSecond / 4;
constexpr std::chrono::seconds kQuietFor{2};
constexpr std::chrono::seconds kBetweenWords{1};
constexpr int kHttpNotFound = 404;

}  // namespace

LiveRequests::LiveRequests(kube::Client& client, std::ostream& err)
    : client_(client), err_(err), next_words_(std::chrono::steady_clock::now() + kQuietFor) {}

ApiReply LiveRequests::ask(std::string path, std::string query, std::string_view accept) {
  const model::ApiRequest request{
      .path = std::move(path), .query = std::move(query), .accept = std::string(accept)};
  std::optional<ApiReply> reply;
  client_.send(request, kDeadlineNs, [&](ApiReply came) { reply = std::move(came); });
  while (!reply) {
    client_.poll(kTickNs);
    speak_up();
  }
  return std::move(*reply);
}

void LiveRequests::speak_up() {
  const auto now = std::chrono::steady_clock::now();
  if (now < next_words_) return;
  err_ << doing_ << '\n' << std::flush;
  next_words_ = now + kBetweenWords;
}

bool good(const ApiReply& reply) { return answered_with(reply, 200); }

bool answered_with(const ApiReply& reply, int code) {
  return reply.failure == net::HttpReply::Failure::kNone && reply.response.code == code;
}

tl::unexpected<Error> refused(const ApiReply& reply) {
  if (reply.failure != net::HttpReply::Failure::kNone) {
    return fail(ErrorCode::kIo, "cannot reach the cluster: " + reply.error);
  }
  const control::Refusal refusal = control::read_refusal({.response = reply.response});
  const ErrorCode code =
      reply.response.code == kHttpNotFound ? ErrorCode::kNotFound : ErrorCode::kInvalidInput;
  if (refusal.message.empty()) {
    return fail(code, fmt::format("from server: unexpected status code {}", reply.response.code));
  }
  return fail(
      code, fmt::format("from server ({}): {}", refusal.reason.empty() ? "Unknown" : refusal.reason,
                        refusal.message));
}

}  // namespace ebb::cli
