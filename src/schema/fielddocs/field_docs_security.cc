// Field docs of security contexts.
#include "schema/fielddocs/field_docs_text.h"

namespace ebb::schema {

constexpr std::string_view kSecurityFieldDocs = R"(
package io.k8s.api.core.v1

SecurityContext: Security settings of a container, which override those of the pod.
  capabilities: The capabilities that are added or dropped.
  privileged: Whether the container has the rights of root on the node.
  seLinuxOptions: The SELinux label of the container.
  windowsOptions: Settings for Windows.
  runAsUser: The user id that the container runs as.
  runAsGroup: The group id that the container runs as.
  runAsNonRoot: Whether the container is refused if it would run as root.
  readOnlyRootFilesystem: Whether the root file system is read-only.
  allowPrivilegeEscalation: Whether a process may gain more rights than its parent.
  procMount: How /proc is mounted.
  seccompProfile: The system calls that the container may make.
  appArmorProfile: The AppArmor profile of the container.

PodSecurityContext: Security settings of a pod, and defaults for its containers.
  seLinuxOptions: The SELinux label of all containers.
  windowsOptions: Settings for Windows.
  runAsUser: The user id that containers run as.
  runAsGroup: The group id that containers run as.
  runAsNonRoot: Whether containers are refused if they would run as root.
  supplementalGroups: Further group ids of the containers.
  supplementalGroupsPolicy: Whether the user's groups in the image are added.
  fsGroup: A group id of the containers, which also owns the files of volumes.
  sysctls: Kernel parameters of the pod.
  fsGroupChangePolicy: Whether the ownership of files in volumes is always changed to fsGroup, or only
    if the root folder of the volume has another group.
  seccompProfile: The system calls that containers may make.
  appArmorProfile: The AppArmor profile of all containers.
  seLinuxChangePolicy: Whether volumes are labelled file by file or when they are mounted.

Capabilities: Linux capabilities.
  add: The capabilities to add.
  drop: The capabilities to drop.

SELinuxOptions: An SELinux label.
  user: The user of the label.
  role: The role of the label.
  type: The type of the label.
  level: The level of the label.

WindowsSecurityContextOptions: Security settings for Windows.
  gmsaCredentialSpecName: The name of the gMSA credential spec.
  gmsaCredentialSpec: The content of the gMSA credential spec.
  runAsUserName: The name of the user that the container runs as.
  hostProcess: Whether the container runs as a host process.

SeccompProfile: The system calls that a container may make.
  type: Unconfined, RuntimeDefault, or Localhost for a file on the node.
  localhostProfile: The path of the file, for Localhost.

AppArmorProfile: An AppArmor profile.
  type: Unconfined, RuntimeDefault, or Localhost for a profile that is loaded on the node.
  localhostProfile: The name of the profile, for Localhost.

Sysctl: A kernel parameter.
  name: The name of the parameter.
  value: The value of the parameter.
)";

}  // namespace ebb::schema
