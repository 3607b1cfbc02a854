// Large lists as kubectl prints them, decoded item by item.
//
// Parsing a document as a whole takes memory several times its size, and getting that
// much memory from the system takes longer than the parsing. But kubectl's lists have
// one shape: each item begins and ends on lines of its own, at one indentation. A JSON
// string cannot contain a line break, so such a list can be cut at these lines and each
// item parsed by itself in a small buffer that stays in the cache.
//
// Where to cut is a guess; what makes it right is that every piece has to be a valid
// object, and what is left without the items (the envelope) a valid list with exactly
// one, empty, `items`. Then the whole was valid JSON and had these items. Whatever does
// not fit is left to JsonDecoder, which also knows how to word errors.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include <simdjson.h>

#include "model/snapshot.h"

namespace ebb::model {

class ListDecoder {
 public:
  explicit ListDecoder(Snapshot& into);

  // Decodes the items that are complete in `window` and says how many of its bytes are
  // done with; the next window begins there and has to be longer. Nothing: this is no
  // such list, and the snapshot is as it was before. A window must be followed by
  // simdjson::SIMDJSON_PADDING readable bytes.
  [[nodiscard]] std::optional<std::size_t> take(std::string_view window);

  // The same for what is left at the end of the text.
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

  // What the snapshot held before.
  struct {
    std::size_t pods, replica_sets, deployments, nodes, policies, pod_group_costs;
    std::map<std::string, std::size_t> skipped;
  } before_;
};

// A text as a whole. False: no such list, and nothing was added.
[[nodiscard]] bool decode_list(std::string_view text, Snapshot& into);

}  // namespace ebb::model
