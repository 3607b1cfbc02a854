// The DownscalePlan document. Scripts rely on its field names.
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "base/check.h"
#include "cli/common/json_text.h"
#include "cli/plan/plan_output.h"
#include "schema/core/time.h"

namespace ebb::cli {
namespace {

namespace json = boost::json;

constexpr const char* kApiVersion = "ebb.dev/v1alpha1";

json::string_view view(model::Interned text) { return {text.view().data(), text.view().size()}; }
json::string_view view(std::string_view text) { return {text.data(), text.size()}; }

json::object target_document(json::string_view kind, model::Interned namespace_name,
                             model::Interned name) {
  return {{"kind", kind}, {"namespace", view(namespace_name)}, {"name", view(name)}};
}

// The rank by each strategy, in the order in which the ranking lists the strategies.
json::array rank_documents(const plan::Entry& entry,
                           const std::vector<ranking::Weighed>& strategies) {
  EBB_CHECK(entry.by_strategy.size() == strategies.size());
  json::array documents;
  for (std::size_t i = 0; i < strategies.size(); ++i) {
    documents.push_back(
        json::object{{"name", view(strategies[i].strategy->name)}, {"rank", entry.by_strategy[i]}});
  }
  return documents;
}

json::array entry_documents(const plan::SetPlan& set, const std::vector<plan::Entry>& entries,
                            std::size_t first_position) {
  json::array documents;
  documents.reserve(entries.size());
  for (const plan::Entry& entry : entries) {
    const model::Pod& pod = *entry.candidate.pod;
    json::object document{{"position", first_position++},
                          {"name", view(pod.name)},
                          {"uid", view(pod.uid)},
                          {"node", view(pod.node)}};
    if (set.order_context.cost_ranks) document["rank"] = entry.candidate.cost_rank;
    if (!entry.by_strategy.empty()) {
      document["strategyRanks"] = rank_documents(entry, set.ranking.strategies);
    }
    if (!entry.reason.rule.empty()) {
      document["decidedBy"] = view(entry.reason.rule);
      document["because"] = entry.reason.because;
    }
    documents.push_back(std::move(document));
  }
  return documents;
}

json::array strategy_documents(const std::vector<ranking::Weighed>& strategies) {
  json::array documents;
  for (const ranking::Weighed& one : strategies) {
    json::object document{{"name", view(one.strategy->name)}, {"weight", one.weight}};
    if (one.threshold) document["threshold"] = *one.threshold;
    if (!one.args.empty()) document["args"] = one.args;
    documents.push_back(std::move(document));
  }
  return documents;
}

json::object ranking_document(const plan::SetRanking& ranking) {
  const control::RankAdvice& advice = ranking.advice;
  json::object document{{"outcome", view(to_string(*advice.outcome))}};
  if (!advice.policy.empty()) document["policy"] = "DownscalePolicy/" + advice.policy;
  if (!advice.carrier.empty()) document["carrier"] = advice.carrier;
  document["recompute"] = advice.recompute;
  document["atOnce"] = advice.at_once;
  document["waitSeconds"] = advice.worth_wait_ns / kNanosecondsPerSecond;
  if (!ranking.strategies.empty()) {
    document["strategies"] = strategy_documents(ranking.strategies);
  }
  return document;
}

json::object set_document(const plan::SetPlan& set, const plan::Request& request) {
  json::array ignored;
  for (const auto& [pod, because] : set.ignored) {
    ignored.push_back(json::object{{"name", view(pod->name)}, {"because", view(because)}});
  }
  for (const model::UndecodedObject* pod : set.undecoded) {
    ignored.push_back(json::object{{"name", view(pod->name)}, {"because", plan::kUndecoded}});
  }
  json::object document{
      {"apiVersion", kApiVersion},
      {"kind", "DownscalePlan"},
      {"target", target_document("ReplicaSet", set.set->namespace_name, set.set->name)},
      {"replicas", json::object{{"active", set.active}, {"desired", set.desired}}},
      {"now", schema::format_time(request.now)}};
  if (set.ranking.advice.outcome) document["ranking"] = ranking_document(set.ranking);
  document["remove"] = entry_documents(set, set.remove, 1);
  document["keep"] = entry_documents(set, set.keep, set.remove.size() + 1);
  document["ignored"] = std::move(ignored);
  document["warnings"] = json::array(set.warnings.begin(), set.warnings.end());
  return document;
}

json::string_view split_name(control::Split::How how) {
  using How = control::Split::How;
  switch (how) {
    case How::kWhole:
      return "Whole";
    case How::kSaturated:
      return "Saturated";
    case How::kProportional:
      return "Proportional";
    case How::kRecreate:
      return "Recreate";
    case How::kDeleting:
      return "Deleting";
  }
  return "";
}

json::value plan_document(const plan::Plan& plan, const plan::Request& request) {
  const json::array warnings(plan.warnings.begin(), plan.warnings.end());
  if (plan.sets.size() == 1) {
    json::object document = set_document(plan.sets.front(), request);
    json::array& all = document["warnings"].as_array();
    all.insert(all.end(), warnings.begin(), warnings.end());
    return document;
  }
  json::array items;
  for (const plan::SetPlan& set : plan.sets) items.push_back(set_document(set, request));
  const model::Deployment& deployment = *plan.deployment;
  return json::object{
      {"apiVersion", kApiVersion},
      {"kind", "DownscalePlanList"},
      {"target", target_document("Deployment", deployment.namespace_name, deployment.name)},
      {"replicas", json::object{{"current", deployment.replicas}, {"desired", request.replicas}}},
      {"split", split_name(plan.split.how)},
      {"items", std::move(items)},
      {"warnings", warnings}};
}

}  // namespace

std::string plan_json(const plan::Plan& plan, const plan::Request& request) {
  return to_json_text(plan_document(plan, request));
}

std::string plan_yaml(const plan::Plan& plan, const plan::Request& request) {
  return to_yaml_text(plan_document(plan, request));
}

}  // namespace ebb::cli
