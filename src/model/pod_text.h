// What texts in a pod mean, in whichever format the pod came.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "model/pod.h"

namespace ebb::model {

[[nodiscard]] Phase parse_phase(std::string_view text);

// 0 if it is no number: such a resourceVersion is allowed, but nothing can be told from it.
[[nodiscard]] std::uint64_t parse_revision(std::string_view text);

// Digits, with a minus in front if need be, that make a 32-bit number.
[[nodiscard]] std::optional<std::int32_t> parse_number(std::string_view text);

// What is kept of an annotation; nothing: it is not kept. Whole numbers of any length are: one that
// takes more than 32 bits as the end of the range. And what the ranker says it has published.
[[nodiscard]] std::optional<std::string_view> kept_of_annotation(std::string_view key,
                                                                 std::string_view value);

// The annotations controller.kubernetes.io/pod-deletion-cost and
// scheduling.alpha.kubernetes.io/cost.
void read_deletion_cost(std::string_view text, Pod& pod);
void read_annotated_rank(std::string_view text, Pod& pod);

// Kubernetes has no longer names and uids. The limit keeps what is made of them in proportion to
// the input: every sentence about a pod names another one.
inline constexpr std::size_t kLongestName = 253;

}  // namespace ebb::model
