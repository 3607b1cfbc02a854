#include "kube/exec_entry.h"

#include <boost/json/array.hpp>
#include <boost/json/value.hpp>

namespace ebb::kube {
namespace {

constexpr std::string_view kGroup = "client.authentication.k8s.io/";

void read_env(Entry& exec, ExecPlugin& plugin) {
  const boost::json::array* list = exec.array("env");
  if (list == nullptr) return;
  for (const boost::json::value& item : *list) {
    if (!item.is_object()) {
      exec.report("env: expected a list of {name, value}");
      return;
    }
    Entry variable = exec.within(item.as_object(), "env");
    std::string name = variable.text("name");
    std::string value = variable.text("value");
    if (name.empty()) variable.report("a variable has no name");
    if (auto good = variable.check(); !good) exec.report(std::move(good.error()));
    plugin.env.emplace_back(std::move(name), std::move(value));
  }
}

void check_version(Entry& exec, const ExecPlugin& plugin) {
  if (plugin.api_version == std::string(kGroup) + "v1alpha1") {
    exec.report("apiVersion client.authentication.k8s.io/v1alpha1 was removed; use v1");
  } else if (plugin.api_version != std::string(kGroup) + "v1" &&
             plugin.api_version != std::string(kGroup) + "v1beta1") {
    exec.report(
        "apiVersion must be client.authentication.k8s.io/v1 or "
        "client.authentication.k8s.io/v1beta1");
  }
}

void check_mode(Entry& exec, const ExecPlugin& plugin) {
  const std::string& mode = plugin.interactive_mode;
  if (mode.empty() && plugin.api_version.ends_with("/v1")) {
    exec.report("interactiveMode is missing; it must be Never, IfAvailable or Always");
  } else if (!mode.empty() && mode != "Never" && mode != "IfAvailable" && mode != "Always") {
    exec.report("interactiveMode must be Never, IfAvailable or Always");
  }
}

}  // namespace

ExecPlugin read_exec_entry(Entry& exec) {
  ExecPlugin plugin;
  plugin.api_version = exec.text("apiVersion");
  plugin.command = exec.text("command");
  // A plain name is searched in PATH; a path is relative to the kubeconfig.
  if (plugin.command.find('/') != std::string::npos) plugin.command = exec.path("command");
  plugin.args = exec.texts("args");
  plugin.install_hint = exec.text("installHint");
  plugin.provide_cluster_info = exec.flag("provideClusterInfo");
  plugin.interactive_mode = exec.text("interactiveMode");
  read_env(exec, plugin);
  if (plugin.command.empty()) exec.report("command is missing: the program to run");
  check_version(exec, plugin);
  check_mode(exec, plugin);
  return plugin;
}

}  // namespace ebb::kube
