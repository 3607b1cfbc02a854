// Pickers at scale: the cost of one request, and a thousand ReplicaSets that are scaled down at
// once, each with a picker that takes 0.9 s of its 2 s, beside ReplicaSets without pickers.
//
// Cluster, controllers and picker share this process and its processors, so the times include all
// of the work, also that of the hollow components. Requests use real connections on loopback.
#include <chrono>
#include <ctime>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <sys/resource.h>

#include "base/mutex.h"
#include "base/packed_strings.h"
#include "bench/measure.h"
#include "bench/picker_process.h"
#include "bench/require.h"
#include "hollow/repeatable_random.h"
#include "picker/facts.h"
#include "picker/prepared_request.h"
#include "pickerclient/picker_client.h"
#include "schema/core/json.h"
#include "support/cluster/controlled_cluster.h"
#include "support/picker/local_picker.h"

namespace ebb::bench {
namespace {

namespace json = boost::json;
using Clock = std::chrono::steady_clock;
using model::Method;

constexpr std::size_t kCandidates = 5'000;
constexpr std::size_t kChosen = 500;
constexpr int kRequests = 100;

constexpr int kSets = 1'000;
constexpr int kPlainSets = 100;
constexpr int kPods = 3;
constexpr int kRounds = 3;
constexpr std::chrono::milliseconds kPickerTakes{900};
constexpr const char* kReplicaSets = "/apis/apps/v1/namespaces/default/replicasets";

double process_cpu_seconds() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

// Sends one request at a time and waits for its answer.
class Waiting {
 public:
  picker::Reply ask(picker::Call call) {
    picker_client_.ask(std::move(call));
    const MutexLock lock(mutex_);
    while (!reply_) replied_.wait(mutex_);
    return *std::exchange(reply_, std::nullopt);
  }

 private:
  Mutex mutex_;
  ConditionVariable replied_;
  std::optional<picker::Reply> reply_ EBB_GUARDED_BY(mutex_);
  picker_client::PickerClient picker_client_{{.egress = {.loopback = true}},
                                             [this](picker::CallId, picker::Reply reply) {
                                               const MutexLock lock(mutex_);
                                               reply_ = std::move(reply);
                                               replied_.notify_one();
                                             }};
};

struct ManyPods {
  ManyPods() {
    for (std::size_t i = 0; i < kCandidates; ++i) {
      model::Pod pod;
      // In no order, as a store has them.
      const std::uint64_t random = hollow::random_of(1, std::to_string(i));
      pod.name = pool.intern(fmt::format("web-7d4b9c6f5d-{:04x}{}", random & 0xffffU, i));
      pod.uid = pool.intern(fmt::format("2bdf1f28-5d0e-4f33-9c5c-{:012x}", random >> 16U));
      pod.created = pod.ready_since = Timestamp::from_seconds(1793500000 + static_cast<int>(i));
      pod.node = pool.intern(fmt::format("node-{}", i % 100));
      pod.phase = model::Phase::kRunning;
      pod.ready = true;
      pods.push_back(pod);
    }
    for (const model::Pod& pod : pods) pointers.push_back(&pod);
  }

  model::Pool pool;
  std::vector<model::Pod> pods;
  std::vector<const model::Pod*> pointers;
};

// CPU time of this process, from the pods to the verdicts on them. The picker is another process.
void measure_cost(picker::Context context, const char* name, const char* aim) {
  const ManyPods many;
  json::array chosen;
  for (std::size_t i = 0; i < kChosen; ++i) chosen.emplace_back(many.pods[i * 7].name.view());
  const PickerProcess process(
      json::serialize(json::object{{"chosen_pods", chosen}, {"tied_pods", json::array()}}));
  auto settings = std::make_shared<picker::Settings>();
  settings->host = "127.0.0.1";
  settings->port = process.port();
  settings->context = context;
  Waiting picker;
  const auto zone_of = [](model::Interned) { return std::string_view("zone-a"); };
  // The same steps as in control/scaledown/picker_advice.cc and control/picker/picker_sessions.cc.
  const auto one_request = [&](int number) {
    picker::PreparedRequest prepared = picker::prepare(many.pointers, kChosen);
    PackedStrings names;
    PackedStrings uids;
    for (const model::Pod* pod : prepared.pods) {
      names.add(pod->name.view());
      uids.add(pod->uid.view());
    }
    const auto request = picker::make_pick_request(std::move(prepared), context, zone_of,
                                                   Timestamp::from_seconds(1793534400));
    const picker::Reply reply =
        picker.ask({.id = static_cast<picker::CallId>(number),
                    .settings = settings,
                    .body = std::make_shared<const std::string>(to_json(request)),
                    .idempotency_key = fmt::format("bench-{}", number),
                    .deadline_ns = 5 * kNanosecondsPerSecond});
    require(reply.outcome == picker::Outcome::kAnswered, "the picker did not answer");
    std::vector<std::string_view> views;
    views.reserve(names.size());
    for (std::size_t i = 0; i < names.size(); ++i) views.push_back(names[i]);
    keep(picker::judge_names(views, reply.answer));
    keep(uids);
  };
  for (int i = 0; i < 10; ++i) one_request(i + 1);
  std::vector<double> costs;
  for (int i = 0; i < kRequests; ++i) {
    const double before = process_cpu_seconds();
    one_request(i + 100);
    costs.push_back((process_cpu_seconds() - before) * 1e3);
  }
  print(name, median(costs), "ms", aim);
}

// ReplicaSets of one kind: those with a picker, as many without, and the few to be compared.
struct Kind {
  std::string name;
  int count = 0;
};

class Burst {
 public:
  void run();

