// Fuzzes answers of the API server that controllers read: leases, Statuses, Secrets and written
// objects. The fast reader agrees with a full parse, and a lease that is written back keeps the
// fields of other writers.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <boost/json/serialize.hpp>

#include "base/check.h"
#include "control/cache/rank_carriers.h"
#include "control/core/json_document.h"
#include "control/core/lease.h"
#include "control/core/object_json.h"
#include "control/guard/canary.h"
#include "control/picker/picker_secrets.h"
#include "control/policy/policy_section.h"
#include "control/ranker/group_cost_writes.h"
#include "input.h"
#include "runtime/host/reply.h"
#include "schema/core/json.h"

namespace {

namespace json = boost::json;
using ebb::control::Answer;
using ebb::schema::text_at;

void check_written(const Answer& answer, std::string_view body) {
  const auto written = ebb::control::read_written(answer);
  if (written) EBB_CHECK(!written->uid.empty());
  const auto document = ebb::control::parse_document(body);
  if (!document || !ebb::fuzz::parse_plainly(body) || ebb::fuzz::has_odd_names(body)) return;
  const std::string_view uid = text_at(*document, {"metadata", "uid"});
  EBB_CHECK(written.has_value() == !uid.empty());
  if (!written) return;
  EBB_CHECK(written->uid == uid && written->name == text_at(*document, {"metadata", "name"}));
  EBB_CHECK(written->revision == ebb::control::revision_of(document));
  EBB_CHECK(written->deleting == !text_at(*document, {"metadata", "deletionTimestamp"}).empty());
}

void check_refusal(const Answer& answer, std::string_view body) {
  const auto refusal = ebb::control::read_refusal(answer);
  const std::string text = ebb::control::error_text(answer);
  EBB_CHECK(!text.empty());
  EBB_CHECK(refusal.message.empty() || text == refusal.message);
  EBB_CHECK(!ebb::fuzz::is_text(body) || ebb::fuzz::is_text(text));
  EBB_CHECK(refusal.causes.size() <= body.size() / 2);
}

void check_lease(const Answer& answer) {
  auto lease = ebb::control::parse_lease(answer.response.body);
  if (!lease) return;
  json::object before = lease->document;
  // A number that is too large for a double cannot be read back.
  if (!ebb::fuzz::parse_plainly(json::serialize(before))) return;
  ebb::control::LeaseRecord record = lease->record;
  // Leases have whole seconds and microseconds.
  record.duration_ns -= record.duration_ns % ebb::kNanosecondsPerSecond;
  record.acquired = ebb::control::whole_microseconds(record.acquired);
  record.renewed = ebb::control::whole_microseconds(record.renewed);
  // Times that were cut off at the beginning of the range need not come back to the microsecond.
  const auto is_early = [](ebb::Timestamp time) {
    return !time.is_zero() && time < ebb::Timestamp::from_seconds(-9'000'000'000);
  };
  if (is_early(record.acquired)) record.acquired = {};
  if (is_early(record.renewed)) record.renewed = {};
  const json::object after = ebb::control::with_record(before, record);
  const auto again = ebb::control::parse_lease(ebb::Bytes(json::serialize(after)));
  EBB_CHECK(again && again->record == record);
  for (const json::key_value_pair& member : before) {
    if (member.key() != "spec") EBB_CHECK(after.at(member.key()) == member.value());
  }
  const json::object* spec = ebb::schema::object_at(before, {"spec"});
  if (spec == nullptr) return;
  for (const json::key_value_pair& member : *spec) {
    const std::string_view name = member.key();
    if (name == "holderIdentity" || name == "leaseDurationSeconds" || name == "acquireTime" ||
        name == "renewTime" || name == "leaseTransitions") {
      continue;
    }
    EBB_CHECK(after.at("spec").at(name) == member.value());
  }
}

// The value of a Secret reaches only the picker: no error quotes a byte of it.
void check_secret(Answer answer) {
  answer.response.code = 200;
  const auto secret = ebb::control::read_secret(answer);
  ebb::picker::Settings settings;
  settings.tls = true;
  settings.client_certificate = "picker-tls";
  settings.headers.push_back(
      {.name = "authorization",
       .value = "",
       .from = ebb::picker::SecretKey{.secret = "picker", .key = "token", .optional = false}});
  const auto gathered =
      ebb::control::gather_credentials(settings, {{"picker", secret}, {"picker-tls", secret}});
  if (!gathered) {
    EBB_CHECK(ebb::fuzz::is_one_line(gathered.error().problem));
    EBB_CHECK(gathered.error().problem.size() < 250);
    return;
  }
  for (const auto& [name, value] : gathered->headers) {
    EBB_CHECK(name == "authorization" && ebb::picker::valid_header_value(value));
  }
}

void check_canary(const Answer& answer) {
  const auto canary = ebb::control::read_canary(answer.response.body);
  if (!canary) return;
  EBB_CHECK(!canary->uid.empty());
  EBB_CHECK(canary->armed() == (canary->generation > canary->observed));
}

void check_others(const Answer& answer, std::string_view body) {
  (void)ebb::control::generation_of(answer);
  const auto document = ebb::control::parse_document(body);
  const bool has_rank = ebb::control::carries_status_rank(body);
  if (document && !ebb::fuzz::has_odd_names(body)) {
    EBB_CHECK(has_rank == (ebb::schema::lookup(*document, {"status", "cost"}) != nullptr));
  }
  ebb::kube::ApiReply reply;
  reply.response = answer.response;
  EBB_CHECK(!ebb::runtime::what_went_wrong(reply).empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view body = ebb::fuzz::as_text(data, size);
  Answer answer;
  answer.response.code = 409;
  answer.response.body = ebb::Bytes(std::string(body));
  check_written(answer, body);
  check_refusal(answer, body);
  check_lease(answer);
  check_secret(answer);
  check_canary(answer);
  check_others(answer, body);
  const auto section = ebb::control::parse_section(body, "spec.ranking");
  EBB_CHECK(section.has_value() || section.error().message.starts_with("spec.ranking: "));
  ebb::control::Policy policy;
  policy.json = body;
  EBB_CHECK(ebb::control::section_text(policy, "ranking").size() <= size);
  return 0;
}
