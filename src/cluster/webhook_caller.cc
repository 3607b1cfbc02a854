#include "cluster/webhook_caller.h"

#include <map>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "cluster/webhook_call.h"
#include "net/curl_loop.h"
#include "net/http_client.h"

namespace ebb::cluster {
namespace {

// So that a burst of writes does not become as many connections.
constexpr std::size_t kMostConnections = 256;
constexpr std::size_t kMostBytesTogether = 256UL << 20U;
constexpr Nanoseconds kLongestPoll = 10 * kNanosecondsPerSecond;

class HttpsCaller : public WebhookCaller {
 public:
  HttpsCaller()
      : client_(
            {.connections_per_host = kMostConnections, .most_bytes_together = kMostBytesTogether}),
        thread_([this] { run(); }) {}

  ~HttpsCaller() override {
    {
      const std::unique_lock<std::mutex> lock(mutex_);
      stopping_ = true;
    }
    client_.wake();
    thread_.join();
  }
  HttpsCaller(const HttpsCaller&) = delete;
  HttpsCaller& operator=(const HttpsCaller&) = delete;

  void call(const WebhookQuestion& question, Nanoseconds time_ns, Done done) override {
    {
      const std::unique_lock<std::mutex> lock(mutex_);
      letters_.push_back({question, std::move(done), net::steady_now_ns() + time_ns});
    }
    client_.wake();
  }

 private:
  struct Letter {
    WebhookQuestion question;
    Done done;
    Nanoseconds deadline_ns = 0;
  };

  void run() {
    for (;;) {
      std::vector<Letter> taken;
      {
        const std::unique_lock<std::mutex> lock(mutex_);
        if (stopping_) return;
        taken.swap(letters_);
      }
      for (Letter& letter : taken) send(std::move(letter));
      client_.poll(kLongestPoll);
    }
  }

  void send(Letter letter) {
    const Nanoseconds left_ns = letter.deadline_ns - net::steady_now_ns();
    if (left_ns <= 0) return letter.done(out_of_time());
    net::HttpCall call = make_webhook_call(letter.question, left_ns);
    call.tls = shared(*call.tls);
    client_.send(std::move(call), [question = std::move(letter.question),
                                   done = std::move(letter.done)](net::HttpReply reply) {
      done(read_webhook_reply(question, std::move(reply)));
    });
  }

  // Connections are shared by calls that have the very same settings.
  std::shared_ptr<const net::HttpClientTls> shared(const net::HttpClientTls& tls) {
    auto& known = tls_[{tls.ca_pem, tls.server_name}];
    if (!known) known = std::make_shared<const net::HttpClientTls>(tls);
    return known;
  }

  std::mutex mutex_;  // of these two
  std::vector<Letter> letters_;
  bool stopping_ = false;

  // Of the thread alone.
  net::HttpClient client_;
  std::map<std::pair<std::string, std::string>, std::shared_ptr<const net::HttpClientTls>> tls_;

  std::thread thread_;
};

}  // namespace

std::unique_ptr<WebhookCaller> make_webhook_caller() { return std::make_unique<HttpsCaller>(); }

}  // namespace ebb::cluster
