// Volumes that some storage system provides.
#include "schema/schemas/schemas_storage.h"

#include "schema/schemas/schemas_references.h"

namespace ebb::schema {

using enum Type;

constexpr Field kGCEPersistentDiskVolumeSourceFields[] = {
    field(1, "pdName", kString).required(),
    field(2, "fsType", kString),
    field(3, "partition", kInt32).at_least(0).at_most(255),
    field(4, "readOnly", kBool),
};
constexpr ObjectSchema kGCEPersistentDiskVolumeSource{
    "io.k8s.api.core.v1.GCEPersistentDiskVolumeSource", kGCEPersistentDiskVolumeSourceFields};

constexpr Field kAWSElasticBlockStoreVolumeSourceFields[] = {
    field(1, "volumeID", kString).required(),
    field(2, "fsType", kString),
    field(3, "partition", kInt32).at_least(0).at_most(255),
    field(4, "readOnly", kBool),
};
constexpr ObjectSchema kAWSElasticBlockStoreVolumeSource{
    "io.k8s.api.core.v1.AWSElasticBlockStoreVolumeSource", kAWSElasticBlockStoreVolumeSourceFields};

constexpr Field kGitRepoVolumeSourceFields[] = {
    field(1, "repository", kString).required(),
    field(2, "revision", kString),
    field(3, "directory", kString),
};
constexpr ObjectSchema kGitRepoVolumeSource{"io.k8s.api.core.v1.GitRepoVolumeSource",
                                            kGitRepoVolumeSourceFields};

constexpr Field kNFSVolumeSourceFields[] = {
    field(1, "server", kString).required(),
    field(2, "path", kString).required(),
    field(3, "readOnly", kBool),
};
constexpr ObjectSchema kNFSVolumeSource{"io.k8s.api.core.v1.NFSVolumeSource",
                                        kNFSVolumeSourceFields};

constexpr Field kISCSIVolumeSourceFields[] = {
    field(1, "targetPortal", kString).required(),
    field(2, "iqn", kString).required(),
    field(3, "lun", kInt32).always().at_least(0).at_most(255),
    field(4, "iscsiInterface", kString).by_default(R"("default")"),
    field(5, "fsType", kString),
    field(6, "readOnly", kBool),
    list(7, "portals", kString),
    field(8, "chapAuthDiscovery", kBool),
    field(11, "chapAuthSession", kBool),
    field(10, "secretRef", kLocalObjectReference).optional_zero(),
    field(12, "initiatorName", kString).optional_zero(),
};
constexpr ObjectSchema kISCSIVolumeSource{"io.k8s.api.core.v1.ISCSIVolumeSource",
                                          kISCSIVolumeSourceFields};

constexpr Field kGlusterfsVolumeSourceFields[] = {
    field(1, "endpoints", kString).required(),
    field(2, "path", kString).required(),
    field(3, "readOnly", kBool),
};
constexpr ObjectSchema kGlusterfsVolumeSource{"io.k8s.api.core.v1.GlusterfsVolumeSource",
                                              kGlusterfsVolumeSourceFields};

constexpr Field kRBDVolumeSourceFields[] = {
    list(1, "monitors", kString).required(),
    field(2, "image", kString).required(),
    field(3, "fsType", kString),
    field(4, "pool", kString).by_default(R"("rbd")"),
    field(5, "user", kString).by_default(R"("admin")"),
    field(6, "keyring", kString).by_default(R"("/etc/ceph/keyring")"),
    field(7, "secretRef", kLocalObjectReference).optional_zero(),
    field(8, "readOnly", kBool),
};
constexpr ObjectSchema kRBDVolumeSource{"io.k8s.api.core.v1.RBDVolumeSource",
                                        kRBDVolumeSourceFields};

constexpr Field kFlexVolumeSourceFields[] = {
    field(1, "driver", kString).required(),
    field(2, "fsType", kString),
    field(3, "secretRef", kLocalObjectReference).optional_zero(),
    field(4, "readOnly", kBool),
    map(5, "options", kString),
};
constexpr ObjectSchema kFlexVolumeSource{"io.k8s.api.core.v1.FlexVolumeSource",
                                         kFlexVolumeSourceFields};

constexpr Field kCinderVolumeSourceFields[] = {
    field(1, "volumeID", kString).required(),
    field(2, "fsType", kString),
    field(3, "readOnly", kBool),
    field(4, "secretRef", kLocalObjectReference).optional_zero(),
};
constexpr ObjectSchema kCinderVolumeSource{"io.k8s.api.core.v1.CinderVolumeSource",
                                           kCinderVolumeSourceFields};

constexpr Field kCephFSVolumeSourceFields[] = {
    list(1, "monitors", kString).required(),
    field(2, "path", kString),
    field(3, "user", kString),
    field(4, "secretFile", kString),
    field(5, "secretRef", kLocalObjectReference).optional_zero(),
    field(6, "readOnly", kBool),
};
constexpr ObjectSchema kCephFSVolumeSource{"io.k8s.api.core.v1.CephFSVolumeSource",
                                           kCephFSVolumeSourceFields};

constexpr Field kFlockerVolumeSourceFields[] = {
    field(1, "datasetName", kString),
    field(2, "datasetUUID", kString),
};
constexpr ObjectSchema kFlockerVolumeSource{"io.k8s.api.core.v1.FlockerVolumeSource",
                                            kFlockerVolumeSourceFields};

// clang-format off
constexpr Field kFCVolumeSourceFields[] = {
    list(1, "targetWWNs", kString),
    field(2, "lun", kInt32).optional_zero(),
    field(3, "fsType", kString),
    field(4, "readOnly", kBool),
    list(5, "wwids", kString),
};
// clang-format on
constexpr ObjectSchema kFCVolumeSource{"io.k8s.api.core.v1.FCVolumeSource", kFCVolumeSourceFields};

constexpr Field kAzureFileVolumeSourceFields[] = {
    field(1, "secretName", kString).required(),
    field(2, "shareName", kString).required(),
    field(3, "readOnly", kBool),
};
constexpr ObjectSchema kAzureFileVolumeSource{"io.k8s.api.core.v1.AzureFileVolumeSource",
                                              kAzureFileVolumeSourceFields};

constexpr Field kVsphereVirtualDiskVolumeSourceFields[] = {
    field(1, "volumePath", kString).required(),
    field(2, "fsType", kString),
    field(3, "storagePolicyName", kString),
    field(4, "storagePolicyID", kString),
};
constexpr ObjectSchema kVsphereVirtualDiskVolumeSource{
    "io.k8s.api.core.v1.VsphereVirtualDiskVolumeSource", kVsphereVirtualDiskVolumeSourceFields};

constexpr Field kQuobyteVolumeSourceFields[] = {
    field(1, "registry", kString).required(),
    field(2, "volume", kString).required(),
    field(3, "readOnly", kBool),
    field(4, "user", kString),
    field(5, "group", kString),
    field(6, "tenant", kString),
};
constexpr ObjectSchema kQuobyteVolumeSource{"io.k8s.api.core.v1.QuobyteVolumeSource",
                                            kQuobyteVolumeSourceFields};

constexpr Field kAzureDiskVolumeSourceFields[] = {
    field(1, "diskName", kString).required(),
    field(2, "diskURI", kString).required(),
    field(3, "cachingMode", kString)
        .optional_zero()
        .by_default(R"("ReadWrite")")
        .one_of("None ReadOnly ReadWrite"),
    field(4, "fsType", kString).optional_zero().by_default(R"("ext4")"),
    field(5, "readOnly", kBool).optional_zero().by_default("false"),
    field(6, "kind", kString)
        .optional_zero()
        .by_default(R"("Shared")")
        .one_of("Dedicated Managed Shared"),
};
constexpr ObjectSchema kAzureDiskVolumeSource{"io.k8s.api.core.v1.AzureDiskVolumeSource",
                                              kAzureDiskVolumeSourceFields};

constexpr Field kPhotonPersistentDiskVolumeSourceFields[] = {
    field(1, "pdID", kString).required(),
    field(2, "fsType", kString),
};
constexpr ObjectSchema kPhotonPersistentDiskVolumeSource{
    "io.k8s.api.core.v1.PhotonPersistentDiskVolumeSource", kPhotonPersistentDiskVolumeSourceFields};

constexpr Field kPortworxVolumeSourceFields[] = {
    field(1, "volumeID", kString).required(),
    field(2, "fsType", kString),
    field(3, "readOnly", kBool),
};
constexpr ObjectSchema kPortworxVolumeSource{"io.k8s.api.core.v1.PortworxVolumeSource",
                                             kPortworxVolumeSourceFields};

constexpr Field kScaleIOVolumeSourceFields[] = {
    field(1, "gateway", kString).required(),
    field(2, "system", kString).required(),
    field(3, "secretRef", kLocalObjectReference).optional_zero(),
    field(4, "sslEnabled", kBool),
    field(5, "protectionDomain", kString),
    field(6, "storagePool", kString),
    field(7, "storageMode", kString).by_default(R"("ThinProvisioned")"),
    field(8, "volumeName", kString).required(),
    field(9, "fsType", kString).by_default(R"("xfs")"),
    field(10, "readOnly", kBool),
};
constexpr ObjectSchema kScaleIOVolumeSource{"io.k8s.api.core.v1.ScaleIOVolumeSource",
                                            kScaleIOVolumeSourceFields};

constexpr Field kStorageOSVolumeSourceFields[] = {
    field(1, "volumeName", kString).required(),
    field(2, "volumeNamespace", kString),
    field(3, "fsType", kString),
    field(4, "readOnly", kBool),
    field(5, "secretRef", kLocalObjectReference).optional_zero(),
};
constexpr ObjectSchema kStorageOSVolumeSource{"io.k8s.api.core.v1.StorageOSVolumeSource",
                                              kStorageOSVolumeSourceFields};

constexpr Field kCSIVolumeSourceFields[] = {
    field(1, "driver", kString).required(),
    field(2, "readOnly", kBool).optional_zero(),
    field(3, "fsType", kString).optional_zero(),
    map(4, "volumeAttributes", kString),
    field(5, "nodePublishSecretRef", kLocalObjectReference).optional_zero(),
};
constexpr ObjectSchema kCSIVolumeSource{"io.k8s.api.core.v1.CSIVolumeSource",
                                        kCSIVolumeSourceFields};

}  // namespace ebb::schema
