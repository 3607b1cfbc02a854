#include "runtime/pages/token_access.h"

#include <atomic>
#include <thread>
#include <utility>
#include <vector>

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include "base/mutex.h"
#include "runtime/host/clock.h"
#include "runtime/pages/review_cache.h"
#include "runtime/pages/review_messages.h"

namespace ebb::runtime {
namespace {

namespace json = boost::json;

constexpr Nanoseconds kLongestSleepNs = kNanosecondsPerSecond;
constexpr Nanoseconds kBetweenWarningsNs = 60 * kNanosecondsPerSecond;

Refusal status(int code, std::string_view reason, const std::string& message) {
  const json::object body{{"kind", "Status"},
                          {"apiVersion", "v1"},
                          {"metadata", json::object{}},
                          {"status", "Failure"},
                          {"message", message},
                          {"reason", json::string_view(reason.data(), reason.size())},
                          {"code", code}};
  return {.code = code, .content_type = "application/json", .text = json::serialize(body) + "\n"};
}

Refusal unauthorized() {
  Refusal refusal = status(401, "Unauthorized", "Unauthorized");
  refusal.headers.emplace_back("WWW-Authenticate", "Bearer");
  return refusal;
}

Refusal too_many() {
  return {.code = 429,
          .text = "Too many requests, please try again later.\n",
          .headers = {{"Retry-After", "1"}}};
}

std::optional<Refusal> refusal_of(const Verdict& verdict, const std::string& path) {
  switch (verdict.kind) {
    case Verdict::Kind::kAllowed:
      return std::nullopt;
    case Verdict::Kind::kUnauthenticated:
      return unauthorized();
    case Verdict::Kind::kForbidden:
      return status(
          403, "Forbidden",
          fmt::format("forbidden: User \"{}\" cannot get path \"{}\"", verdict.user, path));
    case Verdict::Kind::kFailed:
      break;
  }
  return Refusal{.code = 500,
                 .text = fmt::format("Internal Server Error: \"{}\": the API server could not be "
                                     "asked for authorization\n",
                                     path)};
}

ReviewKey key_of(std::string_view token, const std::string& path) {
  std::string both = path;
  both += '\0';
  both += token;
  return net::sha256(both);
}

}  // namespace

struct TokenAccess::State {
  State(AllowedPaths paths, std::unique_ptr<Reviewer> by,
        std::function<void(const std::string&)> on_warning, const ReviewLimits& limits)
      : always_allowed(std::move(paths)),
        reviewer(std::move(by)),
        warn(std::move(on_warning)),
        queue(limits) {}

  void run();
  void start(ReviewQueue::Review review);
  void finish(const ReviewKey& key, const Verdict& verdict);
  void log_problem(const std::string& problem);

  const AllowedPaths always_allowed;
  const std::unique_ptr<Reviewer> reviewer;
  const std::function<void(const std::string&)> warn;
  Timestamp warned{};  // used only by the thread
  std::atomic<bool> stopping = false;

  Mutex mutex;  // held only briefly
  ReviewCache cache EBB_GUARDED_BY(mutex);
  ReviewQueue queue EBB_GUARDED_BY(mutex);

  std::thread thread;
};

void TokenAccess::State::run() {
  while (!stopping) {
    std::vector<ReviewQueue::Review> reviews;
    Nanoseconds wait = 0;
    {
      const MutexLock lock(mutex);
      while (auto review = queue.next(clock_now().mono)) reviews.push_back(std::move(*review));
      wait = queue.wait_ns(kLongestSleepNs);
    }
    for (ReviewQueue::Review& review : reviews) start(std::move(review));
    reviewer->poll(wait);
  }
}

void TokenAccess::State::start(ReviewQueue::Review review) {
  reviewer->ask(std::move(review.token), std::move(review.path),
                [this, key = review.key](const Verdict& verdict) { finish(key, verdict); });
}

void TokenAccess::State::finish(const ReviewKey& key, const Verdict& verdict) {
  if (stopping) return;
  if (verdict.kind == Verdict::Kind::kFailed) log_problem(verdict.problem);
  std::vector<ReviewQueue::Waiter> waiters;
  {
    const MutexLock lock(mutex);
    cache.put(key, verdict, clock_now().mono);
    waiters = queue.finish(key);
  }
  reviewer->wake();  // the next review may start
  for (const ReviewQueue::Waiter& waiter : waiters) waiter(verdict);
}

void TokenAccess::State::log_problem(const std::string& problem) {
  const Timestamp now = clock_now().mono;
  if (!warned.is_zero() && elapsed_ns(warned, now) < kBetweenWarningsNs) return;
  warned = now;
  warn(problem);
}

TokenAccess::TokenAccess(AllowedPaths always_allowed, std::unique_ptr<Reviewer> reviewer,
                         std::function<void(const std::string&)> warn, const ReviewLimits& limits)
    : state_(std::make_unique<State>(std::move(always_allowed), std::move(reviewer),
                                     std::move(warn), limits)) {
  state_->thread = std::thread([state = state_.get()] { state->run(); });
}

TokenAccess::~TokenAccess() {
  state_->stopping = true;
  state_->reviewer->wake();
  state_->thread.join();
}

void TokenAccess::check(const net::HttpRequest& request, Done done) {
  if (state_->always_allowed.contains(request.path)) return done(std::nullopt);
  const auto token = bearer_token(request.authorization);
  if (!token) return done(unauthorized());
  const ReviewKey key = key_of(*token, request.path);
  std::optional<Verdict> known;
  bool waits = false;
  {
    const MutexLock lock(state_->mutex);
    known = state_->cache.find(key, clock_now().mono);
    if (!known) {
      waits = state_->queue.add({.key = key,
                                 .known = state_->cache.was_allowed(key),
                                 .peer = request.peer,
                                 .token = std::string(*token),
                                 .path = request.path,
                                 .waiter = [done, path = request.path](const Verdict& verdict) {
                                   done(refusal_of(verdict, path));
                                 }});
    }
  }
  if (known) return done(refusal_of(*known, request.path));
  if (!waits) return done(too_many());
  state_->reviewer->wake();
}

}  // namespace ebb::runtime
