// Finds the addresses of names without waiting: whoever drives it also drives other things, and
// a name server that does not answer holds up nobody but those who ask for that name.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/timestamp.h"
#include "net/ip_address.h"

namespace ebb::net {

class Resolver {
 public:
  // All addresses in the order of the answer, IPv4 first; an error if there are none.
  using Done = std::function<void(Result<std::vector<IpAddress>>)>;

  virtual ~Resolver() = default;

  // `done` is called once, from here or from work(), unless the resolver is gone before.
  virtual void resolve(const std::string& name, Done done) = 0;

  // Readable when there is something for work() to do; -1: never.
  [[nodiscard]] virtual int descriptor() const = 0;
  // When work() wants to be called at the latest, from now; the largest number: never.
  [[nodiscard]] virtual Nanoseconds due_in_ns() = 0;
  virtual void work() = 0;
};

struct ResolverSettings {
  // Such as "127.0.0.1:5353"; empty: as the system is configured.
  std::string servers{};
  // Questions for further names are refused. Well below the number of ids that DNS has.
  std::size_t most_names = 16'384;
};

// Asks as the system would (hosts file, search list, ndots). Those who ask for a name while it
// is being looked for share the answer; nothing is kept longer than that.
[[nodiscard]] std::unique_ptr<Resolver> make_resolver(ResolverSettings settings);

}  // namespace ebb::net
