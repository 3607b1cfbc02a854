// A reviewer that asks an API server, by TokenReview and then SubjectAccessReview.
//
// It has its own client, so that reviews caused by strangers neither wait for the controllers'
// requests nor take their connections.
#pragma once

#include <memory>

#include "kube/client.h"
#include "runtime/pages/reviewer.h"

namespace ebb::runtime {

class KubeReviewer : public Reviewer {
 public:
  explicit KubeReviewer(std::unique_ptr<kube::Client> client) : client_(std::move(client)) {}

  void ask(std::string token, std::string path, Done done) override;
  void poll(Nanoseconds longest_ns) override { client_->poll(longest_ns); }
  void wake() override { client_->wake(); }

 private:
  struct Review;

  void post(std::string_view path, std::string body, kube::Client::Done done);

  std::unique_ptr<kube::Client> client_;
};

}  // namespace ebb::runtime
