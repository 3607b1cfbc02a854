// Fills a store with ReplicaSets and pods of the namespace `shop`, without an API server.
#pragma once

#include <string>
#include <string_view>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "control/cache/store.h"

namespace ebb::testing {

class SmallStore : public control::Store {
 public:
  struct SetWords {
    int replicas = 1;
    std::string_view app = "web";  // that it selects
    std::string_view owner{};      // the name of its Deployment
    std::string_view spec{};       // more fields, each with a comma in front
    std::string_view in = "shop";  // its namespace
  };
  // Its uid is `u-NAME`.
  void put_set(std::string_view name, const SetWords& words) {
    put(control::Resource::kReplicaSets,
        fmt::format(
            R"({{"metadata":{{"name":"{0}","namespace":"{5}","uid":"u-{0}",)"
            R"("resourceVersion":"{1}","generation":1,"ownerReferences":[{2}]}},)"
            R"("spec":{{"replicas":{3},"selector":{{"matchLabels":{{"app":"{4}"}}}}{6}}}}})",
            name, ++revision_, owner_text("Deployment", words.owner), words.replicas, words.app,
            words.in, words.spec));
  }

  struct PodWords {
    std::string_view app = "web";
    std::string_view owner = "web";  // the name of its ReplicaSet; empty: an orphan
    std::string_view phase = "Running";
    std::string_view in = "shop";
    bool deleting = false;
  };
  // Ready; its uid is `u-NAME`.
  void put_pod(std::string_view name, const PodWords& words) {
    put(control::Resource::kPods, pod_text(name, words));
  }
  void put_pod(std::string_view name) { put_pod(name, PodWords()); }
  void remove_pod(std::string_view name) {
    EXPECT_TRUE(remove(control::Resource::kPods, Format::kJson, pod_text(name, {})));
  }

 private:
  void put(control::Resource resource, const std::string& text) {
    const auto revision = upsert(resource, Format::kJson, text);
    EXPECT_TRUE(revision) << revision.error().message;
  }
  static std::string owner_text(std::string_view kind, std::string_view name) {
    if (name.empty()) return {};
    return fmt::format(R"({{"kind":"{0}","name":"{1}","uid":"u-{1}","controller":true}})", kind,
                       name);
  }
  std::string pod_text(std::string_view name, const PodWords& words) {
    return fmt::format(
        R"({{"metadata":{{"name":"{0}","namespace":"{1}","uid":"u-{0}","resourceVersion":"{2}",)"
        R"("labels":{{"app":"{3}"}},"ownerReferences":[{4}]{5}}},"spec":{{"nodeName":"n"}},"status":{{"phase":"{6}",)"
        R"("conditions":[{{"type":"Ready","status":"True"}}]}}}})",
        name, words.in, ++revision_, words.app, owner_text("ReplicaSet", words.owner),
        words.deleting ? R"(,"deletionTimestamp":"2026-11-01T12:00:00Z")" : "", words.phase);
  }

  int revision_ = 0;
};

}  // namespace ebb::testing
