// The texts that notes.cc reads. They are written to be read as they stand:
//
//   package io.k8s.api.apps.v1
//
//   Deployment: What the structure is.
//     spec: What the field is for.
//       A line that is indented further goes on with the sentence before.
//
// A field that is inlined is described where its members are. What all objects have in common
// stands once, under `Object`.
#pragma once

#include <string>
#include <string_view>

namespace ebb::schema {

inline constexpr std::string_view kCommonNotes = "Object";

extern const std::string_view kAdmissionNotes;
extern const std::string_view kAppsNotes;
extern const std::string_view kContainerNotes;
extern const std::string_view kCoreNotes;
extern const std::string_view kMetaNotes;
extern const std::string_view kNodeNotes;
extern const std::string_view kPodNotes;
extern const std::string_view kPodStatusNotes;
extern const std::string_view kReviewNotes;
extern const std::string_view kSchedulingNotes;
extern const std::string_view kSecurityNotes;
extern const std::string_view kServiceNotes;
extern const std::string_view kStorageNotes;
extern const std::string_view kVolumeNotes;

// Those of our own kinds. They list the strategies there are.
[[nodiscard]] std::string ebb_notes();

}  // namespace ebb::schema
