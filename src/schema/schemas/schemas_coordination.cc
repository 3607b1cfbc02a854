// Leases.
#include "schema/schemas/schemas_coordination.h"

#include "schema/schemas/schemas_meta.h"

namespace ebb::schema {

using enum Type;

constexpr Field kLeaseSpecFields[] = {
    field(1, "holderIdentity", kString).optional_zero(),
    field(2, "leaseDurationSeconds", kInt32).optional_zero().at_least(1),
    field(3, "acquireTime", kMicroTime),
    field(4, "renewTime", kMicroTime),
    field(5, "leaseTransitions", kInt32).optional_zero().at_least(0),
    field(6, "strategy", kString).optional_zero().one_of("OldestEmulationVersion"),
    field(7, "preferredHolder", kString).optional_zero(),
};
constexpr ObjectSchema kLeaseSpec{"io.k8s.api.coordination.v1.LeaseSpec", kLeaseSpecFields};

constexpr Field kLeaseFields[] = {
    kKindField,
    kApiVersionField,
    field(1, "metadata", kObjectMeta).always(),
    field(2, "spec", kLeaseSpec).always(),
};
constexpr ObjectSchema kLease{"io.k8s.api.coordination.v1.Lease", kLeaseFields};

}  // namespace ebb::schema
