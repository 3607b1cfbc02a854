#include "support/objects/generated_pods.h"

#include <random>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/check.h"
#include "schema/core/time.h"
#include "support/objects/generated_pods_text.h"

namespace ebb::testing {
namespace {

constexpr std::int64_t kNowSeconds = 1793534400;  // 2026-11-01T12:00:00Z
constexpr std::int64_t kDaySeconds = 86400;

// The standard's distributions differ between libraries; the raw engine does not.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  std::uint64_t bits() { return engine_(); }
  std::uint64_t below(std::uint64_t limit) { return engine_() % limit; }
  bool percent(std::uint64_t share) { return below(100) < share; }

 private:
  std::mt19937_64 engine_;
};

std::string make_uid(Random& random) {
  const std::uint64_t high = random.bits();
  const std::uint64_t low = random.bits();
  return fmt::format("{:08x}-{:04x}-4{:03x}-{:04x}-{:012x}", high >> 32, (high >> 16) & 0xffff,
                     high & 0xfff, 0x8000 | ((low >> 48) & 0x3fff), low & 0xffffffffffff);
}

std::string make_container_id(Random& random) {
  std::string id;
  for (int i = 0; i < 4; ++i) id += fmt::format("{:016x}", random.bits());
  return id;
}

std::string format_seconds(std::int64_t since_epoch) {
  return schema::format_time(Timestamp::from_seconds(since_epoch));
}

// Five letters as the API server draws them. Numbers below 27^5 give different ones.
std::string make_suffix(std::uint64_t number) {
  constexpr std::string_view kLetters = "bcdfghjklmnpqrstvwxz2456789";
  std::string suffix;
  for (int i = 0; i < 5; ++i) {
    suffix += kLetters[number % kLetters.size()];
    number /= kLetters.size();
  }
  return suffix;
}

struct NamedValue {
  std::string_view name;
  std::string value;
};

// Appends a text with its <fields> filled in.
void fill(std::string_view text, const std::vector<NamedValue>& fields, std::string& out) {
  for (auto open = text.find('<'); open != std::string_view::npos; open = text.find('<')) {
    const auto close = text.find('>', open);
    const std::string_view name = text.substr(open + 1, close - open - 1);
    out += text.substr(0, open);
    const NamedValue* found = nullptr;
    for (const NamedValue& field : fields) {
      if (field.name == name) found = &field;
    }
    EBB_CHECK(found != nullptr);
    out += found->value;
    text.remove_prefix(close + 1);
  }
  out += text;
}

void write_pod(std::string_view suffix, std::string_view owner_uid, std::size_t nodes,
               Random& random, std::string& out) {
  const bool pending = random.percent(2);
  const bool ready = !random.percent(3);
  const std::uint64_t node = random.below(nodes);
  const auto age = static_cast<std::int64_t>(random.below(30 * kDaySeconds));
  const std::int64_t created = kNowSeconds - 60 - age;
  const std::int64_t started = created + 2 + static_cast<std::int64_t>(random.below(20));
  const std::int64_t ready_since = started + 5 + static_cast<std::int64_t>(random.below(30));
  const std::uint64_t restarts = random.percent(10) ? 1 + random.below(5) : 0;
  const std::string pod_ip =
      fmt::format("10.{}.{}.{}", 64 + node / 256, node % 256, 2 + random.below(250));
  const std::string cost =
      fmt::format("\n                    \"controller.kubernetes.io/pod-deletion-cost\": \"{}\",",
                  static_cast<std::int64_t>(random.below(2001)) - 1000);
  const std::string node_name =
      fmt::format("\n                \"nodeName\": \"node-{}\",", node + 1);

  std::vector<NamedValue> fields = {
      {"name", fmt::format("web-7d4b9c6f5d-{}", suffix)},
      {"uid", make_uid(random)},
      {"owner_uid", std::string(owner_uid)},
      {"version", fmt::format("{}", 48000000 + random.below(1000000))},
      {"volume", make_suffix(random.bits())},
      {"deletion_cost", random.percent(5) ? cost : ""},
      {"node_name", pending ? "" : node_name},
      {"nodes", fmt::format("{}", nodes)},
      {"created", format_seconds(created)},
      {"started", format_seconds(started)},
      {"ready_since", format_seconds(ready_since)},
      {"ready", ready ? "True" : "False"},
      {"ready_flag", ready ? "true" : "false"},
      {"restarts", fmt::format("{}", restarts)},
      {"host_ip", fmt::format("192.168.{}.{}", node / 250, 1 + node % 250)},
      {"pod_ip", pod_ip},
      {"container_id", make_container_id(random)},
  };
  std::string status;
  fill(pending ? kPendingText : kRunningText, fields, status);
  fields.push_back({"status", std::move(status)});
  fill(kPodText, fields, out);
}

}  // namespace

std::string generate_pod_list(const GeneratedPods& parameters) {
  constexpr std::size_t kBytesPerPod = 6500;
  constexpr std::uint64_t kSuffixes = 27ULL * 27 * 27 * 27 * 27;
  EBB_CHECK(parameters.nodes > 0 && parameters.pods < kSuffixes);
  Random random(parameters.seed);
  std::string out;
  out.reserve((parameters.pods + 1) * kBytesPerPod);
  out += "{\n    \"apiVersion\": \"v1\",\n    \"items\": [\n";
  const std::string owner_uid = make_uid(random);
  fill(kReplicaSetText,
       {{"owner_uid", owner_uid},
        {"pods", fmt::format("{}", parameters.pods)},
        {"max_pods", fmt::format("{}", parameters.pods + (parameters.pods + 3) / 4)}},
       out);
  const std::uint64_t first_suffix = random.below(kSuffixes);
  for (std::size_t i = 0; i < parameters.pods; ++i) {
    out += ",\n";
    // A stride that shares no factor with 27^5 visits every suffix once.
    const std::string suffix = make_suffix((first_suffix + i * 5555557) % kSuffixes);
    write_pod(suffix, owner_uid, parameters.nodes, random, out);
  }
  out +=
      "\n    ],\n    \"kind\": \"List\",\n    \"metadata\": {\n        \"resourceVersion\": \"\"\n"
      "    }\n}\n";
  return out;
}

}  // namespace ebb::testing
