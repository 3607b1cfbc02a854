// Probes and lifecycle hooks of containers.
#include "schema/schemas/schemas_probe.h"

namespace ebb::schema {

using enum Type;

constexpr Field kExecActionFields[] = {
    list(1, "command", kString).required(),
};
constexpr ObjectSchema kExecAction{"io.k8s.api.core.v1.ExecAction", kExecActionFields};

constexpr Field kHTTPHeaderFields[] = {
    field(1, "name", kString).required(),
    field(2, "value", kString).always(),
};
constexpr ObjectSchema kHTTPHeader{"io.k8s.api.core.v1.HTTPHeader", kHTTPHeaderFields};

constexpr Field kHTTPGetActionFields[] = {
    field(1, "path", kString).by_default(R"("/")"),
    field(2, "port", kIntOrString).formatted(Format::kPort),
    field(3, "host", kString),
    field(4, "scheme", kString).by_default(R"("HTTP")").one_of("HTTP HTTPS"),
    list(5, "httpHeaders", kHTTPHeader),
};
constexpr ObjectSchema kHTTPGetAction{"io.k8s.api.core.v1.HTTPGetAction", kHTTPGetActionFields};

constexpr Field kTCPSocketActionFields[] = {
    field(1, "port", kIntOrString).formatted(Format::kPort),
    field(2, "host", kString),
};
constexpr ObjectSchema kTCPSocketAction{"io.k8s.api.core.v1.TCPSocketAction",
                                        kTCPSocketActionFields};

constexpr Field kGRPCActionFields[] = {
    field(1, "port", kInt32).always().formatted(Format::kPort),
    field(2, "service", kString).optional_zero().by_default(R"("")"),
};
constexpr ObjectSchema kGRPCAction{"io.k8s.api.core.v1.GRPCAction", kGRPCActionFields};

constexpr Field kProbeHandlerFields[] = {
    field(1, "exec", kExecAction).optional_zero(),
    field(2, "httpGet", kHTTPGetAction).optional_zero(),
    field(3, "tcpSocket", kTCPSocketAction).optional_zero(),
    field(4, "grpc", kGRPCAction).optional_zero(),
};
constexpr ObjectSchema kProbeHandler{"io.k8s.api.core.v1.ProbeHandler", kProbeHandlerFields};

constexpr Field kProbeFields[] = {
    field(1, "handler", kProbeHandler).inlined(),
    field(2, "initialDelaySeconds", kInt32).at_least(0),
    field(3, "timeoutSeconds", kInt32).by_default("1").at_least(0),
    field(4, "periodSeconds", kInt32).by_default("10").at_least(0),
    field(5, "successThreshold", kInt32).by_default("1").at_least(0),
    field(6, "failureThreshold", kInt32).by_default("3").at_least(0),
    field(7, "terminationGracePeriodSeconds", kInt64).optional_zero(),
};
constexpr ObjectSchema kProbe{"io.k8s.api.core.v1.Probe", kProbeFields};

constexpr Field kSleepActionFields[] = {
    field(1, "seconds", kInt64).always(),
};
constexpr ObjectSchema kSleepAction{"io.k8s.api.core.v1.SleepAction", kSleepActionFields};

constexpr Field kLifecycleHandlerFields[] = {
    field(1, "exec", kExecAction).optional_zero(),
    field(2, "httpGet", kHTTPGetAction).optional_zero(),
    field(3, "tcpSocket", kTCPSocketAction).optional_zero(),
    field(4, "sleep", kSleepAction).optional_zero(),
};
constexpr ObjectSchema kLifecycleHandler{"io.k8s.api.core.v1.LifecycleHandler",
                                         kLifecycleHandlerFields};

constexpr Field kLifecycleFields[] = {
    field(1, "postStart", kLifecycleHandler).optional_zero(),
    field(2, "preStop", kLifecycleHandler).optional_zero(),
    field(3, "stopSignal", kString).optional_zero(),
};
constexpr ObjectSchema kLifecycle{"io.k8s.api.core.v1.Lifecycle", kLifecycleFields};

}  // namespace ebb::schema
