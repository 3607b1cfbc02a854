#include "sim/link/link.h"

#include <algorithm>
#include <utility>

#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include "apiserver/request/route.h"
#include "apiserver/request/time_limit.h"
#include "base/check.h"
#include "sim/core/garble.h"
#include "sim/link/admission.h"
#include "sim/link/link_stream.h"
#include "sim/link/wording.h"

namespace ebb::sim {
namespace {

using control::Answer;
using control::Call;
using control::CallId;
using model::Method;

constexpr Nanoseconds kPrompt = 10 * kMillisecond;
constexpr double kTerminatingChance = 0.1;

Answer refusal(int code, std::string_view reason, std::string message, int retry_after = 0) {
  model::Status status;
  status.code = code;
  status.reason = reason;
  status.message = std::move(message);
  status.retry_after_seconds = retry_after;
  Answer answer;
  answer.response.code = code;
  answer.response.retry_after_seconds = retry_after;
  answer.response.body = Bytes(boost::json::serialize(status.to_json()));
  return answer;
}

bool creates_pod(const Call& call) {
  return call.request.method == Method::kPost && call.request.path.ends_with("/pods");
}

// A controller that gets this answer waits for the namespace to be deleted, and retries only after
// minutes. An API server with a stale view of namespaces can send it although the namespace stays.
Answer namespace_terminating() {
  model::Status status;
  status.code = 403;
  status.reason = "Forbidden";
  status.message = "unable to create new content in namespace because it is being terminated";
  status.causes.push_back({"NamespaceTerminating", "namespace is being terminated", ""});
  Answer answer;
  answer.response.code = status.code;
  answer.response.body = Bytes(boost::json::serialize(status.to_json()));
  return answer;
}

// A webhook chooses everything except the beginning of the message. A proxy that answers a delete
// in place of the API server chooses that, too.
Answer denial_of(const Call& call, Random& random) {
  struct Words {
    int code;
    std::string_view reason;
    std::string_view message;
    int retry_after;
  };
  static constexpr Words kWords[] = {
      {404, "NotFound", "pods \"web\" not found", 0},
      {409, "Conflict", "Precondition failed: UID in precondition: 1, UID in object meta: 2", 0},
      {409, "AlreadyExists", "replicasets.apps \"web\" already exists", 0},
      {415, "UnsupportedMediaType", "the body of the request was in an unknown format", 0},
      {429, "TooManyRequests", "too many requests", 60},
      {500, "InternalError", "Internal error occurred", 0},
  };
  constexpr double kNoPrefixChance = 0.25;
  const Words& words = kWords[random.below(std::size(kWords))];
  const bool bare =
      call.request.method == Method::kDelete && words.code == 404 && random.chance(kNoPrefixChance);
  return refusal(
      words.code, words.reason,
      fmt::format("{}{}", bare ? "" : "admission webhook \"no.example.com\" denied the request: ",
                  words.message),
      words.retry_after);
}

Answer answer_to(const Call& call, Fault fault, Random& random) {
  const int seconds = 1 + static_cast<int>(random.below(3));
  switch (fault) {
    case Fault::kConflict:
      if (call.request.method == Method::kPost) {
        return refusal(409, "AlreadyExists", "the generated name is taken");
      }
      return refusal(409, "Conflict",
                     "Operation cannot be fulfilled: the object has been modified; please apply "
                     "your changes to the latest version and try again");
    case Fault::kForbidden:
      if (creates_pod(call) && random.chance(kTerminatingChance)) return namespace_terminating();
      return refusal(403, "Forbidden", "forbidden: exceeded quota");
    case Fault::kDenied:
      return denial_of(call, random);
    case Fault::kThrottled:
      return refusal(429, "TooManyRequests", "too many requests");
    case Fault::kThrottledFor:
      return refusal(429, "TooManyRequests", "too many requests", seconds);
    case Fault::kServerErrorFor:
      return refusal(503, "ServiceUnavailable", "the server is starting", seconds);
    case Fault::kGone:
      return refusal(410, "Expired", "too old resource version");
    default:
      return refusal(500, "InternalError",
                     "Internal error occurred: etcdserver: request timed out");
  }
}

bool idempotent(const Call& call) {
  return call.request.method == Method::kPut || call.request.method == Method::kDelete ||
         call.request.method == Method::kPatch;
}

// How long after it was sent the API server may execute the call.
Nanoseconds longest_landing(const Call& call) {
  const bool changes_something = is_write(call.kind) || (call.kind == Call::Kind::kLease &&
                                                         call.request.method != Method::kGet);
  if (!changes_something) return std::min(call.deadline_ns, control::kWriteDeadlineNs) - 1;
  const auto query = apiserver::parse_query(call.request.query);
  const auto limit_ns =
      query ? apiserver::parse_time_limit(*query) : model::StatusOr<Nanoseconds>(0);
  EBB_CHECK(limit_ns.has_value());
  return std::max<Nanoseconds>(*limit_ns, 1) - 1;
}

bool applies(Fault fault, const Call& call) {
  const bool stream = call.kind == Call::Kind::kStream;
  const Method method = call.request.method;
  switch (fault) {
    case Fault::kConflict:
      // A DELETE conflicts only if it names another uid.
      return method == Method::kPut || method == Method::kPatch ||
             (method == Method::kPost && is_write(call.kind));
    case Fault::kForbidden:
    case Fault::kDenied:
      return is_write(call.kind);
    case Fault::kDuplicated:
      return idempotent(call);
    case Fault::kServerErrorAfter:
    case Fault::kLostAfter:
    case Fault::kLate:
      return !stream;
    case Fault::kGone:
      return stream && call.request.query.find("resourceVersion=") != std::string::npos &&
             call.request.query.find("sendInitialEvents") == std::string::npos;
    default:
      return true;
  }
}

}  // namespace

Link::Link(const LinkContext& context, std::string name, std::uint64_t seed, LinkUser& user,
           LinkObserver& probe)
    : context_(context), name_(std::move(name)), random_(seed), user_(&user), observer_(probe) {}

Link::~Link() = default;

bool Link::meet(Fault fault) {
  if (!random_.chance(context_.profile[fault])) return false;
  context_.met.add(fault);
  return true;
}

Nanoseconds Link::up_to(Nanoseconds max_ns) {
  return static_cast<Nanoseconds>(random_.below(static_cast<std::uint64_t>(max_ns) + 1));
}

std::optional<Fault> Link::draw_fault(const Call& call) {
  static constexpr Fault kOfCalls[] = {Fault::kRefused,          Fault::kLostBefore,
                                       Fault::kLostAfter,        Fault::kLate,
                                       Fault::kDuplicated,       Fault::kConflict,
                                       Fault::kForbidden,        Fault::kDenied,
                                       Fault::kThrottled,        Fault::kThrottledFor,
                                       Fault::kServerErrorFor,   Fault::kServerErrorBefore,
                                       Fault::kServerErrorAfter, Fault::kGone,
                                       Fault::kDelayed};
  for (const Fault fault : kOfCalls) {
    if (!applies(fault, call) || !random_.chance(context_.profile[fault])) continue;
    context_.met.add(fault);
    return fault;
  }
  return std::nullopt;
}

void Link::send(Call call, std::uint64_t tag) {
  const CallId id = call.id;
  const std::optional<Fault> fault = draw_fault(call);
  context_.trace.line(
      name_, fmt::format("#{} {}{}{}", id, describe(call.request), fault.has_value() ? " ! " : "",
                         fault.has_value() ? to_string(*fault) : ""));
  const Timestamp deadline = later_by(context_.time.now(), call.deadline_ns);
  const Timestamp latest = later_by(context_.time.now(), longest_landing(call));
  const auto flight = std::make_shared<Flight>(
      Flight{.call = std::move(call), .tag = tag, .deadline = deadline, .latest = latest});
  unanswered_.emplace(id, flight);
  answer_after(flight->call.deadline_ns, flight, {.outcome = Answer::Outcome::kUnknown});
  fly(flight, fault);
}

void Link::fly(const FlightPtr& flight, std::optional<Fault> fault) {
  const Call& call = flight->call;
  const Nanoseconds longest = longest_landing(call);
  const Nanoseconds prompt = up_to(kPrompt);
  Nanoseconds landing = up_to(kPrompt);
  Nanoseconds way_back = up_to(kPrompt);
  switch (fault.value_or(Fault::kLast)) {
    case Fault::kLast:
      break;
    case Fault::kDelayed:
      landing = up_to(longest);
      way_back = up_to(longest - landing);
      break;
    case Fault::kLate:
      landing = longest - up_to(longest / 4);
      way_back = call.deadline_ns;
      break;
    case Fault::kRefused:
      return answer_after(prompt, flight, {.outcome = Answer::Outcome::kNotSent});
    case Fault::kLostAfter:
      land_after(random_.chance(0.5) ? landing : up_to(longest), flight);
      [[fallthrough]];
    case Fault::kLostBefore:
      // The connection breaks, which is noticed at once, or the peer falls silent, which is noticed
      // at the deadline.
      if (random_.chance(0.5)) {
        answer_after(prompt, flight, {.outcome = Answer::Outcome::kUnknown});
      }
      return;
    case Fault::kServerErrorAfter:
      // A proxy has given up, but the server continues.
      land_after(random_.chance(0.5) ? landing : up_to(longest), flight);
      return answer_after(landing + way_back, flight, answer_to(call, *fault, random_));
    case Fault::kDuplicated:
      land_after(landing + up_to(longest - landing), flight);
      break;
    default:
      return answer_after(prompt, flight, answer_to(call, *fault, random_));
  }
  if (call.kind == Call::Kind::kStream) {
    context_.time.after(landing, [self = shared_from_this(), flight] {
      model::ApiRequest request = flight->call.request;
      request.received = self->context_.time.now();
      self->open(flight, request);
    });
    return;
  }
  land_after(landing, flight, [this, flight, way_back](const model::ApiResponse& response) {
    answer_after(way_back, flight, {.outcome = Answer::Outcome::kAnswered, .response = response});
  });
}

void Link::land_after(Nanoseconds delay, FlightPtr flight, Then then) {
  on_the_way_.emplace(flight->call.id, flight);
  context_.time.after(
      delay, [self = shared_from_this(), flight = std::move(flight), then = std::move(then)] {
        self->on_the_way_.erase(flight->call.id);
        if (!flight->may_land) return;
        self->execute(flight, [self, flight, then](model::ApiResponse response) {
          if (flight->call.kind == Call::Kind::kRead) self->garble(*flight, response);
          if (then) then(response);
        });
      });
}

void Link::execute(const FlightPtr& flight, const Then& then) {
  const model::ApiRequest& request = flight->call.request;
  if (context_.admission == nullptr || !is_write(flight->call.kind)) {
    observer_.executing(flight->tag);
    const model::ApiResponse response = context_.api.request(request);
    executed(*flight, response);
    return then(response);
  }
  model::ApiRequest as_stock = request;
  const bool on_pods = request.path.find("/pods") != std::string::npos;
  as_stock.as.user = on_pods ? kStockReplicaSets : kStockDeployments;
  const auto self = shared_from_this();
  context_.admission->execute(as_stock,
                              {.begin =
                                   [self, flight] {
                                     if (self->context_.time.now() > flight->latest) return false;
                                     self->observer_.executing(flight->tag);
                                     return true;
                                   },
                               .then =
                                   [self, flight, then](const model::ApiResponse& response) {
                                     self->executed(*flight, response);
                                     then(response);
                                   }});
}

void Link::executed(const Flight& flight, const model::ApiResponse& response) {
  context_.trace.line(name_, fmt::format("#{} executed: {}", flight.call.id, response.code));
  observer_.executed(flight.tag, response);
}

void Link::garble(const Flight& flight, model::ApiResponse& response) {
  if (response.code != 200 || !random_.chance(context_.profile[Fault::kGarbled])) return;
  std::string body = response.body.str();
  if (!garble_list(body, random_)) return;
  response.body = Bytes(std::move(body));
  context_.met.add(Fault::kGarbled);
  context_.trace.line(name_, fmt::format("#{} ! {}", flight.call.id, to_string(Fault::kGarbled)));
}

void Link::answer_after(Nanoseconds delay, FlightPtr flight, Answer answer) {
  context_.time.after(delay, [self = shared_from_this(), flight = std::move(flight),
                              answer = std::move(answer)] { self->answer(flight, answer); });
}

void Link::answer(const FlightPtr& flight, const Answer& answer) {
  // The call may have been answered, cancelled, and even sent again since.
  const CallId id = flight->call.id;
  const auto found = unanswered_.find(id);
  if (found == unanswered_.end() || found->second != flight || user_ == nullptr) return;
  unanswered_.erase(found);
  context_.trace.line(name_, fmt::format("#{} = {}", id, describe(answer)));
  user_->answered(id, answer);
}

void Link::cancel(CallId id) {
  unanswered_.erase(id);
  streams_.erase(id);
}

void Link::die() {
  user_ = nullptr;
  streams_.clear();
  unanswered_.clear();
  for (const auto& entry : on_the_way_) entry.second->may_land = random_.chance(0.5);
}

}  // namespace ebb::sim
