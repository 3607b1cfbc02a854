// EBB_CHECK asserts conditions that only a bug in ebb can break. It is on in every build: a
// controller that deletes pods must stop rather than act on a broken state.
#pragma once

namespace ebb {

[[noreturn]] void check_failed(const char* condition, const char* file, int line);

}  // namespace ebb

#define EBB_CHECK(condition) \
  ((condition) ? static_cast<void>(0) : ::ebb::check_failed(#condition, __FILE__, __LINE__))
