#include "kube/client.h"

#include <algorithm>
#include <deque>
#include <unordered_map>

#include <fmt/format.h>

#include "base/check.h"
#include "base/deadline_queue.h"
#include "kube/credentials.h"
#include "model/api/method_name.h"
#include "net/address/steady_clock.h"

namespace ebb::kube {
namespace {

using Failure = net::HttpReply::Failure;

constexpr net::HttpClient::Settings kHttpSettings{.connections_per_host = kConnections,
                                                  .http1_connections = true};

// How often the deadlines of waiting requests are checked while a plugin runs.
constexpr Nanoseconds kGlanceNs = kNanosecondsPerSecond / 20;

// A write that waits longer for credentials is not sent: the caller was sure when it handed the
// write over that no other process acts, and that certainty expires.
constexpr Nanoseconds kMaxWriteWaitNs = kNanosecondsPerSecond;

struct Asked {
  net::HttpCall call{};  // its body is moved away unless it may be needed again
  Client::Piece piece{};
  Client::Done done{};
  Timestamp deadline{};    // mono; zero: none
  Timestamp wait_until{};  // for credentials; likewise
  net::HttpClient::Id http_id = 0;
  std::uint64_t generation = 0;
  std::shared_ptr<const net::HttpClientTls> tls{};  // the identity it was sent with
  bool again = false;                               // after a 401
};

}  // namespace

struct Client::State {
  explicit State(ClusterAccess given) : access(std::move(given)), http(kHttpSettings) {}

  Id add(const model::ApiRequest& request, Asked asked);
  void start(Id id, Asked& asked);
  void start_waiting();
  void expire_waiting();
  void on_done(Id id, net::HttpReply reply);
  void refresh();
  void end_streams();
  void answer(Id id, Failure failure, std::string error);
  void call_back();

