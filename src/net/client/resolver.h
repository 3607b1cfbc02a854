// Resolves names asynchronously: a name server that does not respond delays only the calls that
// need that name.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/timestamp.h"
#include "net/address/ip_address.h"

namespace ebb::net {

class Resolver {
 public:
  // All addresses in the order of the response, IPv4 first; an error if there are none.
  using Done = std::function<void(Result<std::vector<IpAddress>>)>;

  virtual ~Resolver() = default;

  // Calls `done` once, from this call or from work(), unless the resolver is destroyed before.
  virtual void resolve(const std::string& name, Done done) = 0;
  // Resolves exactly this name, which must not end in a dot: without the hosts file and the search
  // list, and without aliases (CNAME). In a cluster, an alias is a Service of type ExternalName,
  // whose author can point it anywhere.
  virtual void resolve_exactly(const std::string& name, Done done) = 0;

  // Readable when work() has something to do; -1: never.
  [[nodiscard]] virtual int descriptor() const = 0;
  // The time until work() must be called; the largest number: never.
  [[nodiscard]] virtual Nanoseconds due_in_ns() = 0;
  virtual void work() = 0;
};

struct ResolverSettings {
  // Such as "127.0.0.1:5353"; empty: the system's configuration.
  std::string servers{};
  // Lookups beyond this number are rejected. Well below the number of DNS query ids.
  std::size_t max_names = 16'384;
};

// Resolves names as the system does (hosts file, search list, ndots). Concurrent lookups of a name
// share the result, which is not cached any longer.
[[nodiscard]] std::unique_ptr<Resolver> make_resolver(ResolverSettings settings);

}  // namespace ebb::net
