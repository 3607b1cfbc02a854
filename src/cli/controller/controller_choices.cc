#include "cli/controller/controller_choices.h"

#include <array>
#include <string_view>

#include <fmt/format.h>

namespace ebb::cli {
namespace {

struct Choice {
  std::string_view name;
  std::string_view job;
  std::string_view switch_off;
  std::string_view rights;
};

constexpr std::array kChoices = {
    Choice{"replicaset", "creates and deletes pods, in place of the stock ReplicaSet controller",
           "kube-controller-manager --controllers=*,-replicaset-controller",
           "deploy/controller.yaml: among others, to create and delete pods in all namespaces"},
    Choice{"deployment",
           "rolls out and scales Deployments, in place of the stock Deployment controller",
           "kube-controller-manager --controllers=*,-deployment-controller",
           "deploy/controller.yaml: among others, to create and delete ReplicaSets in all "
           "namespaces"},
    Choice{"ranker", "ranks pods as DownscalePolicies ask; runs beside any ReplicaSet controller",
           "nothing", "deploy/ranker.yaml: to read pods and nodes, and to write ranks"},
    Choice{"shadow",
           "compares scale-downs of the stock controllers with ebb's choices; changes nothing",
           "nothing",
           "deploy/shadow.yaml: to read pods, ReplicaSets and nodes, and to write records"},
};

}  // namespace

std::string describe_controller_choices() {
  std::string text = "Choose the controllers to run, separated by commas; * means all:\n";
  for (const Choice& choice : kChoices) {
    text += fmt::format("  {}\n    job:        {}\n    switch off: {}\n    rights:     {}\n",
                        choice.name, choice.job, choice.switch_off, choice.rights);
  }
  return text;
}

}  // namespace ebb::cli
