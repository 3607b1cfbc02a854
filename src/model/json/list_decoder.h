// Decodes large lists, as kubectl prints them, item by item.
//
// Parsing a document as a whole takes several times its size in memory, and allocating that much
// takes longer than the parsing. But kubectl's lists have one shape: each item begins and ends on
// lines of its own, at one indentation. A JSON string cannot contain a line break, so such a list
// can be split at these lines and each item parsed by itself in a small buffer that stays in the
// cache.
//
// Where to split is a guess. It is verified: every piece must be a valid object, and the rest
// without the items (the envelope) must be a valid list with exactly one, empty, `items`. Then the
// whole was valid JSON and had these items. Any other text is left to JsonDecoder, which also words
// the errors.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include <simdjson.h>

#include "model/records/snapshot.h"

namespace ebb::model {

class ListDecoder {
 public:
  explicit ListDecoder(Snapshot& into);

  // Decodes the complete items in `window` and returns the number of bytes consumed; the next
  // window starts there and must be longer. Returns nothing if the text is not such a list; the
  // snapshot is then unchanged. A window must be followed by simdjson::SIMDJSON_PADDING readable
  // bytes.
  [[nodiscard]] std::optional<std::size_t> take(std::string_view window);

  // Does the same for the rest of the text.
  [[nodiscard]] bool finish(std::string_view rest);

 private:
  [[nodiscard]] std::optional<std::size_t> find_first_item(std::string_view window);
  [[nodiscard]] bool decode_item(std::string_view item);
  [[nodiscard]] bool is_envelope(std::string_view rest);
  void take_back();

  Snapshot& into_;
  simdjson::dom::parser parser_;
  std::size_t items_ = 0;
  std::string envelope_;   // up to the bracket that opens the items
  std::string separator_;  // from the end of one item to the beginning of the next
  std::string end_;        // from the end of the last item to the bracket after it

  // The size of the snapshot before decoding.
  struct {
    std::size_t pods, replica_sets, deployments, nodes, policies, pod_group_costs;
    std::map<std::string, std::size_t> skipped;
  } before_;
};

// Decodes a complete text. Returns false, with nothing added, if it is not such a list.
[[nodiscard]] bool decode_list(std::string_view text, Snapshot& into);

}  // namespace ebb::model
