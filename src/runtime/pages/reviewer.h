// Decides whether the owner of a token may read a page: the seam between TokenAccess and an API
// server.
#pragma once  // private to its room

#include <cstdint>
#include <functional>
#include <string>

#include "base/timestamp.h"

namespace ebb::runtime {

struct Verdict {
  enum class Kind : std::uint8_t {
    kAllowed,
    kUnauthenticated,  // the token belongs to no user
    kForbidden,
    kFailed,  // the review itself failed
  };
  Kind kind = Kind::kFailed;
  std::string user{};     // if kForbidden
  std::string problem{};  // if kFailed, for operators; without the token
};

// Used by one thread, which drives it with poll().
class Reviewer {
 public:
  using Done = std::function<void(Verdict)>;

  virtual ~Reviewer() = default;

  // `done` is called once, from this function or from poll().
  virtual void ask(std::string token, std::string path, Done done) = 0;
  virtual void poll(Nanoseconds longest_ns) = 0;
  virtual void wake() = 0;  // from any thread: makes poll() return soon
};

}  // namespace ebb::runtime
