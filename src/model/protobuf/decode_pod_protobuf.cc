#include "model/protobuf/decode_pod_protobuf.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include <boost/container/small_vector.hpp>
#include <fmt/format.h>

#include "model/protobuf/decode_placement_protobuf.h"
#include "model/protobuf/wire_fields.h"
#include "model/protobuf/wire_owner.h"
#include "model/protobuf/wire_reading.h"
#include "model/records/pod_text.h"
#include "model/records/scale_down_mark.h"
#include "schema/core/kind.h"
#include "schema/core/utf8.h"

namespace ebb::model {
namespace {

constexpr std::string_view kAnnotationsPath = "metadata.annotations";

// Decodes into one pod.
class PodReader {
 public:
  explicit PodReader(Pool& pool) : pool_(pool), reading_(pool) {}

  [[nodiscard]] Decoded<Pod> read(std::string_view message);

 private:
  struct LabelText {
    std::string_view key;
    std::string_view value;
  };

  void read_metadata(std::string_view message);
  void read_annotation(std::string_view entry);
  void read_owner(std::string_view reference);
  void read_spec(std::string_view message);
  void read_sidecar(std::string_view container);
  void read_status(std::string_view message);
  void read_condition(std::string_view condition);
  void read_container_status(std::string_view status, bool init);
  [[nodiscard]] const LabelSet* labels();
  [[nodiscard]] const LabelSet* numbers();
  [[nodiscard]] bool equals_recent_labels() const;
  [[nodiscard]] LabelText read_entry(std::string_view entry);
  [[nodiscard]] Timestamp read_time(std::string_view message);

  [[nodiscard]] Interned intern(std::string_view text, std::string_view where) {
    return reading_.intern(text, where);
  }
  [[nodiscard]] Interned required(std::string_view text, std::string_view where);
  void report(std::string_view where, std::string_view problem) { reading_.report(where, problem); }
  void check(const WireReader& reader, std::string_view where) { reading_.check(reader, where); }

