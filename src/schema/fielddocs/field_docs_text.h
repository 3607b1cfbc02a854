// The texts that field_docs.cc parses:
//
//   package io.k8s.api.apps.v1
//
//   Deployment: What the structure is.
//     spec: What the field is for.
//       A line with deeper indentation continues the sentence before.
//
// The members of an inlined field are documented in their own structure. Fields that all objects
// share are documented once, under `Object`.
#pragma once  // private to its room

#include <string>
#include <string_view>

namespace ebb::schema {

inline constexpr std::string_view kCommonFieldDocs = "Object";

extern const std::string_view kAdmissionFieldDocs;
extern const std::string_view kAppsFieldDocs;
extern const std::string_view kContainerFieldDocs;
extern const std::string_view kCoreFieldDocs;
extern const std::string_view kMetaFieldDocs;
extern const std::string_view kNodeFieldDocs;
extern const std::string_view kPodFieldDocs;
extern const std::string_view kPodStatusFieldDocs;
extern const std::string_view kReviewFieldDocs;
extern const std::string_view kSchedulingFieldDocs;
extern const std::string_view kSecurityFieldDocs;
extern const std::string_view kServiceFieldDocs;
extern const std::string_view kStorageFieldDocs;
extern const std::string_view kVolumeFieldDocs;

// The field docs of ebb's own kinds, including the list of strategies.
[[nodiscard]] std::string ebb_field_docs();

}  // namespace ebb::schema
