// Field docs of volumes of storage systems.
#include "schema/fielddocs/field_docs_text.h"

namespace ebb::schema {

constexpr std::string_view kStorageFieldDocs = R"(
package io.k8s.api.core.v1

GCEPersistentDiskVolumeSource: A disk of Google Compute Engine.
  pdName: The name of the disk.
  fsType: The type of the file system; by default ext4.
  partition: The number of the partition. 0 means the whole disk.
  readOnly: Whether the volume is read-only.

AWSElasticBlockStoreVolumeSource: A disk of AWS.
  volumeID: The id of the disk.
  fsType: The type of the file system; by default ext4.
  partition: The number of the partition. 0 means the whole disk.
  readOnly: Whether the volume is read-only.

GitRepoVolumeSource: A copy of a git repository. No longer supported.
  repository: The URL of the repository.
  revision: The hash of the commit.
  directory: The target folder.

NFSVolumeSource: A folder of an NFS server.
  server: The host of the server.
  path: The path of the folder on the server.
  readOnly: Whether the volume is read-only.

ISCSIVolumeSource: A disk of an iSCSI target.
  targetPortal: The address of the target, with the port if it is not the default.
  iqn: The name of the target.
  lun: The logical unit number.
  iscsiInterface: The name of the interface.
  fsType: The type of the file system; by default ext4.
  readOnly: Whether the volume is read-only.
  portals: Further addresses of the target.
  chapAuthDiscovery: Whether CHAP is used for discovery.
  chapAuthSession: Whether CHAP is used for the session.
  secretRef: The Secret with the CHAP credentials.
  initiatorName: The name of the initiator.

GlusterfsVolumeSource: A volume of GlusterFS.
  endpoints: The Endpoints object with the addresses of the servers.
  path: The name of the volume.
  readOnly: Whether the volume is read-only.

RBDVolumeSource: A block device of Ceph.
  monitors: The addresses of the Ceph monitors.
  image: The name of the image.
  fsType: The type of the file system; by default ext4.
  pool: The name of the pool.
  user: The name of the user.
  keyring: The path of the key file on the node.
  secretRef: A Secret with the key, instead of the file.
  readOnly: Whether the volume is read-only.

FlexVolumeSource: A volume of a FlexVolume driver.
  driver: The name of the driver.
  fsType: The type of the file system; by default the driver's choice.
  secretRef: A Secret for the driver.
  readOnly: Whether the volume is read-only.
  options: Additional options for the driver.

CinderVolumeSource: A volume of OpenStack.
  volumeID: The id of the volume.
  fsType: The type of the file system; by default ext4.
  readOnly: Whether the volume is read-only.
  secretRef: The Secret with the credentials.

CephFSVolumeSource: A file system of Ceph.
  monitors: The addresses of the Ceph monitors.
  path: The path that is mounted.
  user: The name of the user.
  secretFile: The path of the key file on the node.
  secretRef: A Secret with the key, instead of the file.
  readOnly: Whether the volume is read-only.

FlockerVolumeSource: A volume of Flocker. One of the two fields must be set.
  datasetName: The name of the dataset.
  datasetUUID: The id of the dataset.

FCVolumeSource: A disk of a Fibre Channel network, named by target and lun or by wwids.
  targetWWNs: The worldwide names of the targets.
  lun: The logical unit number.
  fsType: The type of the file system; by default ext4.
  readOnly: Whether the volume is read-only.
  wwids: The worldwide ids of the disk.

AzureFileVolumeSource: A file share of Azure.
  secretName: The Secret with the name and key of the storage account.
  shareName: The name of the share.
  readOnly: Whether the volume is read-only.

VsphereVirtualDiskVolumeSource: A disk of vSphere.
  volumePath: The path of the disk.
  fsType: The type of the file system; by default ext4.
  storagePolicyName: The name of its storage policy.
  storagePolicyID: The id of its storage policy.

QuobyteVolumeSource: A volume of Quobyte.
  registry: The addresses of the registries.
  volume: The name of the volume.
  readOnly: Whether the volume is read-only.
  user: The name of the user.
  group: The name of the group.
  tenant: The tenant that the volume belongs to.

AzureDiskVolumeSource: A disk of Azure.
  diskName: The name of the disk.
  diskURI: The URI of the disk.
  cachingMode: None, ReadOnly or ReadWrite.
  fsType: The type of the file system.
  readOnly: Whether the volume is read-only.
  kind: Managed, or a disk in a storage account: Dedicated or Shared.

PhotonPersistentDiskVolumeSource: A disk of Photon Controller.
  pdID: The id of the disk.
  fsType: The type of the file system; by default ext4.

PortworxVolumeSource: A volume of Portworx.
  volumeID: The id of the volume.
  fsType: The type of the file system; by default ext4.
  readOnly: Whether the volume is read-only.

ScaleIOVolumeSource: A volume of ScaleIO.
  gateway: The address of the gateway.
  system: The name of the system.
  secretRef: The Secret with the credentials.
  sslEnabled: Whether the connection uses TLS.
  protectionDomain: The name of the protection domain.
  storagePool: The name of the storage pool.
  storageMode: ThinProvisioned or ThickProvisioned.
  volumeName: The name of the volume.
  fsType: The type of the file system.
  readOnly: Whether the volume is read-only.

StorageOSVolumeSource: A volume of StorageOS.
  volumeName: The name of the volume.
  volumeNamespace: The namespace of the volume; by default that of the pod.
  fsType: The type of the file system; by default ext4.
  readOnly: Whether the volume is read-only.
  secretRef: The Secret with the credentials.

CSIVolumeSource: A volume of a CSI driver.
  driver: The name of the driver.
  readOnly: Whether the volume is read-only.
  fsType: The type of the file system; by default the driver's choice.
  volumeAttributes: Additional options for the driver.
  nodePublishSecretRef: A Secret for the driver.
)";

}  // namespace ebb::schema
