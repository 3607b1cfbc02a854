#include "control/deployment/deployment_conditions.h"

#include <boost/json/array.hpp>

#include "model/api/requests.h"
#include "schema/core/json.h"

namespace ebb::control::deployments {

namespace json = boost::json;
using schema::text_at;

const json::object* find_condition(const json::object& status, std::string_view type) {
  const json::array* conditions = schema::array_at(status, {"conditions"});
  if (conditions == nullptr) return nullptr;
  for (const json::value& each : *conditions) {
    const json::object* condition = each.if_object();
    if (condition != nullptr && text_at(*condition, {"type"}) == type) return condition;
  }
  return nullptr;
}

std::string_view reason_of(const json::object* condition) {
  return condition == nullptr ? std::string_view() : text_at(*condition, {"reason"});
}

json::object make_condition(std::string_view type, std::string_view status, std::string_view reason,
                            std::string_view message, Timestamp now) {
  const std::string time = model::time_text(now);
  return {{"type", type},           {"status", status},
          {"lastUpdateTime", time}, {"lastTransitionTime", time},
          {"reason", reason},       {"message", message}};
}

bool set_condition(json::object& status, json::object condition) {
  const std::string type(text_at(condition, {"type"}));
  if (const json::object* known = find_condition(status, type)) {
    if (text_at(*known, {"status"}) == text_at(condition, {"status"})) {
      if (reason_of(known) == reason_of(&condition)) return false;
      if (const json::value* since = known->if_contains("lastTransitionTime")) {
        condition["lastTransitionTime"] = *since;
      }
    }
  }
  remove_condition(status, type);
  json::value& conditions = status["conditions"];
  if (!conditions.is_array()) conditions.emplace_array();
  conditions.get_array().push_back(std::move(condition));
  return true;
}

void remove_condition(json::object& status, std::string_view type) {
  json::array* conditions = schema::array_at(status, {"conditions"});
  if (conditions == nullptr) return;
  for (auto* each = conditions->begin(); each != conditions->end();) {
    const json::object* condition = each->if_object();
    const bool meant = condition != nullptr && text_at(*condition, {"type"}) == type;
    each = meant ? conditions->erase(each) : each + 1;
  }
}

}  // namespace ebb::control::deployments
