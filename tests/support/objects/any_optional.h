// A random value, or none, as std::optional (rapidcheck has its own optional type).
#pragma once

#include <optional>

#include <rapidcheck.h>

namespace ebb::testing {

template <class T>
[[nodiscard]] rc::Gen<std::optional<T>> any_optional(rc::Gen<T> value) {
  return rc::gen::map(rc::gen::maybe(std::move(value)), [](const rc::Maybe<T>& maybe) {
    return maybe ? std::optional<T>(*maybe) : std::nullopt;
  });
}

}  // namespace ebb::testing
