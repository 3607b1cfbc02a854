// A Lease (coordination.k8s.io/v1) as leader election reads and writes it.
#pragma once

#include <optional>
#include <string>

#include <boost/json/object.hpp>

#include "base/bytes.h"
#include "base/timestamp.h"

namespace ebb::control {

// The holder-related part of a lease. A renewal changes the record, because the time changes;
// annotating the lease does not.
struct LeaseRecord {
  std::string holder{};  // empty: not held
  Nanoseconds duration_ns = 0;
  Timestamp acquired{};
  Timestamp renewed{};
  std::int64_t transitions = 0;

  friend bool operator==(const LeaseRecord&, const LeaseRecord&) = default;
};

struct Lease {
  LeaseRecord record{};
  // The whole object as received: fields that other clients wrote must be kept.
  boost::json::object document{};
};

// Nothing if it is not a lease.
[[nodiscard]] std::optional<Lease> parse_lease(const Bytes& body);

// `document` with this record.
[[nodiscard]] boost::json::object with_record(boost::json::object document,
                                              const LeaseRecord& record);

// Leases store microseconds; this rounds a time so that it survives a round trip.
[[nodiscard]] Timestamp whole_microseconds(Timestamp time);

}  // namespace ebb::control
