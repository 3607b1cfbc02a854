// Errors are values. A function that can fail for reasons outside our control
// returns Result<T>; what can only be our own bug is asserted with EBB_CHECK.
#pragma once

#include <string>
#include <utility>

#include <tl/expected.hpp>

namespace ebb {

enum class ErrorCode {
  kInvalidInput,  // a document, file or value from outside is wrong
  kNotFound,      // something that was named does not exist
  kUsage,         // the command line makes no sense
  kIo,            // a file or stream could not be read or written
};

// An error names what was wrong, where (file, object, field), and what would be
// right. `retryable` says that the same call may succeed later.
struct Error {
  ErrorCode code;
  std::string message;
  bool retryable = false;
};

template <class T>
using Result = tl::expected<T, Error>;

[[nodiscard]] inline tl::unexpected<Error> fail(ErrorCode code, std::string message) {
  return tl::unexpected(Error{code, std::move(message)});
}

// Hands an error on to a caller whose Result carries another type.
template <class T>
[[nodiscard]] tl::unexpected<Error> propagate(Result<T>& result) {
  return tl::unexpected(std::move(result.error()));
}

}  // namespace ebb
