#include "control/webhook/webhook_cost.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include "model/api/requests.h"

namespace ebb::control {
namespace {

namespace json = boost::json;

constexpr std::int64_t kHighestCost = -1'000'000'000;
constexpr std::int64_t kFirstSecond = 1'767'225'600;  // 2026-01-01T00:00:00Z
constexpr std::int64_t kLowestCost = std::numeric_limits<std::int32_t>::min();

// The path of an annotation in a JSON pointer, in which `/` is written `~1`.
std::string pointer_to(std::string_view annotation) {
  std::string pointer = "/metadata/annotations/";
  for (const char c : annotation) {
    if (c == '/') {
      pointer += "~1";
    } else {
      pointer += c;
    }
  }
  return pointer;
}

template <typename Value>
json::object operation(std::string_view op, std::string path, const Value& value) {
  return {{"op", op}, {"path", std::move(path)}, {"value", value}};
}

json::object removal(std::string path) { return {{"op", "remove"}, {"path", std::move(path)}}; }

std::string path_of(const Pod& pod) {
  return model::object_path(*model::pod_kind(),
                            {.namespace_name = std::string(pod.namespace_name.view()),
                             .name = std::string(pod.name.view())});
}

model::ApiRequest json_patch_request(const Pod& pod, const json::array& operations) {
  return {.method = model::Method::kPatch,
          .path = path_of(pod),
          .content_type = "application/json-patch+json",
          .accept = "application/json",
          .body = json::serialize(operations)};
}

// The cost on the pod as it is written there; empty: there is none, or it is not a number.
std::string_view present_text(const Pod& pod) {
  if (pod.numbers == nullptr) return {};
  for (const model::Label& number : pod.numbers->labels) {
    if (number.key.view() == model::kDeletionCostAnnotation) return number.value.view();
  }
  return {};
}

// A test for null passes if there is no such field. The cache may be behind: another client's value
// must not be lost.
model::ApiRequest first_cost_request(const Pod& pod, std::string_view cost, std::string_view mark,
                                     bool has_annotations) {
  json::array operations{operation("test", "/metadata/uid", pod.uid.view())};
  if (has_annotations) {
    const std::string where = pointer_to(model::kDeletionCostAnnotation);
    operations.push_back(operation("test", where, nullptr));
    operations.push_back(operation("add", where, cost));
    operations.push_back(operation("add", pointer_to(model::kScaleDownAnnotation), mark));
    if (!pod.previous_cost.empty()) {
      operations.push_back(removal(pointer_to(model::kPreviousCostAnnotation)));
    }
  } else {
    const std::string where = "/metadata/annotations";
    operations.push_back(operation("test", where, nullptr));
    operations.push_back(operation(
        "add", where,
        json::object{{model::kDeletionCostAnnotation, cost}, {model::kScaleDownAnnotation, mark}}));
  }
  return json_patch_request(pod, operations);
}

}  // namespace

std::int32_t cost_of_decision(Timestamp wall, std::optional<std::int32_t> lowest) {
  const std::int64_t seconds = wall.since_epoch_ns() / kNanosecondsPerSecond - kFirstSecond;
  std::int64_t cost = kHighestCost - std::max<std::int64_t>(seconds, 0);
  if (lowest) cost = std::min(cost, std::int64_t{*lowest} - 1);
  return static_cast<std::int32_t>(std::max(cost, kLowestCost));
}

Timestamp time_of_cost(std::int32_t cost) {
  return Timestamp::from_seconds(kFirstSecond + kHighestCost - cost);
}

bool has_no_cost(const Pod& pod) { return present_text(pod).empty() && !pod.deletion_cost_set; }

model::ApiRequest lower_cost_request(const Pod& pod, const model::ScaleDownMark& mark,
                                     bool has_annotations) {
  const std::string cost = fmt::to_string(mark.cost);
  const std::string_view present = present_text(pod);
  if (has_no_cost(pod)) return first_cost_request(pod, cost, mark_text(mark), has_annotations);
  if (present.empty()) {
    // It is not a number, which API servers do not accept any more, so nothing is lost.
    return model::merge_patch_request(
        path_of(pod),
        {{"metadata",
          json::object{{"uid", pod.uid.view()},
                       {"annotations", json::object{{model::kDeletionCostAnnotation, cost},
                                                    {model::kScaleDownAnnotation, mark_text(mark)},
                                                    {model::kPreviousCostAnnotation, nullptr}}}}}});
  }
  const std::string where = pointer_to(model::kDeletionCostAnnotation);
  json::array operations{
      operation("test", "/metadata/uid", pod.uid.view()), operation("test", where, present),
      operation("replace", where, cost),
      operation("add", pointer_to(model::kScaleDownAnnotation), mark_text(mark))};
  if (!model::has_marked_cost(pod)) {
    operations.push_back(operation("add", pointer_to(model::kPreviousCostAnnotation), present));
  }
  return json_patch_request(pod, operations);
}

model::ApiRequest restore_cost_request(const Pod& pod) {
  const std::string mark = pointer_to(model::kScaleDownAnnotation);
  const std::string where = pointer_to(model::kDeletionCostAnnotation);
  json::array operations{operation("test", "/metadata/uid", pod.uid.view()),
                         operation("test", mark, pod.scale_down_mark.view())};
  if (model::has_marked_cost(pod)) {
    operations.push_back(operation("test", where, present_text(pod)));
    if (pod.previous_cost.empty()) {
      operations.push_back(removal(where));
    } else {
      operations.push_back(operation("replace", where, pod.previous_cost.view()));
    }
  }
  operations.push_back(removal(mark));
  if (!pod.previous_cost.empty()) {
    operations.push_back(removal(pointer_to(model::kPreviousCostAnnotation)));
  }
  return json_patch_request(pod, operations);
}

}  // namespace ebb::control
