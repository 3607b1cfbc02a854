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
  Interned previous;
  for (const ebb::model::Label& label : pod->labels->labels) {
    EBB_CHECK(previous.empty() || previous.view() < label.key.view());
    check_text(label.key);
    check_text(label.value);
    previous = label.key;
  }
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
