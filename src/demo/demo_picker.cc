#include "demo/demo_picker.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "hollow/repeatable_random.h"
#include "schema/core/json.h"

namespace ebb::demo {
namespace {

namespace json = boost::json;

// Enough that few workers are equally busy.
constexpr unsigned kMaxTasks = 16;

}  // namespace

unsigned demo_tasks(std::string_view worker) {
  return static_cast<unsigned>(hollow::random_of(1, worker) % kMaxTasks);
}

std::optional<std::string> demo_answer(std::string_view request) {
  json::error_code error;
  const json::value parsed = json::parse(request, error);
  if (error || !parsed.is_object()) return std::nullopt;
  const auto requested = schema::integer_at(parsed.get_object(), {"number_of_pods_requested"});
  const json::array* candidates = schema::array_at(parsed.get_object(), {"candidate_pods"});
  if (!requested || *requested < 0 || candidates == nullptr) return std::nullopt;

  std::vector<std::string_view> workers;
  for (const json::value& candidate : *candidates) {
    if (!candidate.is_string()) return std::nullopt;
    workers.emplace_back(candidate.get_string());
  }
  std::stable_sort(workers.begin(), workers.end(),
                   [](std::string_view one, std::string_view other) {
                     return demo_tasks(one) < demo_tasks(other);
                   });
  const auto wanted = std::min(static_cast<std::size_t>(*requested), workers.size());
  // The workers as busy as the last one to go: if not all of them have to go, they are tied.
  const auto as_busy_as = [&](std::size_t index) { return demo_tasks(workers[index]); };
  const bool split =
      wanted > 0 && wanted < workers.size() && as_busy_as(wanted - 1) == as_busy_as(wanted);
  json::array chosen;
  json::array tied;
  for (std::size_t i = 0; i < workers.size(); ++i) {
    if (split && as_busy_as(i) == as_busy_as(wanted)) {
      tied.emplace_back(workers[i]);
    } else if (i < wanted) {
      chosen.emplace_back(workers[i]);
    }
  }
  return json::serialize(
      json::object{{"chosen_pods", std::move(chosen)}, {"tied_pods", std::move(tied)}});
}

Result<std::unique_ptr<DemoPicker>> DemoPicker::start() {
  std::unique_ptr<DemoPicker> picker(new DemoPicker());
  net::HttpServerSettings settings;
  settings.threads = 1;
  EBB_ASSIGN_OR_RETURN(picker->server_, net::HttpServer::start(std::move(settings), *picker));
  return picker;
}

bool DemoPicker::wants_body(const net::HttpRequest& head) { return head.method == "POST"; }

void DemoPicker::handle(std::shared_ptr<net::HttpExchange> exchange) {
  const net::HttpRequest& request = exchange->request();
  if (request.method != "POST") {
    exchange->respond({.code = 405, .headers = {{"Allow", "POST"}}}, Bytes("only POST\n"));
    return;
  }
  auto answer = demo_answer(request.body);
  if (!answer) {
    exchange->respond({.code = 400}, Bytes("not a valid picker request\n"));
    return;
  }
  exchange->respond({.headers = {{"Content-Type", "application/json"}}}, Bytes(*std::move(answer)));
}

}  // namespace ebb::demo