  ClusterAccess access;
  net::HttpClient http;
  std::unique_ptr<Credentials> credentials;
  std::shared_ptr<const net::HttpClientTls> tls;  // for all streams
  std::unordered_map<Id, Asked> in_flight;
  std::deque<Id> waiting;                        // for credentials
  std::vector<std::pair<Id, ApiReply>> answers;  // created locally, not by the server
  Id last_id = 0;
};

Client::Client(std::unique_ptr<State> state) : state_(std::move(state)) {}
Client::~Client() = default;

Result<std::unique_ptr<Client>> Client::make(ClusterAccess access,
                                             const std::atomic<bool>* give_up) {
  auto state = std::make_unique<State>(std::move(access));
  // The client outlives its credentials, whose thread calls this.
  net::HttpClient& http = state->http;
  EBB_ASSIGN_OR_RETURN(state->credentials,
                       Credentials::make(
                           state->access, net::clock_now(), [&http] { http.wake(); }, give_up));
  state->tls = state->credentials->identity().tls;
  return std::unique_ptr<Client>(new Client(std::move(state)));
}

Client::Id Client::State::add(const model::ApiRequest& request, Asked asked) {
  asked.call.method = model::method_name(request.method);
  asked.call.url = access.server + request.path;
  if (!request.query.empty()) asked.call.url += "?" + request.query;
  asked.call.body = request.body;
  asked.call.proxy = access.proxy_url;
  // A lease must not expire while its renewal waits behind five hundred deletes.
  if (request.path.starts_with("/apis/coordination.k8s.io/")) asked.call.urgent = true;
  if (!request.accept.empty()) asked.call.headers.emplace_back("Accept", request.accept);
  if (!request.content_type.empty()) {
    asked.call.headers.emplace_back("Content-Type", request.content_type);
  }
  asked.wait_until = asked.deadline;
  if (request.method != model::Method::kGet && !asked.call.urgent) {
    asked.wait_until = sooner(asked.wait_until, later_by(net::clock_now().mono, kMaxWriteWaitNs));
  }
  const Id id = ++last_id;
  Asked& added = in_flight.emplace(id, std::move(asked)).first->second;
  refresh();
  if (credentials->ready()) {
    start(id, added);
  } else {
    waiting.push_back(id);
  }
  return id;
}

void Client::State::start(Id id, Asked& asked) {
  const Identity& identity = credentials->identity();
  asked.generation = identity.generation;
  asked.tls = identity.tls;
  net::HttpCall call;
  if (credentials->renewable()) {
    call = asked.call;
  } else {
    call = std::move(asked.call);
  }
  call.tls = identity.tls;
  call.headers.insert(call.headers.begin(), identity.headers.begin(), identity.headers.end());
  if (!asked.deadline.is_zero()) {
    call.total_ns = std::max<Nanoseconds>(elapsed_ns(net::clock_now().mono, asked.deadline), 1);
  }
  auto done = [this, id](net::HttpReply reply) { on_done(id, std::move(reply)); };
  if (asked.piece) {
    asked.http_id = http.stream(std::move(call), asked.piece, std::move(done));
  } else {
    asked.http_id = http.send(std::move(call), std::move(done));
  }
}

void Client::State::on_done(Id id, net::HttpReply reply) {
  const auto found = in_flight.find(id);
  EBB_CHECK(found != in_flight.end());
  Asked& asked = found->second;
  asked.http_id = 0;
  if (reply.failure == Failure::kNone && reply.code == 401 && !asked.again &&
      credentials->renewable() && credentials->rejected(asked.generation, net::clock_now())) {
    asked.again = true;
    waiting.push_back(id);
    return;
  }
  ApiReply result;
  result.failure = reply.failure;
  if (reply.failure != Failure::kNone) {
    result.error = fmt::format("{}: {}", shown_server(access.server), reply.error);
  }
  result.response.code = reply.code;
  result.response.content_type = std::move(reply.content_type);
  result.response.warnings = std::move(reply.warnings);
  result.response.retry_after_seconds = reply.retry_after_seconds;
  result.response.body = Bytes(std::move(reply.body));
  const Done done = std::move(asked.done);
  in_flight.erase(found);
  done(std::move(result));
}

void Client::State::refresh() {
  credentials->refresh(net::clock_now());
  if (credentials->identity().tls == tls) return;
  tls = credentials->identity().tls;
  end_streams();
}

// Streams continue with a certificate that is no longer current, possibly forever. Requests are
// kept: they end by themselves. Idle connections are not reused, because the HTTP client separates
// them by certificate.
void Client::State::end_streams() {
  for (auto& [id, asked] : in_flight) {
    if (!asked.piece || asked.http_id == 0 || asked.tls == tls) continue;
    answer(id, Failure::kBroken, "the client certificate was renewed");
  }
}

void Client::State::answer(Id id, Failure failure, std::string error) {
  Asked& asked = in_flight.at(id);
  if (asked.http_id != 0) http.cancel(std::exchange(asked.http_id, 0));
  ApiReply reply;
  reply.failure = failure;
  reply.error = fmt::format("{}: {}", shown_server(access.server), error);
  answers.emplace_back(id, std::move(reply));
}

void Client::State::start_waiting() {
  if (waiting.empty()) return;
  expire_waiting();
  if (!credentials->ready() && credentials->problem().empty()) return;
  for (const Id id : std::exchange(waiting, {})) {
    const auto found = in_flight.find(id);
    if (found == in_flight.end()) continue;
    if (credentials->ready()) {
      start(id, found->second);
    } else {
      answer(id, Failure::kNotSent, credentials->problem());
    }
  }
}

void Client::State::expire_waiting() {
  const Timestamp time = net::clock_now().mono;
  for (const Id id : std::exchange(waiting, {})) {
    const auto found = in_flight.find(id);
    if (found == in_flight.end()) continue;
    if (found->second.wait_until.is_zero() || found->second.wait_until > time) {
      waiting.push_back(id);
    } else {
      answer(id, Failure::kNotSent, "timed out waiting for credentials");
    }
  }
}

void Client::State::call_back() {
  for (auto& [id, reply] : std::exchange(answers, {})) {
    const auto found = in_flight.find(id);
    if (found == in_flight.end()) continue;
    const Done done = std::move(found->second.done);
    in_flight.erase(found);
    done(std::move(reply));
  }
}

Client::Id Client::send(const model::ApiRequest& request, Nanoseconds deadline_ns, Done done,
                        Urgency urgency) {
  Asked asked;
  asked.call.urgent = urgency == Urgency::kUrgent;
  asked.done = std::move(done);
  if (deadline_ns > 0) {
    asked.deadline =
        Timestamp::from_nanoseconds(net::clock_now().mono.since_epoch_ns() + deadline_ns);
  }
  return state_->add(request, std::move(asked));
}

Client::Id Client::stream(const model::ApiRequest& request, Nanoseconds silence_ns, Piece piece,
                          Done done) {
  Asked asked;
  asked.piece = std::move(piece);
  asked.done = std::move(done);
  asked.call.silence_ns = silence_ns;
  return state_->add(request, std::move(asked));
}

void Client::cancel(Id id) {
  const auto found = state_->in_flight.find(id);
  if (found == state_->in_flight.end()) return;
  if (found->second.http_id != 0) state_->http.cancel(found->second.http_id);
  state_->in_flight.erase(found);
}

void Client::poll(Nanoseconds longest_ns) {
  state_->refresh();
  state_->start_waiting();
  if (!state_->waiting.empty()) longest_ns = std::min(longest_ns, kGlanceNs);
  if (!state_->answers.empty()) longest_ns = 0;
  state_->http.poll(longest_ns);
  state_->call_back();
}

void Client::wake() { state_->http.wake(); }

ApiReply Client::ask(const model::ApiRequest& request, Nanoseconds deadline_ns) {
  std::optional<ApiReply> answer;
  send(request, deadline_ns, [&](ApiReply reply) { answer = std::move(reply); });
  while (!answer) poll(kNanosecondsPerSecond);
  return std::move(*answer);
}

const ClusterAccess& Client::access() const { return state_->access; }

}  // namespace ebb::kube
