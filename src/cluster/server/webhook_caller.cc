#include "cluster/server/webhook_caller.h"

#include <map>
#include <thread>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "cluster/server/webhook_call.h"
#include "net/client/curl_loop.h"
#include "net/client/http_client.h"

namespace ebb::cluster {
namespace {

// So that a burst of writes does not open as many connections.
constexpr std::size_t kMaxConnections = 256;
constexpr std::size_t kMaxTotalBytes = 256UL << 20U;
constexpr Nanoseconds kLongestPoll = 10 * kNanosecondsPerSecond;

class HttpsCaller : public WebhookCaller {
 public:
  HttpsCaller()
      : client_({.connections_per_host = kMaxConnections, .max_total_bytes = kMaxTotalBytes}),
        thread_([this] { run(); }) {}

  ~HttpsCaller() override {
    {
      const MutexLock lock(mutex_);
      stopping_ = true;
    }
    client_.wake();
    thread_.join();
  }
  HttpsCaller(const HttpsCaller&) = delete;
  HttpsCaller& operator=(const HttpsCaller&) = delete;

  void call(const WebhookQuestion& question, Nanoseconds time_ns, Done done) override {
    {
      const MutexLock lock(mutex_);
      messages_.push_back({question, std::move(done), net::steady_now_ns() + time_ns});
    }
    client_.wake();
  }

 private:
  struct Message {
    WebhookQuestion question;
    Done done;
    Nanoseconds deadline_ns = 0;
  };

  void run() {
    for (;;) {
      std::vector<Message> taken;
      {
        const MutexLock lock(mutex_);
        if (stopping_) return;
        taken.swap(messages_);
      }
      for (Message& message : taken) send(std::move(message));
      client_.poll(kLongestPoll);
    }
  }

  void send(Message message) {
    const Nanoseconds left_ns = message.deadline_ns - net::steady_now_ns();
    if (left_ns <= 0) return message.done(out_of_time());
    net::HttpCall call = make_webhook_call(message.question, left_ns);
    call.tls = shared(*call.tls);
    client_.send(std::move(call), [question = std::move(message.question),
                                   done = std::move(message.done)](net::HttpReply reply) {
      done(read_webhook_reply(question, std::move(reply)));
    });
  }

  // Calls with the same settings object share connections.
  std::shared_ptr<const net::HttpClientTls> shared(const net::HttpClientTls& tls) {
    auto& known = tls_[{tls.ca_pem, tls.server_name}];
    if (!known) known = std::make_shared<const net::HttpClientTls>(tls);
    return known;
  }

  Mutex mutex_;
  std::vector<Message> messages_ EBB_GUARDED_BY(mutex_);
  bool stopping_ EBB_GUARDED_BY(mutex_) = false;

  // Used by the thread only.
  net::HttpClient client_;
  std::map<std::pair<std::string, std::string>, std::shared_ptr<const net::HttpClientTls>> tls_;

  std::thread thread_;
};

}  // namespace

std::unique_ptr<WebhookCaller> make_webhook_caller() { return std::make_unique<HttpsCaller>(); }

}  // namespace ebb::cluster
