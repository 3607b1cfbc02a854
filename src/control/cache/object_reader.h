// Decodes one object into the record that the store keeps.
#pragma once

#include <string>
#include <string_view>

#include <simdjson.h>

#include "control/cache/store.h"
#include "model/records/decoded.h"
#include "model/records/pool.h"

namespace ebb::control {

// An object, and what was wrong with its text. A damaged object has only an identity
// (model/json/identity.h): name, namespace, uid and revision, and the controller if `owner_known`.
// Parts that could not be read are empty.
template <class Object>
struct ReadObject {
  Object object{};
  std::string problem{};  // names the object; empty: no problem
  bool damaged = false;
  bool owner_known = false;  // if it is damaged
};

class ObjectReader {
 public:
  [[nodiscard]] ReadObject<Pod> read_pod(Store::Format format, std::string_view text,
                                         model::Pool& pool);
  [[nodiscard]] ReadObject<ReplicaSet> read_replica_set(std::string_view json, model::Pool& pool);
  [[nodiscard]] ReadObject<Deployment> read_deployment(std::string_view json, model::Pool& pool);

  [[nodiscard]] ReadObject<Policy> read_policy(std::string_view json, model::Pool& pool);
  [[nodiscard]] ReadObject<Node> read_node(Store::Format format, std::string_view text,
                                           model::Pool& pool);
  [[nodiscard]] ReadObject<GroupCost> read_group_cost(std::string_view json, model::Pool& pool);
  [[nodiscard]] ReadObject<DecisionObject> read_decision_object(std::string_view json,
                                                                model::Pool& pool);

  // Buffers grow with the largest object read so far; this frees them if they are large.
  void shrink();

 private:
  template <class Object, class Decode>
  [[nodiscard]] ReadObject<Object> read_json(std::string_view kind, std::string_view json,
                                             model::Pool& pool, Decode decode);

  template <class Object, class Record>
  [[nodiscard]] static ReadObject<Object> take_protobuf(model::Decoded<Record> decoded,
                                                        std::string_view message,
                                                        model::Pool& pool);

  std::string padded_;
  simdjson::dom::parser parser_;
};

// The text to keep: `json` without metadata.managedFields, which is unused and often the largest
// part, and with the kind and apiVersion that list items omit.
[[nodiscard]] std::string kept_text(std::string_view json, std::string_view kind,
                                    std::string_view api_version = "apps/v1");

}  // namespace ebb::control