 private:
  struct Round {
    double all_decided = 0;  // seconds from the first scaling to the last decision
    double plain = 0;        // the median of the plain ones, from scaling to decision
    double answered = 0;     // share of those with a picker that it decided
  };

  static cluster::EmbeddedClusterSettings cluster_settings();
  void start_controllers();
  void create(const Kind& kind, bool with_picker);
  void wait_for_pods(std::size_t count);
  void scale(const std::string& name, int replicas);
  // Scales the plain ones down, together with those of another kind.
  Round scale_down(const Kind* others);
  void decided(const control::Decision& decision);

  Kind picked_{"picked", kSets};
  Kind unpicked_{"unpicked", kSets};
  Kind plain_{"plain", kPlainSets};
  support::LocalPicker picker_{support::LocalPicker::first_ones, kPickerTakes};
  support::ControlledCluster cluster_{cluster_settings()};
  std::ostringstream log_;
  Mutex mutex_;
  ConditionVariable changed_;
  std::map<std::string, Clock::time_point> decided_ EBB_GUARDED_BY(mutex_);
  int answered_ EBB_GUARDED_BY(mutex_) = 0;
  std::optional<support::RunningControllers> controllers_;
};

cluster::EmbeddedClusterSettings Burst::cluster_settings() {
  auto settings = support::ControlledCluster::quick();
  auto nodes = hollow::parse_node_grid("4x25");
  require(nodes.has_value(), "no nodes");
  for (hollow::NodeSpec& node : *nodes) node.capacity = {{"cpu", "1000"}, {"pods", "1000"}};
  settings.nodes.nodes = std::move(*nodes);
  return settings;
}

void Burst::start_controllers() {
  runtime::ControllersSettings settings;
  settings.egress.loopback = true;
  settings.process.deployments = false;
  settings.log.verbosity = -1;
  auto controllers = cluster_.make(std::move(settings), log_);
  controllers->on_decision([this](const control::Decision& decision) { decided(decision); });
  controllers_.emplace(std::move(controllers));
}

void Burst::decided(const control::Decision& decision) {
  const MutexLock lock(mutex_);
  decided_[decision.replica_set] = Clock::now();
  if (decision.picker && decision.picker->outcome == picker::Outcome::kAnswered) ++answered_;
  changed_.notify_all();
}

void Burst::create(const Kind& kind, bool with_picker) {
  for (int i = 0; i < kind.count; ++i) {
    const std::string name = fmt::format("{}-{}", kind.name, i);
    cluster_.ask(
        Method::kPost, kReplicaSets,
        fmt::format(R"({{"apiVersion":"apps/v1","kind":"ReplicaSet","metadata":{{"name":"{0}"}},)"
                    R"("spec":{{"replicas":{1},"selector":{{"matchLabels":{{"app":"{0}"}}}},)"
                    R"("template":{{"metadata":{{"labels":{{"app":"{0}"}}}},)"
                    R"("spec":{{"containers":[{{"name":"c","image":"x"}}]}}}}}}}})",
                    name, kPods));
    if (!with_picker) continue;
    cluster_.ask(Method::kPost, "/apis/ebb.dev/v1alpha1/namespaces/default/downscalepolicies",
                 fmt::format(R"({{"apiVersion":"ebb.dev/v1alpha1","kind":"DownscalePolicy",)"
                             R"("metadata":{{"name":"{0}"}},"spec":{{)"
                             R"("targetRef":{{"kind":"ReplicaSet","name":"{0}"}},"podPicker":{{)"
                             R"("http":{{"host":"127.0.0.1","port":{1}}},"timeoutSeconds":2}}}}}})",
                             name, picker_.port()));
  }
}

void Burst::wait_for_pods(std::size_t count) {
  const auto all_ready = [&] {
    const json::object sets = cluster_.ask(Method::kGet, kReplicaSets);
    std::size_t ready = 0;
    for (const json::value& set : *schema::array_at(sets, {"items"})) {
      ready += static_cast<std::size_t>(
          schema::integer_at(set.as_object(), {"status", "readyReplicas"}).value_or(0));
    }
    return ready == count;
  };
  const auto end = Clock::now() + std::chrono::seconds(120);
  while (!all_ready()) {
    require(Clock::now() < end, "the pods did not become ready");
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
}

void Burst::scale(const std::string& name, int replicas) {
  cluster_.ask(Method::kPatch, fmt::format("{}/{}/scale", kReplicaSets, name),
               fmt::format(R"({{"spec":{{"replicas":{}}}}})", replicas));
}

Burst::Round Burst::scale_down(const Kind* others) {
  const std::size_t pods = static_cast<std::size_t>(kPods) * (2 * kSets + kPlainSets);
  {
    const MutexLock lock(mutex_);
    decided_.clear();
    answered_ = 0;
  }
  std::vector<std::string> names;
  const int count = others == nullptr ? 0 : others->count;
  for (int i = 0; i < std::max(count, kPlainSets); ++i) {
    if (i < count) names.push_back(fmt::format("{}-{}", others->name, i));
    // The plain ones are spread among the others.
    const int every = std::max(1, count / kPlainSets);
    if (i % every == 0 && i / every < kPlainSets) {
      names.push_back(fmt::format("{}-{}", plain_.name, i / every));
    }
  }
  std::map<std::string, Clock::time_point> scaled;
  const auto began = Clock::now();
  for (const std::string& name : names) {
    scaled[name] = Clock::now();
    scale(name, kPods - 1);
  }
  Round round;
  {
    const auto end = Clock::now() + std::chrono::seconds(60);
    const MutexLock lock(mutex_);
    while (decided_.size() != names.size()) {
      require(changed_.wait_until(mutex_, end), "not all were decided");
    }
    std::vector<double> plain;
    for (const auto& [name, time] : decided_) {
      round.all_decided =
          std::max(round.all_decided, std::chrono::duration<double>(time - began).count());
      if (name.starts_with("plain-")) {
        plain.push_back(std::chrono::duration<double>(time - scaled.at(name)).count());
      }
    }
    round.plain = median(plain);
    round.answered = static_cast<double>(answered_) / kSets;
  }
  wait_for_pods(pods - names.size());
  for (const std::string& name : names) scale(name, kPods);
  wait_for_pods(pods);
  return round;
}

void Burst::run() {
  create(picked_, true);
  create(unpicked_, false);
  create(plain_, false);
  start_controllers();
  wait_for_pods(static_cast<std::size_t>(kPods) * (2 * kSets + kPlainSets));
  std::vector<double> all;
  std::vector<double> without;
  std::vector<double> answered;
  std::vector<double> against_unpicked;
  std::vector<double> against_alone;
  for (int i = 0; i < kRounds; ++i) {
    const Round with_pickers = scale_down(&picked_);
    const Round without_pickers = scale_down(&unpicked_);
    const Round alone = scale_down(nullptr);
    all.push_back(with_pickers.all_decided);
    without.push_back(without_pickers.all_decided);
    answered.push_back(with_pickers.answered);
    against_unpicked.push_back(with_pickers.plain / without_pickers.plain);
    against_alone.push_back(with_pickers.plain / alone.plain);
  }
  print("picker.1000_sets_with_pickers_of_0.9s_all_decided", median(all), "s", "<=2");
  print("picker.1000_sets_answered_in_time", median(answered), "x", ">=1");
  print("picker.1000_sets_without_pickers_all_decided", median(without), "s", "-");
  print("picker.plain_sets_beside_1000_with_pickers_vs_1000_without", median(against_unpicked), "x",
        "<=1");
  print("picker.plain_sets_beside_1000_with_pickers_vs_alone", median(against_alone), "x", "-");
}

// A thousand requests are as many connections, at both ends.
void raise_file_limit() {
  rlimit limit{};
  require(::getrlimit(RLIMIT_NOFILE, &limit) == 0, "no limit of files");
  limit.rlim_cur = std::max<rlim_t>(limit.rlim_cur, std::min<rlim_t>(8192, limit.rlim_max));
  require(::setrlimit(RLIMIT_NOFILE, &limit) == 0, "too few files may be open");
}

}  // namespace

void run_picker_benchmarks() {
  raise_file_limit();
  announce("asking about 5,000 pods");
  measure_cost(picker::Context::kNames, "picker.cpu_of_a_question_about_5000_pods", "<=1");
  measure_cost(picker::Context::kFull, "picker.cpu_of_a_question_with_full_context", "-");
  announce("scaling 1,000 ReplicaSets with pickers down at once");
  Burst().run();
}

}  // namespace ebb::bench
