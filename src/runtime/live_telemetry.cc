#include "runtime/live_telemetry.h"

#include <boost/json/monotonic_resource.hpp>

#include "control/decision.h"
#include "control/settlement.h"
#include "schema/plain_json.h"

namespace ebb::runtime {

void LiveTelemetry::decided(const control::Decision& decision) {
  log_.write(control::Severity::kInfo, 0, decision.summary(), decision.log_fields());
  if (const auto news = picker_news_.hear(decision)) {
    // Whoever was warned is told that it is over, however little else is logged.
    log_.write(news->bad ? control::Severity::kWarning : control::Severity::kInfo, Log::kAlways,
               news->text, news->fields);
  }
  // A decision may have hundreds of victims, and is a text a moment later.
  boost::json::monotonic_resource memory;
  record(decision.to_json(&memory));
  if (told_) told_(decision);
}

void LiveTelemetry::settled(const control::Settlement& settlement) { record(settlement.to_json()); }

void LiveTelemetry::record(const boost::json::object& text) {
  const auto added = book_.add(schema::plain_json(text));
  if (!added) {
    metrics_.decision_log_failed();
    // Said once: a full disk is not filled with complaints.
    if (!book_failed_) {
      log_.write(control::Severity::kError, 0,
                 "cannot write to the decision log: " + added.error().message);
    }
  }
  book_failed_ = !added;
}

}  // namespace ebb::runtime
