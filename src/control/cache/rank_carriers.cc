#include "control/cache/rank_carriers.h"

#include <charconv>
#include <limits>
#include <string>

#include <boost/json/object.hpp>
#include <fmt/format.h>

#include "model/api/requests.h"
#include "model/json/raw_json.h"
#include "model/records/pod.h"

namespace ebb::control {
namespace {

namespace json = boost::json;
using ranking::Publish;

// The values on a pod that the ranker wrote.
struct Ours {
  bool companion = false;
  bool annotation = false;
  bool status = false;
  bool deletion_cost = false;
};

struct Companion {
  std::optional<Publish> carrier{};     // nothing: an older version did not record it
  std::optional<std::int32_t> value{};  // nothing: unreadable, so it matches no value
};

std::optional<std::int32_t> read_value(std::string_view text) {
  std::int32_t value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = read.ec == std::errc() && read.ptr == text.data() + text.size();
  return whole ? std::optional(value) : std::nullopt;
}

Companion read_companion(std::string_view text) {
  const std::size_t sign = text.find('=');
  if (sign == std::string_view::npos) return {.value = read_value(text)};
  for (const Publish carrier :
       {Publish::kAnnotation, Publish::kStatusField, Publish::kPodDeletionCost}) {
    if (text.substr(0, sign) == to_string(carrier)) {
      return {.carrier = carrier, .value = read_value(text.substr(sign + 1))};
    }
  }
  return {};
}

std::optional<Companion> companion_of(const Pod& pod) {
  if (pod.numbers == nullptr) return std::nullopt;
  for (const model::Label& number : pod.numbers->labels) {
    if (number.key.view() == model::kPublishedCostAnnotation) {
      return read_companion(number.value.view());
    }
  }
  return std::nullopt;
}

Ours ours_on(const Pod& pod) {
  const auto companion = companion_of(pod);
  if (!companion) return {};
  Ours ours{.companion = true};
  if (!companion->value) return ours;
  const auto may_be_of = [&](Publish carrier) {
    return !companion->carrier || *companion->carrier == carrier;
  };
  ours.annotation = may_be_of(Publish::kAnnotation) && pod.annotated_rank == companion->value;
  ours.status = may_be_of(Publish::kStatusField) && pod.status_rank == companion->value;
  // If the carrier is unknown, a deletion cost that a client set may happen to equal a rank.
  ours.deletion_cost = may_be_of(Publish::kPodDeletionCost) && !ours.annotation && !ours.status &&
                       pod.deletion_cost_valid && pod.deletion_cost == *companion->value;
  return ours;
}

std::int32_t negated(std::int32_t value) {
  return value == std::numeric_limits<std::int32_t>::min()
             ? std::numeric_limits<std::int32_t>::max()
             : -value;
}

model::ApiRequest patch_request(const Pod& pod, json::object annotations, json::object status) {
  json::object metadata{{"uid", pod.uid.view()}};
  if (pod.revision != 0) metadata["resourceVersion"] = fmt::format("{}", pod.revision);
  metadata["annotations"] = std::move(annotations);
  json::object body{{"metadata", std::move(metadata)}};
  const std::string_view subresource = status.empty() ? "" : "status";
  if (!status.empty()) body["status"] = std::move(status);
  return model::merge_patch_request(
      model::object_path(*model::pod_kind(),
                         {.namespace_name = std::string(pod.namespace_name.view()),
                          .name = std::string(pod.name.view())},
                         subresource),
      body);
}

// The members of a patch that remove the ranker's values.
void remove_ours(const Ours& ours, json::object& annotations, json::object& status) {
  if (ours.companion) annotations[model::kPublishedCostAnnotation] = nullptr;
  if (ours.annotation) annotations[model::kCostRankAnnotation] = nullptr;
  if (ours.deletion_cost) annotations[model::kDeletionCostAnnotation] = nullptr;
  if (ours.status) status["cost"] = nullptr;
}

}  // namespace

RankOnPod rank_on_pod(const Pod& pod, Publish publish) {
  const Ours ours = ours_on(pod);
  const auto rank_of = [](bool set, bool is_ours, std::optional<std::int32_t> rank) {
    return RankOnPod{.rank = is_ours ? rank : std::nullopt, .foreign = set && !is_ours};
  };
  switch (publish) {
    case Publish::kAnnotation:
      return rank_of(pod.annotated_rank_set, ours.annotation, pod.annotated_rank);
    case Publish::kStatusField:
      return rank_of(pod.status_rank.has_value(), ours.status, pod.status_rank);
    case Publish::kPodDeletionCost:
      return rank_of(pod.deletion_cost_set, ours.deletion_cost, negated(pod.deletion_cost));
    case Publish::kPodGroupCost:
      break;
  }
  return {};
}

bool carries_ours(const Pod& pod) { return companion_of(pod).has_value(); }

bool carries_ours_elsewhere(const Pod& pod, Publish kept) {
  const Ours ours = ours_on(pod);
  return (ours.annotation && kept != Publish::kAnnotation) ||
         (ours.status && kept != Publish::kStatusField) ||
         (ours.deletion_cost && kept != Publish::kPodDeletionCost) ||
         (ours.companion && kept == Publish::kPodGroupCost);
}

model::ApiRequest publish_request(const Pod& pod, Publish publish, std::int32_t rank) {
  json::object annotations;
  json::object status;
  remove_ours(ours_on(pod), annotations, status);
  const std::int32_t value = publish == Publish::kPodDeletionCost ? negated(rank) : rank;
  const std::string text = fmt::format("{}", value);
  annotations[model::kPublishedCostAnnotation] = fmt::format("{}={}", to_string(publish), value);
  if (publish == Publish::kStatusField) status["cost"] = value;
  if (publish == Publish::kAnnotation) annotations[model::kCostRankAnnotation] = text;
  if (publish == Publish::kPodDeletionCost) annotations[model::kDeletionCostAnnotation] = text;
  return patch_request(pod, std::move(annotations), std::move(status));
}

model::ApiRequest withdraw_request(const Pod& pod, std::optional<Publish> kept) {
  json::object annotations;
  json::object status;
  Ours ours = ours_on(pod);
  if (kept == Publish::kAnnotation) ours.annotation = false;
  if (kept == Publish::kStatusField) ours.status = false;
  if (kept == Publish::kPodDeletionCost) ours.deletion_cost = false;
  remove_ours(ours, annotations, status);
  return patch_request(pod, std::move(annotations), std::move(status));
}

void put_on(Pod& pod, Publish publish, std::int32_t rank) {
  if (publish == Publish::kStatusField) pod.status_rank = rank;
  if (publish == Publish::kAnnotation) {
    pod.annotated_rank = rank;
    pod.annotated_rank_set = true;
  }
  if (publish != Publish::kPodDeletionCost) return;
  pod.deletion_cost = negated(rank);
  pod.deletion_cost_set = true;
  pod.deletion_cost_valid = true;
}

void take_off_ours(Pod& pod) {
  const Ours ours = ours_on(pod);
  if (ours.annotation) {
    pod.annotated_rank.reset();
    pod.annotated_rank_set = false;
  }
  if (ours.status) pod.status_rank.reset();
  if (!ours.deletion_cost) return;
  pod.deletion_cost = 0;
  pod.deletion_cost_set = false;
  pod.deletion_cost_valid = false;
}

bool carries_status_rank(std::string_view answered_pod) {
  return !model::raw_member(model::raw_member(answered_pod, "status"), "cost").empty();
}

}  // namespace ebb::control
