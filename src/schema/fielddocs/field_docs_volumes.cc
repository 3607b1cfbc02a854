// Field docs of volumes.
#include "schema/fielddocs/field_docs_text.h"

namespace ebb::schema {

constexpr std::string_view kVolumeFieldDocs = R"(
package io.k8s.api.core.v1

Volume: A folder that the containers of a pod can share.
  name: The name of the volume, unique in the pod.

VolumeSource: The source of a volume. Exactly one field must be set.
  hostPath: A file or folder of the node.
  emptyDir: An empty folder with the lifetime of the pod.
  gcePersistentDisk: A disk of Google Compute Engine.
  awsElasticBlockStore: A disk of AWS.
  gitRepo: A copy of a git repository. No longer supported.
  secret: The values of a Secret, as files.
  nfs: A folder of an NFS server.
  iscsi: A disk of an iSCSI target.
  glusterfs: A volume of GlusterFS.
  persistentVolumeClaim: The volume of a PersistentVolumeClaim.
  rbd: A block device of Ceph.
  flexVolume: A volume of a FlexVolume driver.
  cinder: A volume of OpenStack.
  cephfs: A file system of Ceph.
  flocker: A volume of Flocker.
  downwardAPI: Fields of the pod, as files.
  fc: A disk of a Fibre Channel network.
  azureFile: A file share of Azure.
  configMap: The values of a ConfigMap, as files.
  vsphereVolume: A disk of vSphere.
  quobyte: A volume of Quobyte.
  azureDisk: A disk of Azure.
  photonPersistentDisk: A disk of Photon Controller.
  projected: Several sources in one folder.
  portworxVolume: A volume of Portworx.
  scaleIO: A volume of ScaleIO.
  storageos: A volume of StorageOS.
  csi: A volume of a CSI driver with the lifetime of the pod.
  ephemeral: A PersistentVolumeClaim that is created and deleted with the pod.
  image: The files of an image.

HostPathVolumeSource: A file or folder of the node.
  path: The path on the node.
  type: What must exist or is created, such as Directory or FileOrCreate. Empty means no check.

EmptyDirVolumeSource: An empty folder.
  medium: Memory for a folder in memory. Empty means the node's disk.
  sizeLimit: The maximum size.

SecretVolumeSource: The values of a Secret, as files.
  secretName: The name of the Secret.
  items: The values to include, with their file names; by default all values, named by their keys.
  defaultMode: The permissions of files, 0 to 0777. JSON has no octal numbers, so write 0644 as 420.
  optional: Whether the Secret or a key in it may be missing.

PersistentVolumeClaimVolumeSource: The volume of a PersistentVolumeClaim.
  claimName: The name of the claim.
  readOnly: Whether the volume is read-only.

DownwardAPIVolumeFile: A field of the pod, as a file.
  path: The path of the file within the volume.
  fieldRef: A field of the pod.
  resourceFieldRef: A resource request or limit of a container.
  mode: The permissions of the file, 0 to 0777. JSON has no octal numbers, so write 0644 as 420.

DownwardAPIVolumeSource: Fields of the pod, as files.
  items: The files.
  defaultMode: The permissions of files, 0 to 0777. JSON has no octal numbers, so write 0644 as 420.

ConfigMapVolumeSource: The values of a ConfigMap, as files.
  items: The values to include, with their file names; by default all values, named by their keys.
  defaultMode: The permissions of files, 0 to 0777. JSON has no octal numbers, so write 0644 as 420.
  optional: Whether the ConfigMap or a key in it may be missing.

ProjectedVolumeSource: Several sources in one folder.
  sources: The sources.
  defaultMode: The permissions of files, 0 to 0777. JSON has no octal numbers, so write 0644 as 420.

VolumeProjection: A source of files. Exactly one field must be set.
  secret: The values of a Secret.
  downwardAPI: Fields of the pod.
  configMap: The values of a ConfigMap.
  serviceAccountToken: A token of the pod's ServiceAccount.
  clusterTrustBundle: Certificates that the cluster trusts.
  podCertificate: A key and a certificate that are created for the pod.

SecretProjection: The values of a Secret.
  items: The values to include, with their file names; by default all values, named by their keys.
  optional: Whether the Secret or a key in it may be missing.

DownwardAPIProjection: Fields of the pod.
  items: The files.

ConfigMapProjection: The values of a ConfigMap.
  items: The values to include, with their file names; by default all values, named by their keys.
  optional: Whether the ConfigMap or a key in it may be missing.

ServiceAccountTokenProjection: A token of the pod's ServiceAccount.
  audience: The audience of the token; by default the API server.
  expirationSeconds: How long the token is valid. It is renewed in time.
  path: The path of the token's file within the volume.

ClusterTrustBundleProjection: Certificates that the cluster trusts.
  name: The name of a ClusterTrustBundle.
  signerName: Selects all ClusterTrustBundles of this signer, instead of one by name.
  labelSelector: Selects ClusterTrustBundles of the signer by labels.
  optional: Whether the ClusterTrustBundles may be missing.
  path: The path of the file within the volume.

PodCertificateProjection: A key and a certificate that are created for the pod.
  signerName: The signer of the certificate.
  keyType: The type of the key.
  maxExpirationSeconds: The maximum lifetime of the certificate.
  credentialBundlePath: The path of a file with the key and the certificates.
  keyPath: The path of a file with the key.
  certificateChainPath: The path of a file with the certificates.
  userAnnotations: Additional data for the signer.

EphemeralVolumeSource: A PersistentVolumeClaim that is created and deleted with the pod.
  volumeClaimTemplate: The template of the claim.

PersistentVolumeClaimTemplate: The template of a PersistentVolumeClaim.
  metadata: The labels and annotations of the claim.
  spec: The desired state of the claim.

PersistentVolumeClaimSpec: The desired state of a PersistentVolumeClaim.
  accessModes: How the volume can be mounted: by one or many nodes or pods, and whether for writing.
  selector: Selects the volumes to consider by labels.
  resources: The size of the volume.
  volumeName: The PersistentVolume that the claim is bound to.
  storageClassName: The StorageClass of the volume.
  volumeMode: Filesystem or Block.
  dataSource: The object that the volume is initialized from.
  dataSourceRef: The object of any kind that the volume is initialized from.
  volumeAttributesClassName: The VolumeAttributesClass of the volume.

VolumeResourceRequirements: The size of a volume.
  limits: The maximum size.
  requests: The minimum size.

ImageVolumeSource: The files of an image.
  reference: The reference of the image.
  pullPolicy: When the image is pulled: always, only if it is missing, or never.
)";

}  // namespace ebb::schema
