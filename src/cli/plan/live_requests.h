// Single requests to a live cluster, for a command that has nothing else to do: it waits for each
// answer, and reports on standard error what it waits for after two seconds.
#pragma once  // private to its room

#include <chrono>
#include <ostream>
#include <string>
#include <string_view>

#include "base/result.h"
#include "kube/client.h"

namespace ebb::cli {

class LiveRequests {
 public:
  LiveRequests(kube::Client& client, std::ostream& err);

  // Describes the current step for the user: "reading pods: 500 so far".
  void now_doing(std::string what) { doing_ = std::move(what); }

  [[nodiscard]] kube::ApiReply ask(std::string path, std::string query, std::string_view accept);

 private:
  void speak_up();

  kube::Client& client_;
  std::ostream& err_;
  std::string doing_ = "waiting for the API server";
  std::chrono::steady_clock::time_point next_words_;
};

[[nodiscard]] bool good(const kube::ApiReply& reply);
// Whether the server answered with this code.
[[nodiscard]] bool answered_with(const kube::ApiReply& reply, int code);
// The error that kubectl would print, without its first words.
[[nodiscard]] tl::unexpected<Error> refused(const kube::ApiReply& reply);

}  // namespace ebb::cli
