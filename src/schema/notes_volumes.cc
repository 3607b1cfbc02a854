// What the fields of volumes are for.
#include "schema/notes_text.h"

namespace ebb::schema {

constexpr std::string_view kVolumeNotes = R"(
package io.k8s.api.core.v1

Volume: Files that containers of a pod can share.
  name: Its name, which no other volume of the pod has.

VolumeSource: Where a volume comes from: one of these.
  hostPath: A file or folder of the node.
  emptyDir: An empty folder that lives as long as the pod.
  gcePersistentDisk: A disk of Google Compute Engine.
  awsElasticBlockStore: A disk of AWS.
  gitRepo: A copy of a git repository. No longer supported.
  secret: The values of a Secret, as files.
  nfs: A folder of an NFS server.
  iscsi: A disk of an iSCSI target.
  glusterfs: A volume of GlusterFS.
  persistentVolumeClaim: What a PersistentVolumeClaim stands for.
  rbd: A block device of Ceph.
  flexVolume: A volume of a FlexVolume driver.
  cinder: A volume of OpenStack.
  cephfs: A file system of Ceph.
  flocker: A volume of Flocker.
  downwardAPI: Fields of the pod, as files.
  fc: A disk of a Fibre Channel network.
  azureFile: A share of Azure.
  configMap: The values of a ConfigMap, as files.
  vsphereVolume: A disk of vSphere.
  quobyte: A volume of Quobyte.
  azureDisk: A disk of Azure.
  photonPersistentDisk: A disk of Photon Controller.
  projected: Several of these sources in one folder.
  portworxVolume: A volume of Portworx.
  scaleIO: A volume of ScaleIO.
  storageos: A volume of StorageOS.
  csi: A volume of a CSI driver that lives as long as the pod.
  ephemeral: A claim that is made for the pod and goes with it.
  image: The files of an image.

HostPathVolumeSource: A file or folder of the node.
  path: Its path there.
  type: What has to be there, or is made: Directory, FileOrCreate and so on. Empty: it is not checked.

EmptyDirVolumeSource: An empty folder.
  medium: Memory: it is held in memory. Empty: on the node's disk.
  sizeLimit: How large it may become.

SecretVolumeSource: The values of a Secret, as files.
  secretName: The name of the Secret.
  items: Which values, and the names of their files. All of them by their keys, unless it is given.
  defaultMode: The permissions of files, 0 to 0777. JSON knows no octal numbers: 0644 is 420.
  optional: Whether the Secret or a key of it may be missing.

PersistentVolumeClaimVolumeSource: What a PersistentVolumeClaim stands for.
  claimName: The name of the claim.
  readOnly: Whether it can only be read.

DownwardAPIVolumeFile: A field of the pod, as a file.
  path: The path of the file within the volume.
  fieldRef: A field of the pod.
  resourceFieldRef: What a container needs or may use at most.
  mode: The permissions of the file, 0 to 0777. JSON knows no octal numbers: 0644 is 420.

DownwardAPIVolumeSource: Fields of the pod, as files.
  items: The files.
  defaultMode: The permissions of files, 0 to 0777. JSON knows no octal numbers: 0644 is 420.

ConfigMapVolumeSource: The values of a ConfigMap, as files.
  items: Which values, and the names of their files. All of them by their keys, unless it is given.
  defaultMode: The permissions of files, 0 to 0777. JSON knows no octal numbers: 0644 is 420.
  optional: Whether the ConfigMap or a key of it may be missing.

ProjectedVolumeSource: Several sources in one folder.
  sources: The sources.
  defaultMode: The permissions of files, 0 to 0777. JSON knows no octal numbers: 0644 is 420.

VolumeProjection: A source of files. Exactly one has to be given.
  secret: The values of a Secret.
  downwardAPI: Fields of the pod.
  configMap: The values of a ConfigMap.
  serviceAccountToken: A token of the pod's ServiceAccount.
  clusterTrustBundle: Certificates that the cluster trusts.
  podCertificate: A key and a certificate that are made for the pod.

SecretProjection: The values of a Secret.
  items: Which values, and the names of their files. All of them by their keys, unless it is given.
  optional: Whether the Secret or a key of it may be missing.

DownwardAPIProjection: Fields of the pod.
  items: The files.

ConfigMapProjection: The values of a ConfigMap.
  items: Which values, and the names of their files. All of them by their keys, unless it is given.
  optional: Whether the ConfigMap or a key of it may be missing.

ServiceAccountTokenProjection: A token of the pod's ServiceAccount.
  audience: Whom it is for. The API server, unless it is given.
  expirationSeconds: How long it is valid. A new one is written in time.
  path: The path of its file within the volume.

ClusterTrustBundleProjection: Certificates that the cluster trusts.
  name: The name of a ClusterTrustBundle.
  signerName: All ClusterTrustBundles of this signer, in place of one by name.
  labelSelector: Which of the signer's, by their labels.
  optional: Whether they may be missing.
  path: The path of their file within the volume.

PodCertificateProjection: A key and a certificate that are made for the pod.
  signerName: Who signs the certificate.
  keyType: The kind of the key.
  maxExpirationSeconds: How long the certificate may be valid at most.
  credentialBundlePath: The path of a file that has key and certificates together.
  keyPath: The path of a file that has the key.
  certificateChainPath: The path of a file that has the certificates.
  userAnnotations: What else the signer is told.

EphemeralVolumeSource: A claim that is made for the pod and goes with it.
  volumeClaimTemplate: What the claim looks like.

PersistentVolumeClaimTemplate: What a claim looks like.
  metadata: The labels and annotations of the claim.
  spec: What is claimed.

PersistentVolumeClaimSpec: What is claimed of storage.
  accessModes: How it can be mounted: by how many nodes or pods, and whether for writing.
  selector: Which volumes come into question, by their labels.
  resources: How large it has to be.
  volumeName: The PersistentVolume that the claim is bound to.
  storageClassName: The StorageClass that it is taken from.
  volumeMode: Whether it is a file system or a block device.
  dataSource: What it is filled from at first.
  dataSourceRef: What it is filled from at first, of any kind.
  volumeAttributesClassName: The VolumeAttributesClass that it has.

VolumeResourceRequirements: How large storage has to be.
  limits: At most.
  requests: At least.

ImageVolumeSource: The files of an image.
  reference: The image.
  pullPolicy: When the image is fetched: each time, only if it is missing, or never.
)";

}  // namespace ebb::schema
