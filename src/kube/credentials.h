// The identity presented to an API server, kept up to date: token and certificate files are renewed
// from outside, and plugins provide credentials that expire.
//
// It belongs to one thread. Files are read synchronously; a plugin runs in the background, and
// until it is done the credentials are not ready().
#pragma once  // private to its room

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/now.h"
#include "base/result.h"
#include "kube/cluster_access.h"
#include "kube/exec_plugin_runner.h"
#include "net/client/http_client.h"

namespace ebb::kube {

struct Identity {
  std::vector<std::pair<std::string, std::string>> headers{};
  std::shared_ptr<const net::HttpClientTls> tls{};
  std::uint64_t generation = 0;  // grows when one of the two changes
};

class Credentials {
 public:
  // Reads all files and runs a plugin before it returns. `wake` is called from another thread when
  // refresh() has something to do. A plugin is killed once `give_up` is true.
  [[nodiscard]] static Result<std::unique_ptr<Credentials>> make(
      const ClusterAccess& access, Now now, std::function<void()> wake,
      const std::atomic<bool>* give_up = nullptr);

  // Reads files again when due, about once a minute. Unreadable or invalid credentials leave the
  // old ones in place: the two files of a pair are replaced one after the other.
  void refresh(Now now);
  // If false, a plugin is running or has failed: see problem().
  [[nodiscard]] bool ready() const { return ready_; }
  // Why there are no credentials now; empty while a plugin is running.
  [[nodiscard]] const std::string& problem() const { return problem_; }
  [[nodiscard]] const Identity& identity() const { return identity_; }

  // Reports that the server rejected the identity of that generation (401). Returns whether there
  // are, or soon will be, other credentials to retry with.
  [[nodiscard]] bool rejected(std::uint64_t generation, Now now);
  // Whether rejected() can ever return true.
  [[nodiscard]] bool renewable() const;

 private:
  struct Secrets {
    std::string token{};
    std::string certificate_pem{};
    std::string key_pem{};
    // The sources of the two, for messages.
    std::string certificate_origin{};
    std::string key_origin{};

    friend bool operator==(const Secrets&, const Secrets&) = default;
  };

  Credentials(const ClusterAccess& access, std::function<void()> wake)
      : access_(access), runner_(access_, std::move(wake)) {}

  [[nodiscard]] bool uses_plugin() const;
  [[nodiscard]] Result<Secrets> read_files() const;
  // Changes nothing if the certificate or its key is unusable.
  [[nodiscard]] Result<void> adopt(Secrets secrets);
  [[nodiscard]] Result<net::HttpClientTls> make_tls(const Secrets& secrets) const;
  void take_plugin(Result<ExecCredential> result, Now now);
  void run_plugin(Now now);

  const ClusterAccess access_;
  ExecPluginRunner runner_;
  Secrets secrets_;
  Identity identity_;
  bool ready_ = false;
  std::string problem_;
  Timestamp next_read_{};      // mono
  Timestamp expires_{};        // wall; zero: never
  Timestamp next_run_{};       // mono: earliest next plugin run
  Timestamp next_rejected_{};  // mono: earliest next run after a 401
};

}  // namespace ebb::kube
