// Who we are to an API server, kept up to date: tokens and certificates in files are renewed by
// others, and plugins hand out credentials that expire.
//
// It belongs to one thread. Reading a file is done at once; a plugin runs beside, and until it
// is done the credentials are not ready().
#pragma once

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
#include "net/http_client.h"

namespace ebb::kube {

struct Identity {
  std::vector<std::pair<std::string, std::string>> headers{};
  std::shared_ptr<const net::HttpClientTls> tls{};
  std::uint64_t generation = 0;  // grows whenever one of the two changes
};

class Credentials {
 public:
  // Everything is read, and a plugin is run, before this returns. `wake` is called from another
  // thread when refresh() has something to do. A plugin is killed once `give_up` is true.
  [[nodiscard]] static Result<std::unique_ptr<Credentials>> make(
      const ClusterAccess& access, Now now, std::function<void()> wake,
      const std::atomic<bool>* give_up = nullptr);

  // Reads again what is due, about once a minute. What cannot be read stays as it was.
  void refresh(Now now);
  // Otherwise a plugin is running, or has failed: see problem().
  [[nodiscard]] bool ready() const { return ready_; }
  // Why there are no credentials now; empty while a plugin is running.
  [[nodiscard]] const std::string& problem() const { return problem_; }
  [[nodiscard]] const Identity& identity() const { return identity_; }

  // The server did not know who we are (401) in a request of that generation. Whether there are,
  // or soon will be, other credentials to try it with.
  [[nodiscard]] bool rejected(std::uint64_t generation, Now now);
  // Whether rejected() can ever say yes.
  [[nodiscard]] bool renewable() const;

 private:
  struct Secrets {
    std::string token{};
    std::string certificate_pem{};
    std::string key_pem{};

    friend bool operator==(const Secrets&, const Secrets&) = default;
  };

  Credentials(const ClusterAccess& access, std::function<void()> wake)
      : access_(access), runner_(access_, std::move(wake)) {}

  [[nodiscard]] bool uses_plugin() const;
  [[nodiscard]] Result<Secrets> read_files() const;
  void adopt(Secrets secrets);
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
  Timestamp next_run_{};       // mono: a plugin is not run again before
  Timestamp next_rejected_{};  // mono: nor because of another 401
};

}  // namespace ebb::kube
