#include "support/picker/local_picker.h"

#include <stdexcept>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

namespace ebb::support {

namespace json = boost::json;

LocalPicker::LocalPicker(Decide decide, std::chrono::milliseconds takes)
    : decide_(std::move(decide)), takes_(takes) {
  auto started = net::HttpServer::start({}, *this);
  if (!started) throw std::runtime_error(started.error().message);
  server_ = std::move(*started);
  sender_ = std::thread([this] { send_late_ones(); });
}

LocalPicker::~LocalPicker() {
  server_->stop();
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  sender_.join();
}

LocalPicker::Answer LocalPicker::first_ones(const Asked& asked) {
  const json::object request = json::parse(asked.body).as_object();
  json::array chosen = request.at("candidate_pods").as_array();
  chosen.resize(request.at("number_of_pods_requested").to_number<std::size_t>());
  return {.body = json::serialize(json::object{{"chosen_pods", std::move(chosen)}})};
}

LocalPicker::Answer LocalPicker::last_ones(const Asked& asked) {
  const json::object request = json::parse(asked.body).as_object();
  const json::array& candidates = request.at("candidate_pods").as_array();
  const auto requested = request.at("number_of_pods_requested").to_number<std::size_t>();
  const json::array chosen(candidates.end() - static_cast<std::ptrdiff_t>(requested),
                           candidates.end());
  return {.body = json::serialize(json::object{{"chosen_pods", chosen}})};
}

std::string LocalPicker::url(const std::string& path) const {
  return "http://127.0.0.1:" + std::to_string(port()) + path;
}

std::vector<LocalPicker::Asked> LocalPicker::asked() const {
  const MutexLock lock(mutex_);
  return asked_;
}

bool LocalPicker::wants_body(const net::HttpRequest& /*head*/) { return true; }

void LocalPicker::handle(std::shared_ptr<net::HttpExchange> exchange) {
  const net::HttpRequest& request = exchange->request();
  const Asked asked{.authorization = request.authorization,
                    .content_type = request.content_type,
                    .body = request.body};
  Answer answer = decide_(asked);
  {
    const MutexLock lock(mutex_);
    asked_.push_back(asked);
    if (takes_.count() > 0) {
      late_.push({std::chrono::steady_clock::now() + takes_, exchange, std::move(answer)});
      changed_.notify_all();
      return;
    }
  }
  send(*exchange, std::move(answer));
}

void LocalPicker::send(net::HttpExchange& exchange, Answer answer) {
  exchange.respond({.code = answer.code, .headers = {{"Content-Type", answer.content_type}}},
                   Bytes(std::move(answer.body)));
}

void LocalPicker::send_late_ones() {
  MutexLock lock(mutex_);
  while (!stopping_) {
    if (late_.empty()) {
      changed_.wait(mutex_);
    } else if (late_.front().due > std::chrono::steady_clock::now()) {
      const auto due = late_.front().due;
      changed_.wait_until(mutex_, due);
    } else {
      Late late = std::move(late_.front());
      late_.pop();
      lock.unlock();
      send(*late.exchange, std::move(late.answer));
      lock.lock();
    }
  }
}

}  // namespace ebb::support
