// Interprets text fields of a pod, for every wire format.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "model/records/pod.h"

namespace ebb::model {

[[nodiscard]] Phase parse_phase(std::string_view text);

// 0 if it is not a number: such a resourceVersion is allowed, but cannot be compared.
[[nodiscard]] std::uint64_t parse_revision(std::string_view text);

// Parses digits with an optional minus sign into a 32-bit number.
[[nodiscard]] std::optional<std::int32_t> parse_number(std::string_view text);

// The value to keep of an annotation, or nothing. Kept are integers (those beyond 32 bits are
// clamped) except those of ebb's marks, and the ranker's record of published values.
[[nodiscard]] std::optional<std::string_view> kept_of_annotation(std::string_view key,
                                                                 std::string_view value);

// The annotations controller.kubernetes.io/pod-deletion-cost and
// scheduling.alpha.kubernetes.io/cost.
void read_deletion_cost(std::string_view text, Pod& pod);
void read_annotated_rank(std::string_view text, Pod& pod);

// The texts of the annotations of scale_down_mark.h; a text that ebb does not write is ignored.
// settle_marked_cost() applies them.
void read_scale_down_mark(std::string_view text, Pool& pool, Pod& pod);
void read_previous_cost(std::string_view text, Pool& pool, Pod& pod);

// Kubernetes allows no longer names and uids. The limit keeps output in proportion to the input:
// every sentence about a pod names another one.
inline constexpr std::size_t kLongestName = 253;

}  // namespace ebb::model
