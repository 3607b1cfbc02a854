// From the text of one object to what the store keeps of it.
#pragma once

#include <string>
#include <string_view>

#include <simdjson.h>

#include "base/result.h"
#include "control/store.h"
#include "model/pool.h"

namespace ebb::control {

// The record, and what was wrong with the rest. As long as it has a name, an object that cannot be
// read in full can still be told apart from others.
template <class Object>
struct ReadObject {
  Object object;
  Result<void> complete;
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

  // Buffers grow with the largest object ever read; this gives them back if they are large.
  void shrink();

 private:
  template <class Object, class Decode>
  [[nodiscard]] ReadObject<Object> read_json(std::string_view kind, std::string_view json,
                                             model::Pool& pool, Decode decode);

  std::string padded_;
  simdjson::dom::parser parser_;
};

// What is kept of the text: `json` without metadata.managedFields, which nobody reads and which is
// often most of it, and with the kind and apiVersion that items of lists leave out.
[[nodiscard]] std::string kept_text(std::string_view json, std::string_view kind,
                                    std::string_view api_version = "apps/v1");

}  // namespace ebb::control
