#include "bench/load/continue_token.h"

#include <cstdint>

#include "base/wire_reader.h"
#include "bench/require.h"

namespace ebb::bench {
namespace {

// The bytes of a field at the start of a message that may be truncated; the rest of the message
// follows them.
std::string_view take_field(std::string_view& message, unsigned field) {
  require(!message.empty() && static_cast<unsigned char>(message[0]) == (field << 3U | 2U),
          "not a list in protobuf");
  std::uint64_t size = 0;
  std::size_t at = 1;
  for (unsigned shift = 0; at < message.size() && shift < 64; shift += 7) {
    const auto byte = static_cast<unsigned char>(message[at++]);
    size |= std::uint64_t{byte & 0x7fU} << shift;
    if (byte < 0x80) break;
  }
  const std::string_view bytes = message.substr(at, size);
  message.remove_prefix(at + bytes.size());
  return bytes;
}

}  // namespace

std::string continue_token_of_json(std::string_view beginning) {
  constexpr std::string_view kStart = R"("continue":")";
  // The metadata of a list comes before its items.
  const std::string_view head = beginning.substr(0, beginning.find(R"("items":[)"));
  require(head.size() < beginning.size(), "not a list in JSON");
  const auto start = head.find(kStart);
  if (start == std::string_view::npos) return "";
  const std::string_view token = head.substr(start + kStart.size());
  return std::string(token.substr(0, token.find('"')));
}

std::string continue_token_of_protobuf(std::string_view beginning) {
  constexpr std::string_view kMagic("k8s\0", 4);
  constexpr unsigned kTypeMeta = 1;
  constexpr unsigned kRaw = 2;
  constexpr unsigned kListMeta = 1;
  constexpr unsigned kContinue = 3;
  require(beginning.starts_with(kMagic), "not an answer in protobuf");
  beginning.remove_prefix(kMagic.size());
  take_field(beginning, kTypeMeta);
  std::string_view list = take_field(beginning, kRaw);
  WireReader metadata(take_field(list, kListMeta));
  while (metadata.next()) {
    if (metadata.field() == kContinue) return std::string(metadata.bytes());
  }
  return "";
}

}  // namespace ebb::bench
