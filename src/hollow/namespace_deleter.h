// Deletes the contents of terminating namespaces, then removes the finalizer `kubernetes` from
// their spec.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/deadline_queue.h"
#include "model/component/component.h"
#include "model/component/outbox.h"

namespace ebb::hollow {

class NamespaceDeleter : public model::Component {
 public:
  [[nodiscard]] std::string_view name() const override { return "namespace-deleter"; }
  [[nodiscard]] std::vector<const schema::Kind*> watched() const override;
  void observe(const model::ObjectEvent& event, Timestamp now) override;
  void synced(Timestamp now) override;
  void answered(model::EffectId id, const model::ApiResponse& response, Timestamp now) override;
  void wake(Timestamp now) override;
  [[nodiscard]] std::vector<model::Effect> take_effects() override { return outbox_.take(); }
  [[nodiscard]] Timestamp wake_at() const override { return deadlines_.next(); }

 private:
  // The steps of one sync: delete everything, check whether anything is left, and if not, read the
  // namespace and write it back without the finalizer.
  enum class Step : std::uint8_t { kIdle, kDelete, kCount, kRead, kRelease };

  struct Terminating {
    std::string uid{};
    Step step = Step::kIdle;
    std::size_t answers_due = 0;
    bool clean = true;  // nothing left, nothing failed in this round
    unsigned rounds = 0;
  };
  struct Purpose {
    std::string namespace_name{};
    std::string uid{};
  };

  void begin(const std::string& namespace_name, Terminating& state);
  void go_on(const std::string& namespace_name, Terminating& state, Timestamp now);
  void send(const std::string& namespace_name, Terminating& state, model::ApiRequest request);
  void release(const std::string& namespace_name, Terminating& state,
               const model::ApiResponse& response);

  bool synced_ = false;
  std::map<std::string, Terminating> namespaces_;
  DeadlineQueue<std::string> deadlines_;
  model::Outbox<Purpose> outbox_;
};

}  // namespace ebb::hollow
