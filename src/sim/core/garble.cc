#include "sim/core/garble.h"

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/wire_reader.h"
#include "model/protobuf/wire_fields.h"
#include "model/protobuf/wire_frames.h"

namespace ebb::sim {
namespace {

// The part of the object that becomes unreadable.
enum class Part : std::uint8_t {
  kSpec,   // and all that follows; the object's identity is readable
  kOwner,  // the owner is not readable
  kAll,
};

Part draw_part(Random& random) {
  if (random.chance(0.7)) return Part::kSpec;
  return random.chance(0.7) ? Part::kOwner : Part::kAll;
}

// Writes a field type that protobuf does not have.
void spoil_tag(std::string& bytes, const char* tag) {
  char& spoilt = bytes[static_cast<std::size_t>(tag - bytes.data())];
  spoilt = static_cast<char>(spoilt | 7);
}

// The start of the field: its one-byte tag and its length precede the content.
const char* tag_of(std::string_view content) {
  std::size_t length_bytes = 1;
  for (std::size_t size = content.size(); size >= 0x80; size >>= 7U) ++length_bytes;
  return content.data() - length_bytes - 1;
}

// `message` points into `bytes`.
bool garble_message(std::string& bytes, std::string_view message, Part part) {
  WireReader parts(message);
  if (!parts.next() || parts.field() != model::wire::kMetadata) return false;
  const std::string_view metadata = parts.bytes();
  if (part == Part::kAll) {
    spoil_tag(bytes, message.data());
    return true;
  }
  if (part == Part::kOwner) {
    WireReader fields(metadata);
    while (fields.next()) {
      if (fields.field() != model::wire::kOwnerReferences) continue;
      spoil_tag(bytes, tag_of(fields.bytes()));
      return true;
    }
  }
  const char* const behind = metadata.data() + metadata.size();
  if (behind == message.data() + message.size()) return false;
  spoil_tag(bytes, behind);
  return true;
}

// Damages the JSON of an object that begins after `from`: a byte that is invalid in text replaces
// the quote before a key.
bool garble_json(std::string& text, std::size_t from, Part part) {
  const std::size_t metadata = text.find(R"("metadata":)", from);
  if (metadata == std::string::npos) return false;
  std::size_t key = metadata;
  if (part != Part::kAll) {
    const std::size_t spec = text.find(R"("spec":)", metadata);
    const std::size_t owners = text.find(R"("ownerReferences":)", metadata);
    key = part == Part::kOwner && owners < spec ? owners : spec;
  }
  if (key == std::string::npos) return false;
  text[key] = '\xff';
  return true;
}

}  // namespace

bool garble_event(std::string& event, bool protobuf, Random& random) {
  const Part part = draw_part(random);
  if (!protobuf) {
    const bool has_object = event.starts_with(R"({"type":"ADDED")") ||
                            event.starts_with(R"({"type":"MODIFIED")") ||
                            event.starts_with(R"({"type":"DELETED")");
    return has_object && garble_json(event, 0, part);
  }
  const std::string_view frame = std::string_view(event).substr(model::kFrameHeadBytes);
  const auto split = model::read_event(frame);
  if (!split || split->type == "BOOKMARK" || split->type == "ERROR") return false;
  const auto envelope = model::open_envelope(split->object);
  return envelope && garble_message(event, envelope->message, part);
}

bool garble_list(std::string& body, Random& random) {
  const Part part = draw_part(random);
  if (!body.starts_with("k8s")) {
    const std::size_t items = body.find(R"("items":[)");
    if (items == std::string::npos) return false;
    std::vector<std::size_t> starts;
    for (std::size_t at = body.find(R"({"metadata":)", items); at != std::string::npos;
         at = body.find(R"({"metadata":)", at + 1)) {
      starts.push_back(at);
    }
    return !starts.empty() && garble_json(body, starts[random.below(starts.size())], part);
  }
  const auto envelope = model::open_envelope(body);
  if (!envelope) return false;
  const auto list = model::read_list(envelope->message);
  if (!list || list->items.empty()) return false;
  return garble_message(body, list->items[random.below(list->items.size())], part);
}

}  // namespace ebb::sim
