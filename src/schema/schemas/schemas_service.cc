// Services. They are only stored: no addresses are allocated.
#include "schema/schemas/schemas_service.h"

#include "schema/schemas/defaults.h"
#include "schema/schemas/schemas_meta.h"

namespace ebb::schema {

using enum Type;

constexpr Field kServicePortFields[] = {
    field(1, "name", kString),
    field(2, "protocol", kString).by_default(R"("TCP")").one_of("SCTP TCP UDP"),
    field(6, "appProtocol", kString).optional_zero(),
    field(3, "port", kInt32).always().formatted(Format::kPort),
    field(4, "targetPort", kIntOrString).formatted(Format::kPort),
    field(5, "nodePort", kInt32),
};
constexpr ObjectSchema kServicePort{"io.k8s.api.core.v1.ServicePort", kServicePortFields,
                                    complete_service_port};

constexpr Field kClientIPConfigFields[] = {
    field(1, "timeoutSeconds", kInt32)
        .optional_zero()
        .by_default("10800")
        .at_least(1)
        .at_most(86400),
};
constexpr ObjectSchema kClientIPConfig{"io.k8s.api.core.v1.ClientIPConfig", kClientIPConfigFields};

constexpr Field kSessionAffinityConfigFields[] = {
    field(1, "clientIP", kClientIPConfig).optional_zero(),
};
constexpr ObjectSchema kSessionAffinityConfig{"io.k8s.api.core.v1.SessionAffinityConfig",
                                              kSessionAffinityConfigFields};

constexpr Field kServiceSpecFields[] = {
    list(1, "ports", kServicePort).merged_by("port").applied_by("port protocol"),
    map(2, "selector", kString).applied_whole(),
    field(3, "clusterIP", kString),
    list(18, "clusterIPs", kString),
    field(4, "type", kString)
        .by_default(R"("ClusterIP")")
        .one_of("ClusterIP ExternalName LoadBalancer NodePort"),
    list(5, "externalIPs", kString),
    field(7, "sessionAffinity", kString).by_default(R"("None")").one_of("ClientIP None"),
    field(8, "loadBalancerIP", kString),
    list(9, "loadBalancerSourceRanges", kString),
    field(10, "externalName", kString),
    field(11, "externalTrafficPolicy", kString)
        .by_default(default_external_traffic)
        .one_of("Cluster Local"),
    field(12, "healthCheckNodePort", kInt32),
    field(13, "publishNotReadyAddresses", kBool),
    field(14, "sessionAffinityConfig", kSessionAffinityConfig)
        .optional_zero()
        .by_default(default_session_affinity),
    list(19, "ipFamilies", kString).one_of("IPv4 IPv6"),
    field(17, "ipFamilyPolicy", kString)
        .optional_zero()
        .one_of("PreferDualStack RequireDualStack SingleStack"),
    field(20, "allocateLoadBalancerNodePorts", kBool)
        .optional_zero()
        .by_default(default_node_ports),
    field(21, "loadBalancerClass", kString).optional_zero(),
    field(22, "internalTrafficPolicy", kString)
        .optional_zero()
        .by_default(default_internal_traffic)
        .one_of("Cluster Local"),
    field(23, "trafficDistribution", kString).optional_zero(),
};
constexpr ObjectSchema kServiceSpec{"io.k8s.api.core.v1.ServiceSpec", kServiceSpecFields};

constexpr Field kPortStatusFields[] = {
    field(1, "port", kInt32).always(),
    field(2, "protocol", kString).always(),
    field(3, "error", kString).optional_zero(),
};
constexpr ObjectSchema kPortStatus{"io.k8s.api.core.v1.PortStatus", kPortStatusFields};

constexpr Field kLoadBalancerIngressFields[] = {
    field(1, "ip", kString),
    field(2, "hostname", kString),
    field(3, "ipMode", kString).optional_zero(),
    list(4, "ports", kPortStatus),
};
constexpr ObjectSchema kLoadBalancerIngress{"io.k8s.api.core.v1.LoadBalancerIngress",
                                            kLoadBalancerIngressFields};

constexpr Field kLoadBalancerStatusFields[] = {
    list(1, "ingress", kLoadBalancerIngress),
};
constexpr ObjectSchema kLoadBalancerStatus{"io.k8s.api.core.v1.LoadBalancerStatus",
                                           kLoadBalancerStatusFields};

constexpr Field kServiceStatusFields[] = {
    field(1, "loadBalancer", kLoadBalancerStatus).always(),
    list(2, "conditions", kCondition).merged_by("type"),
};
constexpr ObjectSchema kServiceStatus{"io.k8s.api.core.v1.ServiceStatus", kServiceStatusFields};

constexpr Field kServiceFields[] = {
    kKindField,
    kApiVersionField,
    field(1, "metadata", kObjectMeta).always(),
    field(2, "spec", kServiceSpec).always(),
    field(3, "status", kServiceStatus).always(),
};
constexpr ObjectSchema kService{"io.k8s.api.core.v1.Service", kServiceFields};

}  // namespace ebb::schema
