#include "kube/client.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <unordered_map>

#include <fmt/format.h>

#include "base/check.h"
#include "kube/credentials.h"
#include "model/method_name.h"

namespace ebb::kube {
namespace {

using Failure = net::HttpReply::Failure;

constexpr net::HttpClient::Settings kHttpSettings{.connections_per_host = kConnections,
                                                  .lines = true};

// How often waiting requests are looked at while a plugin runs: some may run out of time.
constexpr Nanoseconds kGlanceNs = kNanosecondsPerSecond / 20;

Now now() {
  const auto nanoseconds = [](auto time) {
    return Timestamp::from_nanoseconds(
        std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch()).count());
  };
  return {.wall = nanoseconds(std::chrono::system_clock::now()),
          .mono = nanoseconds(std::chrono::steady_clock::now())};
}

struct Asked {
  net::HttpCall call{};  // its body is given away unless it may be needed again
  Client::Piece piece{};
  Client::Done done{};
  Timestamp deadline{};  // mono; zero: none
  net::HttpClient::Id http_id = 0;
  std::uint64_t generation = 0;
  std::shared_ptr<const net::HttpClientTls> tls{};  // as which it was sent
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
  std::shared_ptr<const net::HttpClientTls> tls;  // of all streams
  std::unordered_map<Id, Asked> under_way;
  std::deque<Id> waiting;                        // for credentials
  std::vector<std::pair<Id, ApiReply>> answers;  // that are not the server's
  Id last_id = 0;
};

Client::Client(std::unique_ptr<State> state) : state_(std::move(state)) {}
Client::~Client() = default;

Result<std::unique_ptr<Client>> Client::make(ClusterAccess access,
                                             const std::atomic<bool>* give_up) {
  auto state = std::make_unique<State>(std::move(access));
  // The client outlives its credentials, whose thread calls this.
  net::HttpClient& http = state->http;
  auto credentials = Credentials::make(
      state->access, now(), [&http] { http.wake(); }, give_up);
  if (!credentials) return propagate(credentials);
  state->credentials = std::move(*credentials);
  state->tls = state->credentials->identity().tls;
  return std::unique_ptr<Client>(new Client(std::move(state)));
}

Client::Id Client::State::add(const model::ApiRequest& request, Asked asked) {
  asked.call.method = model::method_name(request.method);
  asked.call.url = access.server + request.path;
  if (!request.query.empty()) asked.call.url += "?" + request.query;
  asked.call.body = request.body;
  asked.call.proxy = access.proxy_url;
  // Behind five hundred deletions a lease may run out before it is renewed.
  asked.call.urgent = request.path.starts_with("/apis/coordination.k8s.io/");
  if (!request.accept.empty()) asked.call.headers.emplace_back("Accept", request.accept);
  if (!request.content_type.empty()) {
    asked.call.headers.emplace_back("Content-Type", request.content_type);
  }
  const Id id = ++last_id;
  Asked& added = under_way.emplace(id, std::move(asked)).first->second;
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
    call.total_ns = std::max<Nanoseconds>(elapsed_ns(now().mono, asked.deadline), 1);
  }
  auto done = [this, id](net::HttpReply reply) { on_done(id, std::move(reply)); };
  if (asked.piece) {
    asked.http_id = http.stream(std::move(call), asked.piece, std::move(done));
  } else {
    asked.http_id = http.send(std::move(call), std::move(done));
  }
}

void Client::State::on_done(Id id, net::HttpReply reply) {
  const auto found = under_way.find(id);
  EBB_CHECK(found != under_way.end());
  Asked& asked = found->second;
  asked.http_id = 0;
  if (reply.failure == Failure::kNone && reply.code == 401 && !asked.again &&
      credentials->renewable() && credentials->rejected(asked.generation, now())) {
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
  under_way.erase(found);
  done(std::move(result));
}

void Client::State::refresh() {
  credentials->refresh(now());
  if (credentials->identity().tls == tls) return;
  tls = credentials->identity().tls;
  end_streams();
}

// They go on under a certificate that is no longer ours, and may do so for ever. Requests are
// left in peace: they end by themselves. Idle connections are not used any more, because the
// HTTP client keeps them apart by certificate.
void Client::State::end_streams() {
  for (auto& [id, asked] : under_way) {
    if (!asked.piece || asked.http_id == 0 || asked.tls == tls) continue;
    answer(id, Failure::kBroken, "the client certificate was renewed");
  }
}

void Client::State::answer(Id id, Failure failure, std::string error) {
  Asked& asked = under_way.at(id);
  if (asked.http_id != 0) http.cancel(std::exchange(asked.http_id, 0));
  ApiReply reply;
  reply.failure = failure;
  reply.error = fmt::format("{}: {}", shown_server(access.server), error);
  answers.emplace_back(id, std::move(reply));
}

void Client::State::start_waiting() {
  if (waiting.empty()) return;
  if (!credentials->ready() && credentials->problem().empty()) return expire_waiting();
  for (const Id id : std::exchange(waiting, {})) {
    const auto found = under_way.find(id);
    if (found == under_way.end()) continue;
    if (credentials->ready()) {
      start(id, found->second);
    } else {
      answer(id, Failure::kNotSent, credentials->problem());
    }
  }
}

void Client::State::expire_waiting() {
  const Timestamp time = now().mono;
  for (const Id id : std::exchange(waiting, {})) {
    const auto found = under_way.find(id);
    if (found == under_way.end()) continue;
    if (found->second.deadline.is_zero() || found->second.deadline > time) {
      waiting.push_back(id);
    } else {
      answer(id, Failure::kNotSent, "the time was over before there were credentials");
    }
  }
}

void Client::State::call_back() {
  for (auto& [id, reply] : std::exchange(answers, {})) {
    const auto found = under_way.find(id);
    if (found == under_way.end()) continue;
    const Done done = std::move(found->second.done);
    under_way.erase(found);
    done(std::move(reply));
  }
}

Client::Id Client::send(const model::ApiRequest& request, Nanoseconds deadline_ns, Done done) {
  Asked asked;
  asked.done = std::move(done);
  if (deadline_ns > 0) {
    asked.deadline = Timestamp::from_nanoseconds(now().mono.since_epoch_ns() + deadline_ns);
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
  const auto found = state_->under_way.find(id);
  if (found == state_->under_way.end()) return;
  if (found->second.http_id != 0) state_->http.cancel(found->second.http_id);
  state_->under_way.erase(found);
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
