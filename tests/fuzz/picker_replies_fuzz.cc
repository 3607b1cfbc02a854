// Fuzzes responses of pickers over HTTP and gRPC: header lines, an empty line, a body. Every
// reply has an outcome of the fixed list, the operator's log contains nothing that the picker
// sent, and a gRPC frame decodes to the same answer as its message.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "input.h"
#include "net/client/reply_head.h"
#include "picker/answer_protobuf.h"
#include "pickerclient/common.h"
#include "pickerclient/protocol.h"

namespace {

using ebb::net::HttpReply;
using ebb::picker::Outcome;
using ebb::picker::Reply;

constexpr ebb::Nanoseconds kDay = 86'400 * ebb::kNanosecondsPerSecond;

void check_reply(const Reply& reply) {
  constexpr Outcome kPossible[] = {Outcome::kAnswered,   Outcome::kEmpty,    Outcome::kTimeout,
                                   Outcome::kStatusCode, Outcome::kOversize, Outcome::kMalformed};
  EBB_CHECK(std::find(std::begin(kPossible), std::end(kPossible), reply.outcome) !=
            std::end(kPossible));
  const bool has_names = !reply.answer.chosen.empty() || !reply.answer.tied.empty();
  EBB_CHECK(has_names == (reply.outcome == Outcome::kAnswered));
  EBB_CHECK(reply.retry_after_ns >= 0 && reply.retry_after_ns <= kDay);
  EBB_CHECK(ebb::fuzz::is_one_line(reply.detail) && reply.detail.size() < 100);
  EBB_CHECK(ebb::fuzz::is_text(reply.hint) && reply.hint.size() < 700);
}

bool is_same(const Reply& a, const Reply& b) {
  const auto same_names = [](const auto& one, const auto& other) {
    return std::equal(one.begin(), one.end(), other.begin(), other.end());
  };
  return a.outcome == b.outcome && a.hint == b.hint && a.detail == b.detail &&
         same_names(a.answer.chosen, b.answer.chosen) && same_names(a.answer.tied, b.answer.tied);
}

HttpReply read_head(std::string_view& input) {
  HttpReply reply;
  while (!input.empty()) {
    const std::string_view line = ebb::fuzz::take_until(input, '\n');
    if (line.empty() || line == "\r") break;
    ebb::net::take_head_line(line, reply);
  }
  return reply;
}

void check_frames(std::string_view message) {
  HttpReply reply{.version = 20, .code = 200, .grpc_status = 0, .content_type = "application/grpc"};
  reply.body.assign(1, '\0');
  for (const unsigned shift : {24U, 16U, 8U, 0U}) {
    reply.body += static_cast<char>((message.size() >> shift) & 0xff);
  }
  reply.body += message;
  const Reply framed = ebb::picker_client::read_grpc_reply(reply);
  check_reply(framed);
  EBB_CHECK(
      is_same(framed, ebb::picker_client::to_reply(ebb::picker::decode_answer_protobuf(message))));
  HttpReply longer = reply;
  longer.body += '\0';
  EBB_CHECK(ebb::picker_client::read_grpc_reply(longer).outcome == Outcome::kMalformed);
  HttpReply compressed = reply;
  compressed.body.front() = '\1';
  EBB_CHECK(ebb::picker_client::read_grpc_reply(compressed).outcome == Outcome::kMalformed);
  for (std::size_t cut = 0; cut < std::min<std::size_t>(reply.body.size(), 6); ++cut) {
    HttpReply shorter = reply;
    shorter.body.resize(cut);
    EBB_CHECK(ebb::picker_client::read_grpc_reply(shorter).outcome == Outcome::kMalformed);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view input = ebb::fuzz::as_text(data, size);
  HttpReply reply = read_head(input);
  reply.body = input;
  check_reply(ebb::picker_client::read_http_reply(reply));
  check_reply(ebb::picker_client::read_grpc_reply(reply));
  const Reply shown =
      ebb::picker_client::with_excerpt(ebb::picker_client::read_http_reply(reply), reply.body);
  EBB_CHECK(shown.excerpt.size() <= 200 && shown.answer_bytes <= size);
  check_frames(input);
  return 0;
}
