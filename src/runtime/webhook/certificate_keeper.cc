#include "runtime/webhook/certificate_keeper.h"

#include <atomic>
#include <chrono>
#include <fstream>
#include <iterator>
#include <random>
#include <thread>
#include <utility>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include "base/mutex.h"
#include "runtime/host/clock.h"
#include "runtime/host/reply.h"
#include "runtime/webhook/authorities.h"
#include "schema/core/kind.h"

namespace ebb::runtime {
namespace {

namespace json = boost::json;
using control::Severity;

constexpr Nanoseconds kRequestDeadlineNs = 4 * kNanosecondsPerSecond;
// Replicas start together: they repeat a lost conflict at different times.
constexpr Nanoseconds kConflictDelayNs = kNanosecondsPerSecond;
constexpr int kNotFound = 404;
constexpr int kConflict = 409;

constexpr bool is_success(int code) { return code >= 200 && code < 300; }

Result<json::object> object_of(const kube::ApiReply& reply) {
  json::error_code error;
  json::value value = json::parse(reply.response.body.str(), error);
  if (error || !value.is_object()) return fail(ErrorCode::kIo, "the answer is not a JSON object");
  return std::move(value.get_object());
}

Result<std::string> text_of_file(const std::string& name) {
  std::ifstream file(name, std::ios::binary);
  if (!file) return fail(ErrorCode::kIo, fmt::format("cannot read {}", name));
  return std::string(std::istreambuf_iterator<char>(file), {});
}

}  // namespace

struct CertificateKeeper::State {
  State(CertificateSettings with, std::unique_ptr<kube::Client> by, Callbacks to)
      : settings(std::move(with)), client(std::move(by)), callbacks(std::move(to)) {}

  void run();
  [[nodiscard]] Result<void> read_files();
  // Whether the Secret was read and is as it should be; false: another replica was faster.
  [[nodiscard]] Result<bool> read_secret();
  [[nodiscard]] Result<bool> write_secret(json::object secret, bool exists);
  [[nodiscard]] bool is_published(const net::KeyPair& authority);
  [[nodiscard]] Result<void> serve(const Authorities& authorities);
  void publish(std::string bundle);
  void wait(Nanoseconds longest_ns);
  [[nodiscard]] kube::ApiReply send(model::ApiRequest request) {
    return client->ask(request, kRequestDeadlineNs);
  }

  const CertificateSettings settings;
  const std::unique_ptr<kube::Client> client;
  const Callbacks callbacks;
  std::string published;     // the bundle that was passed on last
  std::string signed_by;     // the certificate of the authority of `server`
  net::KeyPair server;       // that is served
  std::string last_problem;  // logged once
  std::atomic<bool> ready = false;
  std::mt19937_64 random{std::random_device{}()};