  Pool& pool_;
  WireReading reading_;
  Pod pod_;
  boost::container::small_vector<LabelText, 16> labels_;
  std::vector<std::string_view> sidecars_;
  std::vector<Label> numbers_;
  bool saw_ready_ = false;
};

Interned PodReader::required(std::string_view text, std::string_view where) {
  if (text.empty()) report(where, "is missing");
  return intern(text, where);
}

Decoded<Pod> PodReader::read(std::string_view message) {
  std::array<std::string_view, wire::kStatus + 1> parts;
  std::array<bool, wire::kStatus + 1> seen{};
  WireReader fields(message);
  while (fields.next()) {
    if (fields.field() > wire::kStatus) continue;
    if (std::exchange(seen.at(fields.field()), true)) report("Pod", "has a part twice");
    parts.at(fields.field()) = fields.bytes();
  }
  check(fields, "Pod");
  read_metadata(parts[wire::kMetadata]);
  read_spec(parts[wire::kSpec]);
  read_status(parts[wire::kStatus]);
  const std::string& problem = reading_.problem();
  if (problem.empty()) return {pod_, {}, false};
  const std::string who =
      pod_.name.empty() ? "a Pod without a name"
                        : fmt::format("Pod {}/{}", pod_.namespace_name.view(), pod_.name.view());
  return {pod_, fmt::format("{}: {}", who, problem), reading_.damaged()};
}

void PodReader::read_metadata(std::string_view message) {
  std::string_view name;
  std::string_view namespace_name;
  std::string_view uid;
  WireReader fields(message);
  while (fields.next()) {
    switch (fields.field()) {
      case wire::kName:
        name = fields.bytes();
        break;
      case wire::kNamespace:
        namespace_name = fields.bytes();
        break;
      case wire::kUid:
        uid = fields.bytes();
        break;
      case wire::kResourceVersion:
        pod_.revision = parse_revision(fields.bytes());
        break;
      case wire::kCreationTimestamp:
        pod_.created = read_time(fields.bytes());
        break;
      case wire::kDeletionTimestamp:
        pod_.deleting = !read_time(fields.bytes()).is_zero();
        break;
      case wire::kLabels:
        labels_.push_back(read_entry(fields.bytes()));
        break;
      case wire::kAnnotations:
        read_annotation(fields.bytes());
        break;
      case wire::kOwnerReferences:
        read_owner(fields.bytes());
        break;
      default:
        break;
    }
  }
  check(fields, "metadata");
  for (const std::string_view text : {name, namespace_name, uid}) {
    if (text.size() > kLongestName) {
      report("metadata", fmt::format("has a name of {} bytes; Kubernetes allows {}", text.size(),
                                     kLongestName));
      return;
    }
  }
  pod_.name = required(name, "metadata.name");
  pod_.namespace_name =
      intern(namespace_name.empty() ? "default" : namespace_name, "metadata.namespace");
  pod_.uid = required(uid, "metadata.uid");
  pod_.labels = labels();
  pod_.numbers = numbers();
  settle_marked_cost(pod_);
  pod_.prefer_for_scale_down =
      std::any_of(labels_.begin(), labels_.end(),
                  [](const LabelText& label) { return label.key == kPreferForScaleDownLabel; });
}

PodReader::LabelText PodReader::read_entry(std::string_view entry) {
  LabelText text;
  WireReader fields(entry);
  while (fields.next()) {
    if (fields.field() == wire::kKey) text.key = fields.bytes();
    if (fields.field() == wire::kValue) text.value = fields.bytes();
  }
  check(fields, "metadata");
  return text;
}

bool PodReader::equals_recent_labels() const {
  const LabelSet* recent = pool_.recent_labels();
  return recent != nullptr &&
         std::equal(recent->labels.begin(), recent->labels.end(), labels_.begin(), labels_.end(),
                    [](const Label& a, const LabelText& b) {
                      return a.key.view() == b.key && a.value.view() == b.value;
                    });
}

// Go sends maps sorted by key, but the format does not require it.
const LabelSet* PodReader::labels() {
  if (equals_recent_labels()) return pool_.recent_labels();
  std::stable_sort(labels_.begin(), labels_.end(),
                   [](const LabelText& a, const LabelText& b) { return a.key < b.key; });
  std::vector<Label> made;
  made.reserve(labels_.size());
  for (const LabelText& label : labels_) {
    const Interned key = intern(label.key, "metadata.labels");
    const Interned value = intern(label.value, "metadata.labels");
    if (!made.empty() && made.back().key == key) {
      report("metadata.labels", "a key occurs twice");
      continue;
    }
    made.push_back({key, value});
  }
  return pool_.intern(std::move(made));
}

void PodReader::read_annotation(std::string_view entry) {
  const LabelText annotation = read_entry(entry);
  pod_.has_annotations = true;
  if (annotation.key == kDeletionCostAnnotation) read_deletion_cost(annotation.value, pod_);
  if (annotation.key == kCostRankAnnotation) read_annotated_rank(annotation.value, pod_);
  if (annotation.key == kScaleDownAnnotation) read_scale_down_mark(annotation.value, pool_, pod_);
  if (annotation.key == kPreviousCostAnnotation) read_previous_cost(annotation.value, pool_, pod_);
  const auto kept = kept_of_annotation(annotation.key, annotation.value);
  if (!kept) return;
  // API servers do not validate the values of annotations.
  if (!schema::is_utf8(annotation.key) || !schema::is_utf8(*kept)) {
    return reading_.remark(kAnnotationsPath, "is not valid UTF-8");
  }
  numbers_.push_back({pool_.intern(annotation.key), pool_.intern(*kept)});
}

const LabelSet* PodReader::numbers() {
  if (numbers_.empty()) return nullptr;
  if (sort_by_key(numbers_) != nullptr) report(kAnnotationsPath, "a key occurs twice");
  return pool_.intern_numbers(std::move(numbers_));
}

void PodReader::read_owner(std::string_view reference) {
  constexpr std::string_view kWhere = "metadata.ownerReferences";
  WireReader fields(reference);
  const auto [api_version, kind, name, uid, controller] = model::read_owner(fields);
  check(fields, kWhere);
  if (!controller) return;
  // The first one counts, as in Kubernetes.
  if (pod_.controller != nullptr) {
    return reading_.remark(kWhere, "there is a second controller; an object has at most one");
  }
  const std::string_view group = schema::api_group(api_version);
  const ControllerRef* recent = pool_.recent_owner();
  const bool whole = !kind.empty() && !name.empty() && !uid.empty();
  if (whole && recent != nullptr && recent->uid.view() == uid && recent->name.view() == name &&
      recent->kind.view() == kind && recent->group.view() == group) {
    pod_.controller = recent;
    return;
  }
  if (!whole) report(kWhere, "is missing");
  // API servers do not validate references. One that is not valid UTF-8 refers to no real object.
  pod_.controller = pool_.intern(ControllerRef{.group = reading_.intern_if_utf8(group, kWhere),
                                               .kind = reading_.intern_if_utf8(kind, kWhere),
                                               .name = reading_.intern_if_utf8(name, kWhere),
                                               .uid = reading_.intern_if_utf8(uid, kWhere)});
}

void PodReader::read_spec(std::string_view message) {
  PlacementReader placement;
  WireReader fields(message);
  while (fields.next()) {
    switch (fields.field()) {
      case wire::kNodeName:
        pod_.node = intern(fields.bytes(), "spec.nodeName");
        break;
      case wire::kInitContainers:
        read_sidecar(fields.bytes());
        break;
      case wire::kTolerations:
        placement.add_toleration(fields.bytes());
        break;
      case wire::kAffinity:
        placement.add_affinity(fields.bytes(), reading_);
        break;
      default:
        break;
    }
  }
  check(fields, "spec");
  pod_.placement = placement.read(message, reading_);
}

// Sidecars are the init containers that restart on their own.
void PodReader::read_sidecar(std::string_view container) {
  std::string_view name;
  std::string_view restart_policy;
  WireReader fields(container);
  while (fields.next()) {
    if (fields.field() == wire::kContainerName) name = fields.bytes();
    if (fields.field() == wire::kContainerRestartPolicy) restart_policy = fields.bytes();
  }
  check(fields, "spec.initContainers");
  if (restart_policy == "Always") sidecars_.push_back(name);
}

void PodReader::read_status(std::string_view message) {
  WireReader fields(message);
  while (fields.next()) {
    switch (fields.field()) {
      case wire::kPhase:
        pod_.phase = parse_phase(fields.bytes());
        break;
      case wire::kConditions:
        read_condition(fields.bytes());
        break;
      case wire::kContainerStatuses:
        read_container_status(fields.bytes(), false);
        break;
      case wire::kInitContainerStatuses:
        read_container_status(fields.bytes(), true);
        break;
      case wire::kCost:
        pod_.status_rank = fields.int32();
        break;
      default:
        break;
    }
  }
  check(fields, "status");
}

// The first Ready condition counts.
void PodReader::read_condition(std::string_view condition) {
  std::string_view type;
  std::string_view status;
  std::string_view since;
  WireReader fields(condition);
  while (fields.next()) {
    if (fields.field() == wire::kConditionType) type = fields.bytes();
    if (fields.field() == wire::kConditionStatus) status = fields.bytes();
    if (fields.field() == wire::kLastTransitionTime) since = fields.bytes();
  }
  check(fields, "status.conditions");
  if (type != "Ready" || std::exchange(saw_ready_, true)) return;
  pod_.ready = status == "True";
  pod_.ready_since = read_time(since);
}

void PodReader::read_container_status(std::string_view status, bool init) {
  std::string_view name;
  std::int32_t restarts = 0;
  WireReader fields(status);
  while (fields.next()) {
    if (fields.field() == wire::kStatusName) name = fields.bytes();
    if (fields.field() == wire::kRestartCount) restarts = fields.int32();
  }
  check(fields, "status.containerStatuses");
  if (restarts < 0) {
    reading_.remark("status.containerStatuses", "restartCount must not be negative");
  }
  if (!init) {
    pod_.restarts = std::max(pod_.restarts, restarts);
  } else if (std::find(sidecars_.begin(), sidecars_.end(), name) != sidecars_.end()) {
    pod_.sidecar_restarts = std::max(pod_.sidecar_restarts, restarts);
  }
}

// An empty message is the zero time. Kubernetes' times have whole seconds, so nanoseconds are
// ignored.
Timestamp PodReader::read_time(std::string_view message) {
  if (message.empty()) return {};
  std::int64_t seconds = 0;
  WireReader fields(message);
  while (fields.next()) {
    if (fields.field() == wire::kSeconds) seconds = static_cast<std::int64_t>(fields.number());
  }
  check(fields, "a time");
  return Timestamp::from_seconds(seconds);
}

}  // namespace

Decoded<Pod> read_pod_protobuf(std::string_view message, Pool& pool) {
  return PodReader(pool).read(message);
}

Result<Pod> decode_pod_protobuf(std::string_view message, Pool& pool) {
  Decoded<Pod> read = read_pod_protobuf(message, pool);
  if (read.problem.empty()) return read.record;
  return fail(ErrorCode::kInvalidInput, std::move(read.problem));
}

}  // namespace ebb::model
