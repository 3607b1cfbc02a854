// Fuzzes answers of admission webhooks. The first byte selects the call and the status code; the
// rest is the body. An answer is either a decision or a failure, and a write continues only after
// a complete and matching answer that allows it.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <boost/json/serialize.hpp>

#include "apiserver/admission/admission_answer.h"
#include "base/check.h"
#include "input.h"
#include "schema/core/json.h"

namespace {

namespace json = boost::json;
using ebb::apiserver::Expected;
using ebb::apiserver::Verdict;

constexpr int kCodes[] = {200, 200, 200, 200, 201, 403, 500, 404};

void check_denial(const ebb::model::Status& denial) {
  EBB_CHECK(denial.code >= 400 && denial.code <= 599);
  EBB_CHECK(ebb::fuzz::is_text(json::serialize(denial.to_json())));
}

void check_patch(const json::value& patch) {
  EBB_CHECK(patch.is_array() && !patch.get_array().empty());
  for (const json::value& operation : patch.get_array()) EBB_CHECK(operation.is_object());
}

// An answer that lets the write pass says so in these fields.
void check_allowed(const Verdict& verdict, std::string_view body, const Expected& expected) {
  const auto parsed = ebb::fuzz::parse_plainly(body);
  if (!parsed || ebb::fuzz::has_odd_names(body)) return;
  const json::object* response = ebb::schema::object_at(parsed->get_object(), {"response"});
  EBB_CHECK(response != nullptr && ebb::schema::is_true_at(*response, {"allowed"}));
  EBB_CHECK(expected.version != "v1" || ebb::schema::text_at(*response, {"uid"}) == expected.uid);
  EBB_CHECK(!verdict.patch || !ebb::schema::text_at(*response, {"patch"}).empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const unsigned choice = data[0];
  const std::string_view body = ebb::fuzz::as_text(data + 1, size - 1);
  const Expected expected{.uid = "7f3a",
                          .version = (choice & 1U) != 0 ? "v1beta1" : "v1",
                          .may_patch = (choice & 2U) != 0};
  const ebb::apiserver::WebhookQuestion question{.webhook = "deny.example.com",
                                                 .url = "https://hook.shop.svc:443/deny"};
  ebb::apiserver::WebhookAnswer answer{.code = kCodes[(choice >> 2U) % 8]};
  answer.content_type = body.substr(0, body.find('\n'));
  answer.body = body;
  const auto verdict = ebb::apiserver::read_answer(question, answer, expected);
  if (!verdict) {
    check_denial(verdict.error());
    return 0;
  }
  EBB_CHECK(ebb::fuzz::is_text(verdict->failure));
  for (const std::string& warning : verdict->warnings) EBB_CHECK(ebb::fuzz::is_text(warning));
  EBB_CHECK(verdict->failure.empty() || (!verdict->denial && !verdict->patch));
  EBB_CHECK(!verdict->denial || !verdict->patch);
  EBB_CHECK(answer.code < 300 || !verdict->failure.empty());
  EBB_CHECK(expected.may_patch || !verdict->patch);
  if (verdict->denial) check_denial(*verdict->denial);
  if (verdict->patch) check_patch(*verdict->patch);
  if (verdict->failure.empty() && !verdict->denial) check_allowed(*verdict, body, expected);
  return 0;
}
