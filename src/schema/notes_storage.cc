// What the fields of volumes that some storage system provides are for.
#include "schema/notes_text.h"

namespace ebb::schema {

constexpr std::string_view kStorageNotes = R"(
package io.k8s.api.core.v1

GCEPersistentDiskVolumeSource: A disk of Google Compute Engine.
  pdName: The name of the disk.
  fsType: The file system on it. ext4, unless it is given.
  partition: The number of the partition. 0: the whole disk.
  readOnly: Whether it can only be read.

AWSElasticBlockStoreVolumeSource: A disk of AWS.
  volumeID: The id of the disk.
  fsType: The file system on it. ext4, unless it is given.
  partition: The number of the partition. 0: the whole disk.
  readOnly: Whether it can only be read.

GitRepoVolumeSource: A copy of a git repository. No longer supported.
  repository: Where the repository is.
  revision: The commit.
  directory: The folder that it is copied to.

NFSVolumeSource: A folder of an NFS server.
  server: The server.
  path: The folder there.
  readOnly: Whether it can only be read.

ISCSIVolumeSource: A disk of an iSCSI target.
  targetPortal: The address of the target, with its port if that is not the usual one.
  iqn: The name of the target.
  lun: The number of the disk there.
  iscsiInterface: The interface that is used.
  fsType: The file system on it. ext4, unless it is given.
  readOnly: Whether it can only be read.
  portals: Other addresses of the target.
  chapAuthDiscovery: Whether CHAP is used when targets are looked for.
  chapAuthSession: Whether CHAP is used for the session.
  secretRef: The Secret for CHAP.
  initiatorName: What the node calls itself.

GlusterfsVolumeSource: A volume of GlusterFS.
  endpoints: The Endpoints that say where it is.
  path: The name of the volume.
  readOnly: Whether it can only be read.

RBDVolumeSource: A block device of Ceph.
  monitors: The monitors of Ceph.
  image: The name of the image.
  fsType: The file system on it. ext4, unless it is given.
  pool: The pool it is in.
  user: The user that it is mounted as.
  keyring: The file on the node that has the user's key.
  secretRef: A Secret that has the user's key, in place of the file.
  readOnly: Whether it can only be read.

FlexVolumeSource: A volume of a FlexVolume driver.
  driver: The name of the driver.
  fsType: The file system on it. What the driver takes, unless it is given.
  secretRef: A Secret that the driver is given.
  readOnly: Whether it can only be read.
  options: What else the driver is told.

CinderVolumeSource: A volume of OpenStack.
  volumeID: The id of the volume.
  fsType: The file system on it. ext4, unless it is given.
  readOnly: Whether it can only be read.
  secretRef: The Secret to log in with.

CephFSVolumeSource: A file system of Ceph.
  monitors: The monitors of Ceph.
  path: The folder in it that is mounted.
  user: The user that it is mounted as.
  secretFile: The file on the node that has the user's key.
  secretRef: A Secret that has the user's key, in place of the file.
  readOnly: Whether it can only be read.

FlockerVolumeSource: A volume of Flocker. One of both has to be given.
  datasetName: The name of the dataset.
  datasetUUID: The id of the dataset.

FCVolumeSource: A disk of a Fibre Channel network, named by target and lun or by wwids.
  targetWWNs: The names of targets.
  lun: The number of the disk there.
  fsType: The file system on it. ext4, unless it is given.
  readOnly: Whether it can only be read.
  wwids: The names of the disk itself.

AzureFileVolumeSource: A share of Azure.
  secretName: The Secret that has the name of the account and its key.
  shareName: The name of the share.
  readOnly: Whether it can only be read.

VsphereVirtualDiskVolumeSource: A disk of vSphere.
  volumePath: The path of the disk.
  fsType: The file system on it. ext4, unless it is given.
  storagePolicyName: The name of its storage policy.
  storagePolicyID: The id of its storage policy.

QuobyteVolumeSource: A volume of Quobyte.
  registry: The addresses of the registries.
  volume: The name of the volume.
  readOnly: Whether it can only be read.
  user: The user that it is mounted as.
  group: The group that it is mounted as.
  tenant: The tenant that the volume belongs to.

AzureDiskVolumeSource: A disk of Azure.
  diskName: The name of the disk.
  diskURI: Where the disk is.
  cachingMode: What is cached.
  fsType: The file system on it.
  readOnly: Whether it can only be read.
  kind: Whether it is a managed disk, or one of a storage account of its own or shared.

PhotonPersistentDiskVolumeSource: A disk of Photon Controller.
  pdID: The id of the disk.
  fsType: The file system on it. ext4, unless it is given.

PortworxVolumeSource: A volume of Portworx.
  volumeID: The id of the volume.
  fsType: The file system on it. ext4, unless it is given.
  readOnly: Whether it can only be read.

ScaleIOVolumeSource: A volume of ScaleIO.
  gateway: Where its gateway is.
  system: The name of the system.
  secretRef: The Secret to log in with.
  sslEnabled: Whether the connection is encrypted.
  protectionDomain: The protection domain.
  storagePool: The pool it is in.
  storageMode: Whether space is taken as it is needed, or all at once.
  volumeName: The name of the volume.
  fsType: The file system on it.
  readOnly: Whether it can only be read.

StorageOSVolumeSource: A volume of StorageOS.
  volumeName: The name of the volume.
  volumeNamespace: The namespace of the volume. That of the pod, unless it is given.
  fsType: The file system on it. ext4, unless it is given.
  readOnly: Whether it can only be read.
  secretRef: The Secret to log in with.

CSIVolumeSource: A volume of a CSI driver.
  driver: The name of the driver.
  readOnly: Whether it can only be read.
  fsType: The file system on it. What the driver takes, unless it is given.
  volumeAttributes: What else the driver is told.
  nodePublishSecretRef: A Secret that the driver is given.
)";

}  // namespace ebb::schema
