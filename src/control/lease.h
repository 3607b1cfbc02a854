// A Lease (coordination.k8s.io/v1) as leader election reads and writes it.
#pragma once

#include <optional>
#include <string>

#include <boost/json/object.hpp>

#include "base/bytes.h"
#include "base/timestamp.h"

namespace ebb::control {

// What of a lease is about who holds it. A holder that renews it changes the record, because
// the time changes; annotating the lease does not.
struct LeaseRecord {
  std::string holder{};  // empty: nobody
  Nanoseconds duration_ns = 0;
  Timestamp acquired{};
  Timestamp renewed{};
  std::int64_t transitions = 0;

  friend bool operator==(const LeaseRecord&, const LeaseRecord&) = default;
};

struct Lease {
  LeaseRecord record{};
  // All of it as the API server gave it: what others wrote into it must survive.
  boost::json::object document{};
};

// Nothing if it is no lease.
[[nodiscard]] std::optional<Lease> parse_lease(const Bytes& body);

// `document` with this record.
[[nodiscard]] boost::json::object with_record(boost::json::object document,
                                              const LeaseRecord& record);

// Leases tell time in microseconds; this is one that survives being written and read.
[[nodiscard]] Timestamp whole_microseconds(Timestamp time);

}  // namespace ebb::control
