// Volumes of pods. A volume is a name and one of many sources.
#include "schema/schemas/schemas_volumes.h"

#include "schema/schemas/defaults.h"
#include "schema/schemas/schemas_meta.h"
#include "schema/schemas/schemas_references.h"
#include "schema/schemas/schemas_storage.h"

namespace ebb::schema {

using enum Type;

constexpr Field kHostPathVolumeSourceFields[] = {
    field(1, "path", kString).required(),
    field(2, "type", kString).optional_zero().by_default(R"("")"),
};
constexpr ObjectSchema kHostPathVolumeSource{"io.k8s.api.core.v1.HostPathVolumeSource",
                                             kHostPathVolumeSourceFields};

constexpr Field kEmptyDirVolumeSourceFields[] = {
    field(1, "medium", kString),
    field(2, "sizeLimit", kQuantity).optional_zero(),
};
constexpr ObjectSchema kEmptyDirVolumeSource{"io.k8s.api.core.v1.EmptyDirVolumeSource",
                                             kEmptyDirVolumeSourceFields};

constexpr Field kSecretVolumeSourceFields[] = {
    field(1, "secretName", kString).required(),
    list(2, "items", kKeyToPath),
    file_mode(3, "defaultMode").by_default("420"),
    field(4, "optional", kBool).optional_zero(),
};
constexpr ObjectSchema kSecretVolumeSource{"io.k8s.api.core.v1.SecretVolumeSource",
                                           kSecretVolumeSourceFields};

constexpr Field kPersistentVolumeClaimVolumeSourceFields[] = {
    field(1, "claimName", kString).required(),
    field(2, "readOnly", kBool),
};
constexpr ObjectSchema kPersistentVolumeClaimVolumeSource{
    "io.k8s.api.core.v1.PersistentVolumeClaimVolumeSource",
    kPersistentVolumeClaimVolumeSourceFields};

constexpr Field kDownwardAPIVolumeFileFields[] = {
    field(1, "path", kString).required(),
    field(2, "fieldRef", kObjectFieldSelector).optional_zero(),
    field(3, "resourceFieldRef", kResourceFieldSelector).optional_zero(),
    file_mode(4, "mode"),
};
constexpr ObjectSchema kDownwardAPIVolumeFile{"io.k8s.api.core.v1.DownwardAPIVolumeFile",
                                              kDownwardAPIVolumeFileFields};

constexpr Field kDownwardAPIVolumeSourceFields[] = {
    list(1, "items", kDownwardAPIVolumeFile),
    file_mode(2, "defaultMode").by_default("420"),
};
constexpr ObjectSchema kDownwardAPIVolumeSource{"io.k8s.api.core.v1.DownwardAPIVolumeSource",
                                                kDownwardAPIVolumeSourceFields};

constexpr Field kConfigMapVolumeSourceFields[] = {
    field(1, "localObjectReference", kLocalObjectReference).inlined(),
    list(2, "items", kKeyToPath),
    file_mode(3, "defaultMode").by_default("420"),
    field(4, "optional", kBool).optional_zero(),
};
constexpr ObjectSchema kConfigMapVolumeSource{"io.k8s.api.core.v1.ConfigMapVolumeSource",
                                              kConfigMapVolumeSourceFields};

constexpr Field kSecretProjectionFields[] = {
    field(1, "localObjectReference", kLocalObjectReference).inlined(),
    list(2, "items", kKeyToPath),
    field(4, "optional", kBool).optional_zero(),
};
constexpr ObjectSchema kSecretProjection{"io.k8s.api.core.v1.SecretProjection",
                                         kSecretProjectionFields};

constexpr Field kDownwardAPIProjectionFields[] = {
    list(1, "items", kDownwardAPIVolumeFile),
};
constexpr ObjectSchema kDownwardAPIProjection{"io.k8s.api.core.v1.DownwardAPIProjection",
                                              kDownwardAPIProjectionFields};

constexpr Field kConfigMapProjectionFields[] = {
    field(1, "localObjectReference", kLocalObjectReference).inlined(),
    list(2, "items", kKeyToPath),
    field(4, "optional", kBool).optional_zero(),
};
constexpr ObjectSchema kConfigMapProjection{"io.k8s.api.core.v1.ConfigMapProjection",
                                            kConfigMapProjectionFields};

constexpr Field kServiceAccountTokenProjectionFields[] = {
    field(1, "audience", kString),
    field(2, "expirationSeconds", kInt64)
        .optional_zero()
        .by_default("3600")
        .at_least(600)
        .at_most(std::int64_t{1} << 32),
    field(3, "path", kString).required(),
};
constexpr ObjectSchema kServiceAccountTokenProjection{
    "io.k8s.api.core.v1.ServiceAccountTokenProjection", kServiceAccountTokenProjectionFields};

constexpr Field kClusterTrustBundleProjectionFields[] = {
    field(1, "name", kString).optional_zero(),
    field(2, "signerName", kString).optional_zero(),
    field(3, "labelSelector", kLabelSelector).optional_zero(),
    field(5, "optional", kBool).optional_zero(),
    field(4, "path", kString).required(),
};
constexpr ObjectSchema kClusterTrustBundleProjection{
    "io.k8s.api.core.v1.ClusterTrustBundleProjection", kClusterTrustBundleProjectionFields};

constexpr Field kPodCertificateProjectionFields[] = {
    field(1, "signerName", kString).required(),
    field(2, "keyType", kString).one_of("RSA3072 RSA4096 ECDSAP256 ECDSAP384 ECDSAP521 ED25519"),
    field(3, "maxExpirationSeconds", kInt32).optional_zero(),
    field(4, "credentialBundlePath", kString),
    field(5, "keyPath", kString),
    field(6, "certificateChainPath", kString),
    map(7, "userAnnotations", kString),
};
constexpr ObjectSchema kPodCertificateProjection{"io.k8s.api.core.v1.PodCertificateProjection",
                                                 kPodCertificateProjectionFields};

constexpr Field kVolumeProjectionFields[] = {
    field(1, "secret", kSecretProjection).optional_zero(),
    field(2, "downwardAPI", kDownwardAPIProjection).optional_zero(),
    field(3, "configMap", kConfigMapProjection).optional_zero(),
    field(4, "serviceAccountToken", kServiceAccountTokenProjection).optional_zero(),
    field(5, "clusterTrustBundle", kClusterTrustBundleProjection).optional_zero(),
    field(6, "podCertificate", kPodCertificateProjection).optional_zero(),
};
constexpr ObjectSchema kVolumeProjection{"io.k8s.api.core.v1.VolumeProjection",
                                         kVolumeProjectionFields};

constexpr Field kProjectedVolumeSourceFields[] = {
    list(1, "sources", kVolumeProjection),
    file_mode(2, "defaultMode").by_default("420"),
};
constexpr ObjectSchema kProjectedVolumeSource{"io.k8s.api.core.v1.ProjectedVolumeSource",
                                              kProjectedVolumeSourceFields};

constexpr Field kVolumeResourceRequirementsFields[] = {
    map(1, "limits", kQuantity),
    map(2, "requests", kQuantity),
};
constexpr ObjectSchema kVolumeResourceRequirements{"io.k8s.api.core.v1.VolumeResourceRequirements",
                                                   kVolumeResourceRequirementsFields};

constexpr Field kPersistentVolumeClaimSpecFields[] = {
    list(1, "accessModes", kString)
        .required()
        .one_of("ReadOnlyMany ReadWriteMany ReadWriteOnce ReadWriteOncePod"),
    field(4, "selector", kLabelSelector).optional_zero(),
    field(2, "resources", kVolumeResourceRequirements).always(),
    field(3, "volumeName", kString),
    field(5, "storageClassName", kString).optional_zero(),
    field(6, "volumeMode", kString)
        .optional_zero()
        .by_default(R"("Filesystem")")
        .one_of("Block Filesystem"),
    field(7, "dataSource", kTypedLocalObjectReference).optional_zero(),
    field(8, "dataSourceRef", kTypedObjectReference).optional_zero(),
    field(9, "volumeAttributesClassName", kString).optional_zero(),
};
constexpr ObjectSchema kPersistentVolumeClaimSpec{"io.k8s.api.core.v1.PersistentVolumeClaimSpec",
                                                  kPersistentVolumeClaimSpecFields};

constexpr Field kPersistentVolumeClaimTemplateFields[] = {
    field(1, "metadata", kObjectMeta).always(),
    field(2, "spec", kPersistentVolumeClaimSpec).always(),
};
constexpr ObjectSchema kPersistentVolumeClaimTemplate{
    "io.k8s.api.core.v1.PersistentVolumeClaimTemplate", kPersistentVolumeClaimTemplateFields};

constexpr Field kEphemeralVolumeSourceFields[] = {
    field(1, "volumeClaimTemplate", kPersistentVolumeClaimTemplate).optional_zero().required(),
};
constexpr ObjectSchema kEphemeralVolumeSource{"io.k8s.api.core.v1.EphemeralVolumeSource",
                                              kEphemeralVolumeSourceFields};

constexpr Field kImageVolumeSourceFields[] = {
    field(1, "reference", kString).required(),
    field(2, "pullPolicy", kString)
        .by_default(default_image_volume_pull_policy)
        .one_of("Always IfNotPresent Never"),
};
constexpr ObjectSchema kImageVolumeSource{"io.k8s.api.core.v1.ImageVolumeSource",
                                          kImageVolumeSourceFields};

constexpr Field kVolumeSourceFields[] = {
    field(1, "hostPath", kHostPathVolumeSource).optional_zero(),
    field(2, "emptyDir", kEmptyDirVolumeSource).optional_zero().by_default(default_volume_source),
    field(3, "gcePersistentDisk", kGCEPersistentDiskVolumeSource).optional_zero(),
    field(4, "awsElasticBlockStore", kAWSElasticBlockStoreVolumeSource).optional_zero(),
    field(5, "gitRepo", kGitRepoVolumeSource).optional_zero(),
    field(6, "secret", kSecretVolumeSource).optional_zero(),
    field(7, "nfs", kNFSVolumeSource).optional_zero(),
    field(8, "iscsi", kISCSIVolumeSource).optional_zero(),
    field(9, "glusterfs", kGlusterfsVolumeSource).optional_zero(),
    field(10, "persistentVolumeClaim", kPersistentVolumeClaimVolumeSource).optional_zero(),
    field(11, "rbd", kRBDVolumeSource).optional_zero(),
    field(12, "flexVolume", kFlexVolumeSource).optional_zero(),
    field(13, "cinder", kCinderVolumeSource).optional_zero(),
    field(14, "cephfs", kCephFSVolumeSource).optional_zero(),
    field(15, "flocker", kFlockerVolumeSource).optional_zero(),
    field(16, "downwardAPI", kDownwardAPIVolumeSource).optional_zero(),
    field(17, "fc", kFCVolumeSource).optional_zero(),
    field(18, "azureFile", kAzureFileVolumeSource).optional_zero(),
    field(19, "configMap", kConfigMapVolumeSource).optional_zero(),
    field(20, "vsphereVolume", kVsphereVirtualDiskVolumeSource).optional_zero(),
    field(21, "quobyte", kQuobyteVolumeSource).optional_zero(),
    field(22, "azureDisk", kAzureDiskVolumeSource).optional_zero(),
    field(23, "photonPersistentDisk", kPhotonPersistentDiskVolumeSource).optional_zero(),
    field(26, "projected", kProjectedVolumeSource).optional_zero(),
    field(24, "portworxVolume", kPortworxVolumeSource).optional_zero(),
    field(25, "scaleIO", kScaleIOVolumeSource).optional_zero(),
    field(27, "storageos", kStorageOSVolumeSource).optional_zero(),
    field(28, "csi", kCSIVolumeSource).optional_zero(),
    field(29, "ephemeral", kEphemeralVolumeSource).optional_zero(),
    field(30, "image", kImageVolumeSource).optional_zero(),
};
constexpr ObjectSchema kVolumeSource{"io.k8s.api.core.v1.VolumeSource", kVolumeSourceFields};

constexpr Field kVolumeFields[] = {
    field(1, "name", kString).required().formatted(Format::kDnsLabel),
    field(2, "volumeSource", kVolumeSource).inlined(),
};
constexpr ObjectSchema kVolume{"io.k8s.api.core.v1.Volume", kVolumeFields};

}  // namespace ebb::schema