  Mutex mutex;
  ConditionVariable changed;
  bool stopping EBB_GUARDED_BY(mutex) = false;
  std::thread thread;  // last: it uses everything else
};

Result<void> CertificateKeeper::State::read_files() {
  EBB_ASSIGN_OR_RETURN(auto certificate, text_of_file(settings.files->certificate));
  EBB_ASSIGN_OR_RETURN(auto key, text_of_file(settings.files->key));
  EBB_ASSIGN_OR_RETURN(auto authorities, text_of_file(settings.files->authorities));
  const bool changed_pair = server.certificate_pem != certificate || server.key_pem != key;
  if (changed_pair) {
    net::KeyPair pair{std::move(certificate), std::move(key)};
    EBB_RETURN_IF_ERROR(callbacks.serve(pair));
    server = std::move(pair);
  }
  publish(std::move(authorities));
  ready = true;
  return {};
}

void CertificateKeeper::State::publish(std::string bundle) {
  if (published == bundle) return;
  published = bundle;
  callbacks.publish(std::move(bundle));
}

bool CertificateKeeper::State::is_published(const net::KeyPair& authority) {
  const auto* kind =
      schema::find_kind("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration");
  const auto reply =
      send(model::get_request(model::object_path(*kind, {.name = settings.configuration})));
  if (!is_success(reply.response.code)) return false;
  const auto configuration = object_of(reply);
  return configuration && trusts(*configuration, authority.certificate_pem);
}

Result<bool> CertificateKeeper::State::write_secret(json::object secret, bool exists) {
  const schema::Kind& kind = *schema::find_kind("v1", "Secret");
  const auto request =
      exists ? model::replace_request(model::object_path(kind, settings.secret), secret)
             : model::create_request(model::collection_path(kind, settings.secret.namespace_name),
                                     secret);
  const auto reply = send(request);
  if (is_success(reply.response.code)) return true;
  if (reply.response.code == kConflict) return false;
  return fail(ErrorCode::kIo,
              fmt::format("cannot write Secret {}/{}: {}", settings.secret.namespace_name,
                          settings.secret.name, what_went_wrong(reply)));
}

Result<bool> CertificateKeeper::State::read_secret() {
  const schema::Kind& kind = *schema::find_kind("v1", "Secret");
  const auto reply = send(model::get_request(model::object_path(kind, settings.secret)));
  const bool exists =
      reply.response.code != kNotFound || reply.failure != net::HttpReply::Failure::kNone;
  json::object secret = {
      {"apiVersion", "v1"},
      {"kind", "Secret"},
      {"metadata", {{"namespace", settings.secret.namespace_name}, {"name", settings.secret.name}}},
      {"type", "Opaque"}};
  if (exists) {
    if (!is_success(reply.response.code)) {
      return fail(ErrorCode::kIo,
                  fmt::format("cannot read Secret {}/{}: {}", settings.secret.namespace_name,
                              settings.secret.name, what_went_wrong(reply)));
    }
    EBB_ASSIGN_OR_RETURN(secret, object_of(reply));
  }
  Authorities authorities = read_authorities(secret);
  const bool published_next = authorities.next && is_published(*authorities.next);
  const AuthorityStep step =
      next_step(authorities, published_next, clock_now().wall, settings.times);
  if (step != AuthorityStep::kKeep) {
    EBB_ASSIGN_OR_RETURN(authorities, after_step(step, std::move(authorities), settings.times));
    write_authorities(authorities, secret);
    EBB_ASSIGN_OR_RETURN(const bool written, write_secret(std::move(secret), exists));
    if (!written) return false;
    callbacks.log(Severity::kInfo,
                  fmt::format("wrote a certificate authority to Secret {}/{}",
                              settings.secret.namespace_name, settings.secret.name));
  }
  EBB_RETURN_IF_ERROR(serve(authorities));
  publish(bundle_of(authorities));
  ready = true;
  return true;
}

Result<void> CertificateKeeper::State::serve(const Authorities& authorities) {
  const std::string& authority = authorities.current->certificate_pem;
  if (signed_by == authority) {
    const auto validity = net::validity_of(server.certificate_pem);
    if (validity &&
        elapsed_ns(clock_now().wall, validity->not_after) > settings.times.server_renewal_ns) {
      return {};
    }
  }
  EBB_ASSIGN_OR_RETURN(auto pair, net::issue_server_certificate(
                                      *authorities.current, settings.hosts, "ebb-webhook",
                                      settings.times.server_life_ns / kNanosecondsPerSecond));
  EBB_RETURN_IF_ERROR(callbacks.serve(pair));
  server = std::move(pair);
  signed_by = authority;
  return {};
}

void CertificateKeeper::State::wait(Nanoseconds longest_ns) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::nanoseconds(longest_ns);
  const MutexLock lock(mutex);
  while (!stopping && changed.wait_until(mutex, until)) {
  }
}

void CertificateKeeper::State::run() {
  while (true) {
    {
      const MutexLock lock(mutex);
      if (stopping) return;
    }
    const Result<bool> done =
        settings.files ? read_files().map([] { return true; }) : read_secret();
    const std::string problem = done ? std::string() : done.error().message;
    if (!problem.empty() && problem != last_problem) {
      callbacks.log(Severity::kError, "the webhook's certificate: " + problem);
    }
    last_problem = problem;
    const Nanoseconds delay = !done    ? settings.times.retry_period_ns
                              : !*done ? kConflictDelayNs
                                       : settings.times.check_period_ns;
    // Between the delay and half of it, so that replicas do not act together.
    wait(delay / 2 + static_cast<Nanoseconds>(random() % (static_cast<std::uint64_t>(delay) / 2)));
  }
}

CertificateKeeper::CertificateKeeper(CertificateSettings settings,
                                     std::unique_ptr<kube::Client> client, Callbacks callbacks)
    : state_(
          std::make_unique<State>(std::move(settings), std::move(client), std::move(callbacks))) {
  state_->thread = std::thread([state = state_.get()] { state->run(); });
}

CertificateKeeper::~CertificateKeeper() {
  {
    const MutexLock lock(state_->mutex);
    state_->stopping = true;
  }
  state_->changed.notify_all();
  state_->thread.join();
}

bool CertificateKeeper::ready() const { return state_->ready; }

}  // namespace ebb::runtime
