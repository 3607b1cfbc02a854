#include "kube/exec_credential.h"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include "base/base64.h"
#include "kube/entry.h"
#include "kube/files.h"
#include "net/tls/secret.h"
#include "schema/core/time.h"

namespace ebb::kube {
namespace {

namespace json = boost::json;

constexpr std::size_t kMaxCredentialDepth = 200;

json::object cluster_info(const ClusterAccess& access) {
  json::object cluster;
  cluster["server"] = access.server;
  if (!access.tls_server_name.empty()) cluster["tls-server-name"] = access.tls_server_name;
  if (access.insecure) cluster["insecure-skip-tls-verify"] = true;
  if (!access.ca_pem.empty()) {
    cluster["certificate-authority-data"] = encode_base64(access.ca_pem);
  }
  if (!access.proxy_url.empty()) cluster["proxy-url"] = access.proxy_url;
  boost::system::error_code error;
  json::parse_options options;
  options.max_depth = kMaxCredentialDepth;
  json::value config = json::parse(access.exec->cluster_config, error, {}, options);
  cluster["config"] = error ? json::value(nullptr) : std::move(config);
  return cluster;
}

Result<json::object> parse(const ExecPlugin& plugin, std::string_view output) {
  boost::system::error_code error;
  json::parse_options options;
  options.max_depth = kMaxCredentialDepth;
  json::value value = json::parse(output, error, {}, options);
  if (error || !value.is_object()) {
    return fail(ErrorCode::kInvalidInput, fmt::format("the credential plugin {} did not write an "
                                                      "ExecCredential in JSON",
                                                      plugin.command));
  }
  return std::move(value.as_object());
}

void take_status(Entry& status, ExecCredential& credential) {
  credential.token = status.text("token");
  credential.certificate_pem = status.text("clientCertificateData");
  credential.key_pem = status.text("clientKeyData");
  if (const std::string expires = status.text("expirationTimestamp"); !expires.empty()) {
    if (auto time = schema::parse_time(expires)) {
      credential.expires = *time;
    } else {
      status.report("expirationTimestamp is not an RFC 3339 time");
    }
  }
  if (credential.certificate_pem.empty() != credential.key_pem.empty()) {
    status.report("clientCertificateData and clientKeyData must be set together");
  } else if (credential.token.empty() && credential.certificate_pem.empty()) {
    status.report("token and clientCertificateData are both missing");
  }
  if (!is_printable(credential.token)) {
    status.report("token: expected one line of printable characters");
  }
}

}  // namespace

std::string exec_info(const ClusterAccess& access, bool interactive) {
  json::object spec;
  if (access.exec->provide_cluster_info) spec["cluster"] = cluster_info(access);
  spec["interactive"] = interactive;
  json::object info;
  info["kind"] = "ExecCredential";
  info["apiVersion"] = access.exec->api_version;
  info["spec"] = std::move(spec);
  return json::serialize(info);
}

Result<ExecCredential> parse_exec_credential(const ExecPlugin& plugin, std::string_view output) {
  EBB_ASSIGN_OR_RETURN(auto object, parse(plugin, output));
  Entry root(plugin.command, "the ExecCredential it wrote", object);
  ExecCredential credential;
  if (root.text("kind") != "ExecCredential") root.report("kind is not ExecCredential");
  if (root.text("apiVersion") != plugin.api_version) {
    root.report(fmt::format("apiVersion is not {}, as in the kubeconfig", plugin.api_version));
  }
  if (const json::object* object_of_status = root.object("status")) {
    Entry status = root.within(*object_of_status, "status");
    take_status(status, credential);
    if (auto good = status.check(); !good) root.report(std::move(good.error()));
  } else {
    root.report("status is missing");
  }
  EBB_RETURN_IF_ERROR(root.check());
  return credential;
}

}  // namespace ebb::kube
