// Shapes of volumes of storage systems.
#pragma once

#include "schema/shape.h"

namespace ebb::schema {

extern const Shape kGCEPersistentDiskVolumeSource;
extern const Shape kAWSElasticBlockStoreVolumeSource;
extern const Shape kGitRepoVolumeSource;
extern const Shape kNFSVolumeSource;
extern const Shape kISCSIVolumeSource;
extern const Shape kGlusterfsVolumeSource;
extern const Shape kRBDVolumeSource;
extern const Shape kFlexVolumeSource;
extern const Shape kCinderVolumeSource;
extern const Shape kCephFSVolumeSource;
extern const Shape kFlockerVolumeSource;
extern const Shape kFCVolumeSource;
extern const Shape kAzureFileVolumeSource;
extern const Shape kVsphereVirtualDiskVolumeSource;
extern const Shape kQuobyteVolumeSource;
extern const Shape kAzureDiskVolumeSource;
extern const Shape kPhotonPersistentDiskVolumeSource;
extern const Shape kPortworxVolumeSource;
extern const Shape kScaleIOVolumeSource;
extern const Shape kStorageOSVolumeSource;
extern const Shape kCSIVolumeSource;

}  // namespace ebb::schema
