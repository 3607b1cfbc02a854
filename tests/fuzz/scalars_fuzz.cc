// Fuzzes single values of fields, labels and annotations: times, quantities, base64, durations,
// costs, weights, prices and feature gates. A parsed value can be formatted and parsed again
// without a change.
#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "base/base64.h"
#include "base/check.h"
#include "hollow/addresses.h"
#include "hollow/duration.h"
#include "hollow/resources.h"
#include "input.h"
#include "model/records/deletion_cost.h"
#include "model/records/feature_gates.h"
#include "model/records/pod_text.h"
#include "model/records/pool.h"
#include "ranking/rank_by.h"
#include "schema/core/picker_rules.h"
#include "schema/core/quantity.h"
#include "schema/core/time.h"

namespace {

void check_time(std::string_view text) {
  const auto time = ebb::schema::parse_time(text);
  if (!time) {
    EBB_CHECK(ebb::fuzz::is_text(time.error().message) || !ebb::fuzz::is_text(text));
    return;
  }
  const auto again = ebb::schema::parse_time(ebb::schema::format_time(*time));
  EBB_CHECK(again && *again == *time);
}

void check_quantity(std::string_view text) {
  using ebb::schema::Quantity;
  const auto quantity = Quantity::parse(text);
  const auto amount = ebb::hollow::parse_amount("cpu", text);
  EBB_CHECK(amount.has_value() == (quantity && !quantity->is_negative()));
  if (!quantity) return;
  const std::string canonical = quantity->canonical();
  const auto again = Quantity::parse(canonical);
  EBB_CHECK(again && *again == *quantity && again->canonical() == canonical);
  EBB_CHECK(again->value() == quantity->value() && again->milli_value() == quantity->milli_value());
  // Amounts have a limit, so that they can be added up.
  EBB_CHECK(!amount || *amount <= quantity->milli_value());
}

void check_base64(std::string_view text) {
  const std::string encoded = ebb::encode_base64(text);
  EBB_CHECK(ebb::decode_base64(encoded) == text);
  std::string canonical(text);
  const bool is_base64 = !ebb::canonicalise_base64(canonical);
  if (!is_base64) return;
  const auto bytes = ebb::decode_base64(canonical);
  EBB_CHECK(bytes && ebb::encode_base64(*bytes) == canonical);
  EBB_CHECK(ebb::decode_base64(text) == bytes);
}

void check_numbers(std::string_view text) {
  if (const auto cost = ebb::model::parse_deletion_cost(text)) {
    // Kubernetes takes zeros behind a minus.
    EBB_CHECK(text.starts_with("-0") || std::to_string(*cost) == text);
  }
  if (const auto number = ebb::model::parse_number(text)) {
    EBB_CHECK(ebb::model::parse_number(std::to_string(*number)) == number);
  }
  const auto revision = ebb::model::parse_revision(text);
  EBB_CHECK(revision == 0 || ebb::model::parse_revision(std::to_string(revision)) == revision);
  ebb::model::Pod pod;
  ebb::model::read_deletion_cost(text, pod);
  ebb::model::read_annotated_rank(text, pod);
  EBB_CHECK(pod.deletion_cost_set && (pod.deletion_cost_valid || pod.deletion_cost == 0));
  if (const auto address = ebb::hollow::parse_address(text)) {
    EBB_CHECK(ebb::hollow::address_text(*address) == text);
  }
}

// A cluster with one node.
class OneNode : public ebb::ranking::ClusterReader {
 public:
  explicit OneNode(const ebb::model::Node& node) : node_(node) {}
  [[nodiscard]] const ebb::model::Node* node(ebb::model::Interned name) const override {
    return name == node_.name ? &node_ : nullptr;
  }
  [[nodiscard]] std::size_t pods_on(ebb::model::Interned) const override { return 1; }
  void each_pod_in(std::string_view,
                   const std::function<void(const ebb::model::Pod&)>&) const override {}

 private:
  const ebb::model::Node& node_;
};

// What Weight makes of a label, the simple way: whole numbers, cut off at the ends of the range.
std::int32_t weight_in(std::string_view text) {
  constexpr std::int64_t kMax = std::numeric_limits<std::int32_t>::max();
  const bool negative = text.starts_with('-');
  const std::string_view digits = text.substr(negative ? 1 : 0);
  std::int64_t number = 0;
  for (const char digit : digits) {
    if (std::isdigit(static_cast<unsigned char>(digit)) == 0) return 0;
    number = std::min(kMax, number * 10 + (digit - '0'));
  }
  return static_cast<std::int32_t>(negative ? -number : number);
}

void check_ranks(std::string_view text) {
  ebb::model::Pool pool;
  ebb::model::Node node;
  ebb::model::Pod pod;
  node.name = pod.node = pool.intern("node");
  node.labels = pod.labels = pool.intern({{pool.intern("label"), pool.intern(text)}});
  const ebb::model::Pod* const pods[] = {&pod};
  const OneNode cluster(node);
  const boost::json::object args{{"label", "label"}};
  EBB_CHECK(ebb::ranking::rank_by_weight(pods, args, cluster).at(0) == weight_in(text));
  const auto cost = ebb::ranking::rank_by_node_cost(pods, args, cluster).at(0);
  EBB_CHECK(cost >= 0);
  const bool is_small = text.size() <= 5 && weight_in(text) > 0;
  EBB_CHECK(!is_small || cost == weight_in(text) * 10'000);
}

void check_duration(std::string_view text) {
  constexpr ebb::Nanoseconds kYear = 366 * 86'400 * ebb::kNanosecondsPerSecond;
  const auto duration = ebb::hollow::parse_duration(text);
  EBB_CHECK(!duration || (*duration >= 0 && *duration <= kYear));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = ebb::fuzz::as_text(data, size);
  check_time(text);
  check_quantity(text);
  check_base64(text);
  check_numbers(text);
  check_ranks(text);
  check_duration(text);
  const auto gates = ebb::model::FeatureGates::parse(text);
  EBB_CHECK(gates.has_value() || !gates.error().message.empty());
  (void)ebb::schema::decode_ca_bundle(text);
  return 0;
}
