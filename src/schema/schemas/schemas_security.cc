// Security contexts of containers and pods.
#include "schema/schemas/schemas_security.h"

namespace ebb::schema {

using enum Type;

constexpr Field kCapabilitiesFields[] = {
    list(1, "add", kString),
    list(2, "drop", kString),
};
constexpr ObjectSchema kCapabilities{"io.k8s.api.core.v1.Capabilities", kCapabilitiesFields};

constexpr Field kSELinuxOptionsFields[] = {
    field(1, "user", kString),
    field(2, "role", kString),
    field(3, "type", kString),
    field(4, "level", kString),
};
constexpr ObjectSchema kSELinuxOptions{"io.k8s.api.core.v1.SELinuxOptions", kSELinuxOptionsFields};

constexpr Field kWindowsSecurityContextOptionsFields[] = {
    field(1, "gmsaCredentialSpecName", kString).optional_zero(),
    field(2, "gmsaCredentialSpec", kString).optional_zero(),
    field(3, "runAsUserName", kString).optional_zero(),
    field(4, "hostProcess", kBool).optional_zero(),
};
constexpr ObjectSchema kWindowsSecurityContextOptions{
    "io.k8s.api.core.v1.WindowsSecurityContextOptions", kWindowsSecurityContextOptionsFields};

constexpr Field kSeccompProfileFields[] = {
    field(1, "type", kString).required().one_of("Localhost RuntimeDefault Unconfined"),
    field(2, "localhostProfile", kString).optional_zero(),
};
constexpr ObjectSchema kSeccompProfile{"io.k8s.api.core.v1.SeccompProfile", kSeccompProfileFields};

constexpr Field kAppArmorProfileFields[] = {
    field(1, "type", kString).required().one_of("Localhost RuntimeDefault Unconfined"),
    field(2, "localhostProfile", kString).optional_zero(),
};
constexpr ObjectSchema kAppArmorProfile{"io.k8s.api.core.v1.AppArmorProfile",
                                        kAppArmorProfileFields};

constexpr Field kSecurityContextFields[] = {
    field(1, "capabilities", kCapabilities).optional_zero(),
    field(2, "privileged", kBool).optional_zero(),
    field(3, "seLinuxOptions", kSELinuxOptions).optional_zero(),
    field(10, "windowsOptions", kWindowsSecurityContextOptions).optional_zero(),
    field(4, "runAsUser", kInt64).optional_zero().at_least(0).at_most(kHighestInt32),
    field(8, "runAsGroup", kInt64).optional_zero().at_least(0).at_most(kHighestInt32),
    field(5, "runAsNonRoot", kBool).optional_zero(),
    field(6, "readOnlyRootFilesystem", kBool).optional_zero(),
    field(7, "allowPrivilegeEscalation", kBool).optional_zero(),
    field(9, "procMount", kString).optional_zero().one_of("Default Unmasked"),
    field(11, "seccompProfile", kSeccompProfile).optional_zero(),
    field(12, "appArmorProfile", kAppArmorProfile).optional_zero(),
};
constexpr ObjectSchema kSecurityContext{"io.k8s.api.core.v1.SecurityContext",
                                        kSecurityContextFields};

constexpr Field kSysctlFields[] = {
    field(1, "name", kString).required(),
    field(2, "value", kString).always(),
};
constexpr ObjectSchema kSysctl{"io.k8s.api.core.v1.Sysctl", kSysctlFields};

constexpr Field kPodSecurityContextFields[] = {
    field(1, "seLinuxOptions", kSELinuxOptions).optional_zero(),
    field(8, "windowsOptions", kWindowsSecurityContextOptions).optional_zero(),
    field(2, "runAsUser", kInt64).optional_zero().at_least(0).at_most(kHighestInt32),
    field(6, "runAsGroup", kInt64).optional_zero().at_least(0).at_most(kHighestInt32),
    field(3, "runAsNonRoot", kBool).optional_zero(),
    list(4, "supplementalGroups", kInt64).at_least(0).at_most(kHighestInt32),
    field(12, "supplementalGroupsPolicy", kString).optional_zero().one_of("Merge Strict"),
    field(5, "fsGroup", kInt64).optional_zero().at_least(0).at_most(kHighestInt32),
    list(7, "sysctls", kSysctl),
    field(9, "fsGroupChangePolicy", kString).optional_zero().one_of("Always OnRootMismatch"),
    field(10, "seccompProfile", kSeccompProfile).optional_zero(),
    field(11, "appArmorProfile", kAppArmorProfile).optional_zero(),
    field(13, "seLinuxChangePolicy", kString).optional_zero().one_of("MountOption Recursive"),
};
constexpr ObjectSchema kPodSecurityContext{"io.k8s.api.core.v1.PodSecurityContext",
                                           kPodSecurityContextFields};

}  // namespace ebb::schema
