// Typical pods, 3 KB each when stored. They name a scheduler that does not exist, so that they
// stay as they were created.
#pragma once

#include <string>
#include <string_view>

#include <fmt/format.h>

namespace ebb::bench {

struct PodBody {
  std::string_view name;
  // Of the ReplicaSet that they belong to; where owners are looked after it has to exist.
  std::string_view owner_uid = "5b7f4a0e-1111-4222-8333-444455556666";
  int shard = 0;  // a label to select by
};

inline std::string pod_container() {
  std::string env;
  for (int i = 0; i < 22; ++i) {
    env += fmt::format(R"({}{{"name":"SETTING_{}","value":"value-of-setting-number-{}"}})",
                       i == 0 ? "" : ",", i, i);
  }
  return fmt::format(
      R"("image":"registry.example/shop/web:1.42.0","env":[{}],)"
      R"("ports":[{{"name":"http","containerPort":8080}},{{"name":"metrics","containerPort":9090}}],)"
      R"("resources":{{"limits":{{"cpu":"2","memory":"1Gi"}},"requests":{{"cpu":"250m","memory":"512Mi"}}}},)"
      R"("readinessProbe":{{"httpGet":{{"path":"/ready","port":"http"}},"periodSeconds":5}},)"
      R"("livenessProbe":{{"httpGet":{{"path":"/live","port":"http"}}}},)"
      R"("volumeMounts":[{{"name":"cache","mountPath":"/cache"}}])",
      env);
}

inline std::string pod_body(const PodBody& pod) {
  static const std::string container = pod_container();
  return fmt::format(
      R"({{"kind":"Pod","apiVersion":"v1","metadata":{{"name":"{}","labels":)"
      R"({{"app.kubernetes.io/name":"web","app.kubernetes.io/part-of":"shop","pod-template-hash":"7d4b9c6f5d","shard":"{}"}},)"
      R"("annotations":{{"example.com/checksum":"0123456789abcdef0123456789abcdef"}},)"
      R"("ownerReferences":[{{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web-7d4b9c6f5d",)"
      R"("uid":"{}","controller":true,"blockOwnerDeletion":true}}]}},)"
      R"("spec":{{"schedulerName":"none","containers":[{{"name":"web",{}}}],)"
      R"("volumes":[{{"name":"cache","emptyDir":{{}}}}],)"
      R"("tolerations":[{{"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute","tolerationSeconds":300}}]}}}})",
      pod.name, pod.shard, pod.owner_uid, container);
}

}  // namespace ebb::bench
