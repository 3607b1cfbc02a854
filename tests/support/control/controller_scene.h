// A controller on a real API server (src/apiserver) and a real store, controlled by a test: it
// decides which calls are executed and which are lost, when the watch delivers events, and how time
// passes.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/json/object.hpp>

#include "apiserver/api_server.h"
#include "control/cache/store.h"
#include "control/controller/controller.h"
#include "control/core/decision.h"
#include "control/process/process.h"
#include "control/replicaset/late_outcomes.h"

namespace ebb::testing {

class ControllerScene : private control::CallSink, private control::Telemetry {
 public:
  using MakeController = std::unique_ptr<control::Controller> (*)(const control::ControllerContext&,
                                                                  control::Safeguards);

  explicit ControllerScene(MakeController make, control::Safeguards safeguards = {},
                           model::FeatureGates gates = {});

  // The cluster, as other clients see and change it. Everything is in namespace `shop`.
  using Object = boost::json::object;
  Object request(model::Method method, std::string path, std::string body = {}, int code = 0);
  // Selects app=NAME; `spec` is merged into its spec, `metadata` into its metadata.
  Object create_set(std::string_view name, int replicas, std::string_view spec = "{}",
                    std::string_view metadata = "{}");
  // Running and Ready on node-1, app=web; owned by the ReplicaSet `web` unless an owner's
  // JSON is given (empty: an orphan).
  struct PodWords {
    std::string_view app = "web";
    std::string_view owner = "web";  // name of a ReplicaSet, or empty
    std::string_view node = "node-1";
    std::string_view annotations = "{}";
    bool ready = true;
    Nanoseconds ready_for_ns = 0;
    std::string_view finalizers = "[]";
  };
  void create_pod(std::string_view name, const PodWords& words);
  void create_pod(std::string_view name) { create_pod(name, PodWords()); }
  void scale(std::string_view set, int replicas);
  void patch(std::string path, std::string_view merge_patch);
  void delete_pod(std::string_view name, int grace_seconds = 0);
  void make_ready(std::string_view pod);
  // The names of pods that really exist, without terminating ones.
  [[nodiscard]] std::vector<std::string> pods() const;
  [[nodiscard]] Object get(std::string path);
  // A field of the status of a ReplicaSet as text, or empty.
  [[nodiscard]] std::string status(std::string_view set, std::string_view field);

  // Delivers to the store all events that it has not received yet.
  void see_all();
  void see(control::Resource resource);
  void see_next();
  [[nodiscard]] std::size_t unseen() const { return unseen_.size(); }

  // The calls that were sent and not answered.
  struct Sent {
    control::CallId id = 0;
    control::Call::Kind kind = control::Call::Kind::kRead;
    model::ApiRequest request;
  };
  [[nodiscard]] std::vector<std::string> calls() const;  // `DELETE pods/a`
  [[nodiscard]] std::size_t count_calls(std::string_view beginning) const;
  [[nodiscard]] const Sent& call(std::string_view beginning) const;
  // Executes all calls that begin with these words, or only the first. Words as in calls(); empty
  // matches any.
  void carry_out(std::string_view beginning = {});
  void carry_out_first(std::string_view beginning);
  void refuse(std::string_view beginning, int code, std::string_view message = "no",
              std::string_view cause = {});
  // The server answers with this body and does nothing.
  void answer_with(std::string_view beginning, std::string_view body);
  void lose_before(std::string_view beginning);  // never executed, outcome unknown
  void lose_after(std::string_view beginning);   // executed, outcome unknown
  void drop_unsent(std::string_view beginning);
  // As if all calls had waited for the rate limit until now: outdated calls are not sent.
  void withdraw_unwanted();
  // The outcome is unknown to the controller; the request can still be executed with land().
  [[nodiscard]] model::ApiRequest lose_first(std::string_view beginning);
  model::ApiResponse land(const model::ApiRequest& request) { return handle(request); }

  // The picker answers the last request.
  void reply(const picker::Reply& reply);
  void picker_answers(const std::vector<std::string>& chosen,
                      const std::vector<std::string>& tied = {});

  void run();
  void pass_time(Nanoseconds ns);  // and runs the controller's timers
  // Executes and delivers everything until nothing happens any more.
  void settle();
  // The same without passing time.
  void settle_but_for_timers();
  // Starts a new process with these gates on the existing cluster.
  void restart(model::FeatureGates gates = {});

  [[nodiscard]] control::Controller& controller() { return *controller_; }
  [[nodiscard]] std::int64_t counted(control::Count what) const;

  struct Told {
    std::string reason;
    std::string message;
    std::string component;
    bool warning = false;
  };
  std::vector<Told> events;
  [[nodiscard]] std::vector<std::string> messages(std::string_view reason) const;
  std::vector<control::Decision> decisions;
  std::vector<control::LateOutcomes> late_outcomes;
  std::vector<std::string> log_lines;                       // at verbosity 0
  std::map<std::string, std::int64_t> labelled;             // counts by label
  std::set<std::pair<control::Gauge, std::string>> gauges;  // that were set, by label
  std::vector<double> age_ratios;
  control::PickerLimits limits;               // effective from the next restart
  bool protobuf = false;                      // likewise: pods are created in it
  std::vector<picker::Call> picker_requests;  // all picker calls so far
  std::vector<picker::CallId> withdrawn;
  std::map<control::ReviewId, std::string> review_answers;
  std::vector<std::string> history;  // all calls so far
  std::unique_ptr<control::Store> store;
  Now now;

 private:
  control::CallId send(control::Call::Kind kind, model::ApiRequest request) override;
  picker::CallId ask(picker::Call call) override {
    call.id = picker_requests.size() + 1;
    picker_requests.push_back(std::move(call));
    return picker_requests.back().id;
  }
  void withdraw(picker::CallId id) override { withdrawn.push_back(id); }
  void answer_review(control::ReviewAnswer answer) override {
    review_answers[answer.id] = std::move(answer.body);
  }
  void record_event(control::Event event, Now now) override;
  void count(control::Count what, std::string_view label, std::int64_t by) override;
  void observe(control::Histogram what, std::string_view label, double value) override;
  void set(control::Gauge what, std::string_view label, double /*value*/) override {
    gauges.emplace(what, label);
  }
  void decided(const control::Decision& decision) override { decisions.push_back(decision); }
  void settled(const control::LateOutcomes& told) override { late_outcomes.push_back(told); }
  void logged(control::Severity /*severity*/, int verbosity, std::string_view text,
              std::span<const control::Field> /*fields*/) override {
    if (verbosity == 0) log_lines.emplace_back(text);
  }

  model::ApiResponse handle(const model::ApiRequest& request);
  void tell(const apiserver::Change& change);
  Sent take(std::string_view beginning);
  void answer(const Sent& sent, const control::Answer& answer);
  void for_each(std::string_view beginning, const std::function<void(const Sent&)>& act);

  MakeController make_;
  control::Safeguards safeguards_;
  apiserver::ApiServer server_;
  std::map<std::string, std::string> there_;  // the last state of each object, by path
  std::deque<apiserver::Change> unseen_;
  std::vector<Sent> sent_;
  control::CallId next_call_ = 1;
  std::map<control::Count, std::int64_t> counts_;
  std::unique_ptr<control::Controller> controller_;
};

}  // namespace ebb::testing
