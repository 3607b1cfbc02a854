#include "cli/common/target.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <string>

#include <fmt/format.h>

namespace ebb::cli {

using plan::Request;

namespace {

struct TargetKind {
  std::string_view name;
  Request::Kind kind;
};
// All forms that kubectl accepts, and those that `kubectl get -o name` prints.
constexpr std::array kTargetKinds = {
    TargetKind{"rs", Request::Kind::kReplicaSet},
    TargetKind{"replicaset", Request::Kind::kReplicaSet},
    TargetKind{"replicasets", Request::Kind::kReplicaSet},
    TargetKind{"replicaset.apps", Request::Kind::kReplicaSet},
    TargetKind{"replicasets.apps", Request::Kind::kReplicaSet},
    TargetKind{"deploy", Request::Kind::kDeployment},
    TargetKind{"deployment", Request::Kind::kDeployment},
    TargetKind{"deployments", Request::Kind::kDeployment},
    TargetKind{"deployment.apps", Request::Kind::kDeployment},
    TargetKind{"deployments.apps", Request::Kind::kDeployment},
};

}  // namespace

Result<void> parse_target(std::string_view what, std::string_view text, Request& request) {
  constexpr std::string_view kForms = "rs/NAME, replicaset/NAME, deploy/NAME or deployment/NAME";
  if (text.empty()) return fail(ErrorCode::kUsage, fmt::format("{} is required: {}", what, kForms));
  const auto slash = text.find('/');
  std::string kind(text.substr(0, slash));
  std::transform(kind.begin(), kind.end(), kind.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (const TargetKind& known : kTargetKinds) {
    if (known.name != kind || slash == std::string_view::npos) continue;
    request.kind = known.kind;
    request.name = text.substr(slash + 1);
    if (!request.name.empty() && request.name.find('/') == std::string::npos) return {};
  }
  return fail(ErrorCode::kUsage, fmt::format("{}: expected {}, got \"{}\"", what, kForms, text));
}

Result<std::int32_t> parse_replicas(std::string_view text) {
  std::int32_t replicas = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), replicas);
  if (error == std::errc() && end == text.data() + text.size() && replicas >= 0) return replicas;
  return fail(ErrorCode::kUsage,
              fmt::format("--replicas: expected a number from 0 to 2147483647, got \"{}\"", text));
}

}  // namespace ebb::cli
