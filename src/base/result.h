// Errors are values. A function that can fail for reasons outside ebb's control returns Result<T>;
// conditions that only a bug can break are asserted with EBB_CHECK.
#pragma once

#include <string>
#include <utility>

#include <tl/expected.hpp>

namespace ebb {

enum class ErrorCode {
  kInvalidInput,  // a document, file or value from outside is wrong
  kNotFound,      // something that was named does not exist
  kUsage,         // the command line is invalid
  kIo,            // a file or stream could not be read or written
};

// An error says what was wrong, where (file, object, field), and what would be right. `retryable`
// means that the same call may succeed later.
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

// Passes an error on to a caller whose Result has another type.
template <class T>
[[nodiscard]] tl::unexpected<Error> propagate(Result<T>& result) {
  return tl::unexpected(std::move(result.error()));
}

}  // namespace ebb

// EBB_ASSIGN_OR_RETURN(auto port, parse_port(text)) assigns the value of a Result, or returns its
// error from the enclosing function. EBB_RETURN_IF_ERROR(write(file)) only returns the error. Both
// work for any tl::expected, as long as the function returns one with the same type of error. The
// first is more than one statement, so it needs braces after an `if`. Its first argument must not
// contain commas outside parentheses.
#define EBB_ASSIGN_OR_RETURN(target, ...) \
  EBB_ASSIGN_OR_RETURN_TO(EBB_JOIN(ebb_result_, __LINE__), target, __VA_ARGS__)

#define EBB_RETURN_IF_ERROR(...)                            \
  do {                                                      \
    if (auto ebb_result = __VA_ARGS__; !ebb_result) {       \
      return tl::unexpected(std::move(ebb_result).error()); \
    }                                                       \
  } while (false)

#define EBB_ASSIGN_OR_RETURN_TO(result, target, ...)             \
  auto result = __VA_ARGS__;                                     \
  if (!result) return tl::unexpected(std::move(result).error()); \
  target = *std::move(result)

#define EBB_JOIN(a, b) EBB_JOIN_EXPANDED(a, b)
#define EBB_JOIN_EXPANDED(a, b) a##b
