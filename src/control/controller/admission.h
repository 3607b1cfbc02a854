// Admission reviews between the API server and a process: `ebb webhook` receives each as the body
// of an HTTP request and answers it at once, or when its decision is made.
#pragma once

#include <cstdint>
#include <string>

namespace ebb::control {

using ReviewId = std::uint64_t;

struct ReviewAnswer {
  ReviewId id = 0;
  // The AdmissionReview to send back; empty: the request was none, so the answer is HTTP 400.
  std::string body{};
};

}  // namespace ebb::control
