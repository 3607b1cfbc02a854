// Pods in protobuf, alone and in the frames of a watch: whatever comes is read or refused, and
// what is read is in order.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <simdjson.h>

#include "base/check.h"
#include "model/decode_pod_protobuf.h"
#include "model/pool.h"
#include "model/wire_frames.h"

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
    for (const Interned name_space : term.namespaces) check_text(name_space);
  }
}

void read_pod(std::string_view message) {
  ebb::model::Pool pool;
  const auto pod = ebb::model::decode_pod_protobuf(message, pool);
  if (!pod) {
    const std::string& text = pod.error().message;
    EBB_CHECK(simdjson::validate_utf8(text.data(), text.size()));
    return;
  }
  EBB_CHECK(!pod->name.empty() && !pod->uid.empty() && !pod->name_space.empty());
  EBB_CHECK(pod->restarts >= 0 && pod->sidecar_restarts >= 0);
  for (const Interned text : {pod->name, pod->name_space, pod->uid, pod->node}) check_text(text);
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
  // What is remembered of the first time makes no difference.
  const auto again = ebb::model::decode_pod_protobuf(message, pool);
  EBB_CHECK(again && again->placement == pod->placement && again->numbers == pod->numbers);
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
