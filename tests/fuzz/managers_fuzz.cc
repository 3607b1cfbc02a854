// Fuzzes metadata.managedFields as clients send it. Accepted entries are stored and read again
// unchanged, and queries about a manager agree with its set of fields.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "apiserver/managedfields/managed_fields.h"
#include "base/check.h"
#include "input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using ebb::apiserver::ManagedFields;
  const std::string_view text = ebb::fuzz::as_text(data, size);
  // Entries that were damaged on disk must not end the process either.
  (void)ManagedFields::decode(text);
  const auto value = ebb::fuzz::parse_plainly(text);
  if (!value || !value->is_array()) return 0;
  const auto given = ManagedFields::decode_foreign(value->get_array());
  if (!given) {
    EBB_CHECK(ebb::fuzz::is_text(given.error().message));
    return 0;
  }
  const std::string stored = given->encode();
  const ManagedFields again = ManagedFields::decode(stored);
  EBB_CHECK(again.encode() == stored && same_but_for_times(*given, again));
  EBB_CHECK(again.entries().size() == given->entries().size());
  for (const ebb::apiserver::ManagedEntry& entry : again.entries()) {
    const ebb::apiserver::FieldSet set = entry.owned.set();
    EBB_CHECK(entry.owned.has_all(set));
    EBB_CHECK(set.empty() || (entry.owned.has_any(set) && entry.owned.reaches(set)));
  }
  ManagedFields capped = again;
  capped.cap_updates(1);
  EBB_CHECK(capped.entries().size() <= again.entries().size());
  return 0;
}
