// Fuzzes pods in protobuf, alone and in the frames of a watch. A pod is decoded or rejected, and
// the fields of a decoded one are in their ranges.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <simdjson.h>

#include "base/check.h"
#include "model/json/identity.h"
#include "model/protobuf/decode_pod_protobuf.h"
#include "model/protobuf/wire_frames.h"
#include "model/records/pool.h"

namespace {

using ebb::model::Interned;

void check_text(Interned text) {
  const std::string_view view = text.view();
  EBB_CHECK(simdjson::validate_utf8(view.data(), view.size()));
}

void check_labels(const ebb::model::LabelSet& set) {
  Interned previous;
  for (const ebb::model::Label& label : set.labels) {
    EBB_CHECK(previous.empty() || previous.view() < label.key.view());
    check_text(label.key);
    check_text(label.value);
    previous = label.key;
  }
}

void check_placement(const ebb::model::Placement& placement) {
  EBB_CHECK(!placement.empty());
  for (const auto& toleration : placement.tolerations) {
    check_text(toleration.key);
    check_text(toleration.value);
  }
  for (const auto& term : placement.anti_affinity) {
    EBB_CHECK(!term.topology_key.empty() && !term.selector.empty());
    EBB_CHECK(term.weight >= 0 && term.weight <= 100);
    check_text(term.topology_key);
    for (const Interned namespace_name : term.namespaces) check_text(namespace_name);
  }
}

void read_pod(std::string_view message) {
  ebb::model::Pool pool;
  const auto read = ebb::model::read_pod_protobuf(message, pool);
  EBB_CHECK(simdjson::validate_utf8(read.problem.data(), read.problem.size()));
  const ebb::model::Identity identity = ebb::model::identity_in_protobuf(message);
  if (read.damaged) {
    EBB_CHECK(!read.problem.empty());
    return;
  }
  // The reader of the identity agrees.
  const ebb::model::Pod* const pod = &read.record;
  EBB_CHECK(identity.name == pod->name.view() && identity.uid == pod->uid.view());
  EBB_CHECK((identity.owner == ebb::model::Identity::Owner::kKnown) ==
            (pod->controller != nullptr));
  EBB_CHECK(!pod->name.empty() && !pod->uid.empty() && !pod->namespace_name.empty());
  EBB_CHECK(pod->restarts >= 0 && pod->sidecar_restarts >= 0);
  for (const Interned text : {pod->name, pod->namespace_name, pod->uid, pod->node})
    check_text(text);
  check_labels(*pod->labels);
  if (pod->numbers != nullptr) {
    EBB_CHECK(!pod->numbers->labels.empty());
    check_labels(*pod->numbers);
    for (const ebb::model::Label& number : pod->numbers->labels) {
      EBB_CHECK(number.key.view() == ebb::model::kPublishedCostAnnotation ||
                ebb::model::number_of(*pod, number.key.view()).has_value());
    }
  }
  if (pod->placement != nullptr) check_placement(*pod->placement);
  // Cached values of the first run make no difference.
  const auto again = ebb::model::read_pod_protobuf(message, pool).record;
  EBB_CHECK(again.placement == pod->placement && again.numbers == pod->numbers);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  read_pod(bytes);
  const auto event = ebb::model::read_event(bytes);
  const auto envelope = ebb::model::open_envelope(event ? event->object : bytes);
  if (!envelope) return 0;
  read_pod(envelope->message);
  (void)ebb::model::read_bookmark(envelope->message);
  (void)ebb::model::read_status(envelope->message);
  if (const auto list = ebb::model::read_list(envelope->message)) {
    for (const std::string_view item : list->items) read_pod(item);
  }
  return 0;
}
