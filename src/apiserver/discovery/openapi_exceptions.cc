#include "apiserver/discovery/openapi_exceptions.h"

#include <algorithm>
#include <iterator>

#include <boost/json/string.hpp>

#include "schema/core/json.h"

namespace ebb::apiserver {

namespace json = boost::json;

namespace {

using schema::Field;
using schema::ObjectSchema;

struct Place {
  std::string_view schema;  // the last part of its name
  std::string_view field;
};

// Listed as required, although the server accepts objects without them or always sets them.
constexpr Place kRequired[] = {
    {"MutatingWebhook", "clientConfig"},
    {"MutatingWebhook", "sideEffects"},
    {"MutatingWebhook", "admissionReviewVersions"},
    {"ValidatingWebhook", "clientConfig"},
    {"ValidatingWebhook", "sideEffects"},
    {"ValidatingWebhook", "admissionReviewVersions"},
    {"DeploymentSpec", "template"},
    {"LocalSubjectAccessReview", "spec"},
    {"NonResourceRule", "verbs"},
    {"ResourceRule", "verbs"},
    {"SelfSubjectAccessReview", "spec"},
    {"SelfSubjectRulesReview", "spec"},
    {"SubjectAccessReview", "spec"},
    {"SubjectRulesReviewStatus", "resourceRules"},
    {"SubjectRulesReviewStatus", "nonResourceRules"},
    {"Binding", "target"},
    {"Event", "metadata"},
    {"Event", "involvedObject"},
    {"HTTPGetAction", "port"},
    {"ImageVolumeStatus", "imageRef"},
    {"NodeAllocatableResourceClaimStatus", "resources"},
    {"PersistentVolumeClaimTemplate", "spec"},
    {"PodCertificateProjection", "keyType"},
    {"PodExtendedResourceClaimStatus", "requestMappings"},
    {"PreferredSchedulingTerm", "preference"},
    {"ScaleIOVolumeSource", "secretRef"},
    {"TCPSocketAction", "port"},
    {"WeightedPodAffinityTerm", "podAffinityTerm"},
    {"Condition", "lastTransitionTime"},
};

// Not listed as required, although the server refuses objects without them or always sets them.
constexpr Place kOptional[] = {
    {"Container", "image"},
    {"ContainerRestartRule", "exitCodes"},
    {"EphemeralContainer", "image"},
    {"EphemeralVolumeSource", "volumeClaimTemplate"},
    {"Event", "reportingComponent"},
    {"Event", "reportingInstance"},
    {"ExecAction", "command"},
    {"ImageVolumeSource", "reference"},
    {"NodeRuntimeHandler", "name"},
    {"PersistentVolumeClaimSpec", "accessModes"},
    {"ResourceFieldSelector", "divisor"},
    {"ScaleIOVolumeSource", "volumeName"},
    {"SecretVolumeSource", "secretName"},
    {"StorageOSVolumeSource", "volumeName"},
};

// No choices listed, although the server refuses other values.
constexpr Place kUnlisted[] = {
    {"LeaseSpec", "strategy"},
    {"Container", "restartPolicy"},
    {"ContainerResizePolicy", "resourceName"},
    {"ContainerResizePolicy", "restartPolicy"},
    {"ContainerRestartRule", "action"},
    {"ContainerRestartRuleOnExitCodes", "operator"},
    {"EphemeralContainer", "restartPolicy"},
    {"PodCertificateProjection", "keyType"},
    {"PodOS", "name"},
    {"PodSecurityContext", "seLinuxChangePolicy"},
    {"VolumeMount", "recursiveReadOnly"},
};

constexpr std::string_view kSignals =
    "SIGABRT SIGALRM SIGBUS SIGCHLD SIGCLD SIGCONT SIGFPE SIGHUP SIGILL SIGINT SIGIO SIGIOT "
    "SIGKILL "
    "SIGPIPE SIGPOLL SIGPROF SIGPWR SIGQUIT SIGRTMAX SIGRTMAX-1 SIGRTMAX-10 SIGRTMAX-11 "
    "SIGRTMAX-12 "
    "SIGRTMAX-13 SIGRTMAX-14 SIGRTMAX-2 SIGRTMAX-3 SIGRTMAX-4 SIGRTMAX-5 SIGRTMAX-6 SIGRTMAX-7 "
    "SIGRTMAX-8 SIGRTMAX-9 SIGRTMIN SIGRTMIN+1 SIGRTMIN+10 SIGRTMIN+11 SIGRTMIN+12 SIGRTMIN+13 "
    "SIGRTMIN+14 SIGRTMIN+15 SIGRTMIN+2 SIGRTMIN+3 SIGRTMIN+4 SIGRTMIN+5 SIGRTMIN+6 SIGRTMIN+7 "
    "SIGRTMIN+8 SIGRTMIN+9 SIGSEGV SIGSTKFLT SIGSTOP SIGSYS SIGTERM SIGTRAP SIGTSTP SIGTTIN "
    "SIGTTOU "
    "SIGURG SIGUSR1 SIGUSR2 SIGVTALRM SIGWINCH SIGXCPU SIGXFSZ";

// Choices listed, although the server accepts other values or checks them elsewhere. `-` is the
// empty string.
struct Listed {
  Place place;
  std::string_view choices;
};
constexpr Listed kListed[] = {
    {{"ContainerStatus", "stopSignal"}, kSignals},
    {{"Lifecycle", "stopSignal"}, kSignals},
    {{"HostPathVolumeSource", "type"},
     "- BlockDevice CharDevice Directory DirectoryOrCreate File FileOrCreate Socket"},
    {{"MutatingWebhook", "sideEffects"}, "None NoneOnDryRun Some Unknown"},
    {{"ValidatingWebhook", "sideEffects"}, "None NoneOnDryRun Some Unknown"},
    {{"NamespaceStatus", "phase"}, "Active Terminating"},
    {{"NodeStatus", "phase"}, "Pending Running Terminated"},
    {{"PodStatus", "phase"}, "Failed Pending Running Succeeded Unknown"},
    {{"PodStatus", "qosClass"}, "BestEffort Burstable Guaranteed"},
    {{"PortStatus", "protocol"}, "SCTP TCP UDP"},
    {{"ServiceSpec", "ipFamilies"}, "- IPv4 IPv6"},
};

bool is_at(const Place& place, const ObjectSchema& object_schema, const Field& field) {
  // ebb's own structures have no exceptions, and some share names with Kubernetes' structures.
  return object_schema.name.starts_with("io.k8s.") && place.field == field.name &&
         object_schema.name.substr(object_schema.name.rfind('.') + 1) == place.schema;
}

template <class Places>
bool contains(const Places& places, const ObjectSchema& object_schema, const Field& field) {
  return std::any_of(std::begin(places), std::end(places),
                     [&](const Place& place) { return is_at(place, object_schema, field); });
}

std::string_view choices_of(const ObjectSchema& object_schema, const Field& field) {
  for (const Listed& listed : kListed) {
    if (is_at(listed.place, object_schema, field)) return listed.choices;
  }
  return contains(kUnlisted, object_schema, field) ? std::string_view() : field.choices;
}

}  // namespace

bool is_called_required(const ObjectSchema& object_schema, const Field& field) {
  if (field.is_required || (field.is_always && field.type != schema::Type::kObject)) {
    return !contains(kOptional, object_schema, field);
  }
  return contains(kRequired, object_schema, field);
}

json::array listed_choices(const ObjectSchema& object_schema, const Field& field) {
  json::array choices = schema::word_list(choices_of(object_schema, field));
  for (json::value& choice : choices) {
    if (choice == "-") choice = "";
  }
  std::sort(choices.begin(), choices.end(), [](const json::value& a, const json::value& b) {
    return a.get_string() < b.get_string();
  });
  return choices;
}

}  // namespace ebb::apiserver
