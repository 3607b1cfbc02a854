#include "kube/context_access.h"

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include "kube/entry.h"
#include "kube/exec_entry.h"
#include "kube/files.h"

namespace ebb::kube {
namespace {

namespace json = boost::json;

Result<const Kubeconfig::Named*> find(const Kubeconfig& config, const Kubeconfig::Entries& entries,
                                      std::string_view what, const std::string& name,
                                      std::string_view wanted_by) {
  const auto found = entries.find(name);
  if (found != entries.end()) return &found->second;
  return fail(ErrorCode::kNotFound,
              fmt::format("{} \"{}\"{} does not exist in {}; known: {}", what, name, wanted_by,
                          config.files(), names_of(entries)));
}

// Extensions are [{name, extension}]; this one is for the plugin.
std::string plugin_config(Entry& cluster) {
  const json::array* extensions = cluster.array("extensions");
  if (extensions == nullptr) return {};
  for (const json::value& item : *extensions) {
    if (!item.is_object()) continue;
    const json::object& extension = item.as_object();
    const json::value* name = extension.if_contains("name");
    const json::value* value = extension.if_contains("extension");
    if (name == nullptr || value == nullptr || !name->is_string()) continue;
    if (name->as_string() == "client.authentication.k8s.io/exec") return json::serialize(*value);
  }
  return {};
}

bool has_scheme(const std::string& url, std::initializer_list<std::string_view> schemes) {
  for (const std::string_view scheme : schemes) {
    if (url.starts_with(scheme)) return true;
  }
  return false;
}

// Whether there is a host between the optional scheme and the path.
bool names_host(std::string_view server) {
  const std::size_t scheme = server.find("://");
  if (scheme != std::string_view::npos) server.remove_prefix(scheme + 3);
  return !server.empty() && server.front() != '/';
}

void read_cluster(Entry& cluster, ClusterAccess& access) {
  access.server = cluster.text("server");
  access.insecure = cluster.flag("insecure-skip-tls-verify");
  access.tls_server_name = cluster.text("tls-server-name");
  access.proxy_url = cluster.text("proxy-url");
  if (access.server.empty()) {
    cluster.report("server is missing: the address of the API server, such as https://host:6443");
  } else if (!names_host(access.server)) {
    cluster.report("server names no host; expected an address such as https://host:6443");
  }
  if (access.insecure &&
      (cluster.has("certificate-authority") || cluster.has("certificate-authority-data"))) {
    cluster.report("certificate-authority and insecure-skip-tls-verify are mutually exclusive");
  } else {
    access.ca_pem = cluster.data_or_file("certificate-authority");
  }
  if (!access.proxy_url.empty() &&
      !has_scheme(access.proxy_url, {"http://", "https://", "socks5://"})) {
    cluster.report("proxy-url must begin with http://, https:// or socks5://");
  }
}

void read_certificate(Entry& user, ClusterAccess& access) {
  access.client_certificate_pem = user.data("client-certificate-data");
  access.client_key_pem = user.data("client-key-data");
  if (access.client_certificate_pem.empty()) {
    access.client_certificate_file = user.path("client-certificate");
  }
  if (access.client_key_pem.empty()) access.client_key_file = user.path("client-key");
  const bool certificate =
      !access.client_certificate_pem.empty() || !access.client_certificate_file.empty();
  const bool key = !access.client_key_pem.empty() || !access.client_key_file.empty();
  if (certificate && !key)
    user.report("a client-certificate needs a client-key or client-key-data");
  if (key && !certificate) {
    user.report("a client-key needs a client-certificate or client-certificate-data");
  }
}

void read_impersonation(Entry& user, ClusterAccess& access) {
  access.as_user = user.text("as");
  access.as_uid = user.text("as-uid");
  access.as_groups = user.texts("as-groups");
  if (const json::object* extra = user.object("as-user-extra")) {
    Entry fields = user.within(*extra, "as-user-extra");
    for (const auto& field : *extra) {
      access.as_extra.emplace_back(field.key(), fields.texts(field.key()));
    }
    if (auto good = fields.check(); !good) user.report(std::move(good.error()));
  }
  if (access.as_user.empty() &&
      (!access.as_uid.empty() || !access.as_groups.empty() || !access.as_extra.empty())) {
    user.report("as-uid, as-groups and as-user-extra require as (the user)");
  }
}

void read_exec(Entry& user, ClusterAccess& access) {
  const json::object* object = user.object("exec");
  if (object == nullptr) return;
  Entry exec = user.within(*object, "exec");
  access.exec = read_exec_entry(exec);
  if (auto good = exec.check(); !good) user.report(std::move(good.error()));
}

void read_user(Entry& user, ClusterAccess& access) {
  access.token = user.text("token");
  access.token_file = user.path("tokenFile");
  access.username = user.text("username");
  access.password = user.text("password");
  read_certificate(user, access);
  read_impersonation(user, access);
  read_exec(user, access);
  if (!is_printable(access.token)) user.report("token: expected one line of printable characters");
  if (!access.username.empty() && !(access.token.empty() && access.token_file.empty())) {
    user.report("token and username are mutually exclusive");
  }
  if (user.has("auth-provider")) {
    user.report("auth-provider was removed from Kubernetes; use an exec plugin instead");
  }
}

// As in client-go: an address without a scheme is https if any TLS option is set.
void complete_server(ClusterAccess& access) {
  const bool tls = !access.ca_pem.empty() || access.insecure ||
                   !access.client_certificate_pem.empty() ||
                   !access.client_certificate_file.empty();
  if (access.server.find("://") == std::string::npos) {
    access.server = (tls ? "https://" : "http://") + access.server;
  }
  while (access.server.ends_with('/')) access.server.pop_back();
}

Result<std::string> chosen_context(const Kubeconfig& config, std::string context) {
  if (context.empty()) context = config.current_context();
  if (!context.empty()) return context;
  return fail(ErrorCode::kNotFound,
              fmt::format("{} sets no current-context; name one with --context (known: {})",
                          config.files(), names_of(config.contexts())));
}

}  // namespace

Result<ClusterAccess> access_of_context(const Kubeconfig& config, std::string context) {
  EBB_ASSIGN_OR_RETURN(auto chosen, chosen_context(config, std::move(context)));
  EBB_ASSIGN_OR_RETURN(auto found, find(config, config.contexts(), "context", chosen, ""));
  const Kubeconfig::Named& named = *found;

  Entry entry(named.file, fmt::format("context \"{}\"", chosen), named.value);
  ClusterAccess access;
  access.context = chosen;
  const std::string cluster_name = entry.text("cluster");
  const std::string user_name = entry.text("user");
  if (std::string name = entry.text("namespace"); !name.empty()) {
    access.namespace_name = std::move(name);
  }
  if (cluster_name.empty()) {
    entry.report(
        fmt::format("cluster is missing; known clusters: {}", names_of(config.clusters())));
  }
  EBB_RETURN_IF_ERROR(entry.check());

  const std::string wanted_by = fmt::format(" (wanted by context \"{}\")", chosen);
  EBB_ASSIGN_OR_RETURN(auto cluster_found,
                       find(config, config.clusters(), "cluster", cluster_name, wanted_by));
  Entry cluster(cluster_found->file, fmt::format("cluster \"{}\"", cluster_name),
                cluster_found->value);
  read_cluster(cluster, access);
  EBB_RETURN_IF_ERROR(cluster.check());

  if (!user_name.empty()) {
    EBB_ASSIGN_OR_RETURN(auto user_found,
                         find(config, config.users(), "user", user_name, wanted_by));
    Entry user(user_found->file, fmt::format("user \"{}\"", user_name), user_found->value);
    read_user(user, access);
    EBB_RETURN_IF_ERROR(user.check());
  }
  if (access.exec) access.exec->cluster_config = plugin_config(cluster);
  complete_server(access);
  return access;
}

}  // namespace ebb::kube
