// Schemas of volumes of storage systems.
#pragma once  // private to its room

#include "schema/core/object_schema.h"

namespace ebb::schema {

extern const ObjectSchema kGCEPersistentDiskVolumeSource;
extern const ObjectSchema kAWSElasticBlockStoreVolumeSource;
extern const ObjectSchema kGitRepoVolumeSource;
extern const ObjectSchema kNFSVolumeSource;
extern const ObjectSchema kISCSIVolumeSource;
extern const ObjectSchema kGlusterfsVolumeSource;
extern const ObjectSchema kRBDVolumeSource;
extern const ObjectSchema kFlexVolumeSource;
extern const ObjectSchema kCinderVolumeSource;
extern const ObjectSchema kCephFSVolumeSource;
extern const ObjectSchema kFlockerVolumeSource;
extern const ObjectSchema kFCVolumeSource;
extern const ObjectSchema kAzureFileVolumeSource;
extern const ObjectSchema kVsphereVirtualDiskVolumeSource;
extern const ObjectSchema kQuobyteVolumeSource;
extern const ObjectSchema kAzureDiskVolumeSource;
extern const ObjectSchema kPhotonPersistentDiskVolumeSource;
extern const ObjectSchema kPortworxVolumeSource;
extern const ObjectSchema kScaleIOVolumeSource;
extern const ObjectSchema kStorageOSVolumeSource;
extern const ObjectSchema kCSIVolumeSource;

}  // namespace ebb::schema
