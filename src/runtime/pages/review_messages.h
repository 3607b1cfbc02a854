// TokenReview and SubjectAccessReview requests and their answers: who a client is, and what it may
// read. Nothing here does I/O.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace ebb::runtime {

inline constexpr std::string_view kTokenReviews = "/apis/authentication.k8s.io/v1/tokenreviews";
inline constexpr std::string_view kAccessReviews =
    "/apis/authorization.k8s.io/v1/subjectaccessreviews";

struct ReviewedUser {
  std::string name{};
  std::string uid{};
  std::vector<std::string> groups{};
  std::vector<std::pair<std::string, std::vector<std::string>>> extra{};
};

// The token of `Bearer TOKEN`, or nothing if there is none or it cannot be a token. A returned
// token is printable and at most 16 KiB long.
[[nodiscard]] std::optional<std::string_view> bearer_token(std::string_view authorization);

[[nodiscard]] std::string token_review(std::string_view token);
// Returns nothing if the token does not authenticate a user, and an error if the body is not a
// TokenReview.
[[nodiscard]] Result<std::optional<ReviewedUser>> read_token_review(std::string_view body);

// Asks whether the user may get the path.
[[nodiscard]] std::string access_review(const ReviewedUser& user, std::string_view path);
[[nodiscard]] Result<bool> read_access_review(std::string_view body);

}  // namespace ebb::runtime
