#include "control/core/lease.h"

#include <utility>

#include "control/core/json_document.h"
#include "model/api/requests.h"
#include "schema/core/json.h"

namespace ebb::control {

std::optional<Lease> parse_lease(const Bytes& body) {
  auto parsed = parse_document(body.str());
  if (!parsed) return std::nullopt;
  Lease lease{.document = std::move(*parsed)};
  const boost::json::object& document = lease.document;
  if (schema::text_at(document, {"kind"}) != "Lease") return std::nullopt;
  const std::int64_t seconds =
      schema::integer_at(document, {"spec", "leaseDurationSeconds"}).value_or(0);
  lease.record = {
      .holder = std::string(schema::text_at(document, {"spec", "holderIdentity"})),
      .duration_ns = Timestamp::from_seconds(seconds).since_epoch_ns(),
      .acquired = model::time_at(document, {"spec", "acquireTime"}),
      .renewed = model::time_at(document, {"spec", "renewTime"}),
      .transitions = schema::integer_at(document, {"spec", "leaseTransitions"}).value_or(0)};
  return lease;
}

boost::json::object with_record(boost::json::object document, const LeaseRecord& record) {
  boost::json::object& spec = schema::ensure_object(document, {"spec"});
  spec["holderIdentity"] = record.holder;
  spec["leaseDurationSeconds"] = record.duration_ns / kNanosecondsPerSecond;
  spec["acquireTime"] = model::micro_time_text(record.acquired);
  spec["renewTime"] = model::micro_time_text(record.renewed);
  spec["leaseTransitions"] = record.transitions;
  return document;
}

Timestamp whole_microseconds(Timestamp time) {
  if (time.is_zero()) return time;
  // Rounds towards 1970, so that the earliest time, which any client can write into a lease, stays
  // in range.
  const Nanoseconds ns = time.since_epoch_ns();
  return Timestamp::from_nanoseconds(ns - ns % kMicrosecond);
}

}  // namespace ebb::control
