// What the fields that say what a container may do to its node are for.
#include "schema/notes_text.h"

namespace ebb::schema {

constexpr std::string_view kSecurityNotes = R"(
package io.k8s.api.core.v1

SecurityContext: What a container may do. It counts before what the pod says.
  capabilities: Rights of root that it gets or loses.
  privileged: Whether it may do everything that root on the node may.
  seLinuxOptions: Its SELinux labels.
  windowsOptions: What only counts on Windows.
  runAsUser: The number of the user that it runs as.
  runAsGroup: The number of the group that it runs as.
  runAsNonRoot: Whether it is refused to start as root.
  readOnlyRootFilesystem: Whether its own file system can only be read.
  allowPrivilegeEscalation: Whether its processes may get more rights than their parents.
  procMount: How much of /proc it sees.
  seccompProfile: Which system calls it may make.
  appArmorProfile: Which AppArmor profile it runs under.

PodSecurityContext: What the containers of a pod may do, unless they say otherwise.
  seLinuxOptions: Their SELinux labels.
  windowsOptions: What only counts on Windows.
  runAsUser: The number of the user that they run as.
  runAsGroup: The number of the group that they run as.
  runAsNonRoot: Whether they are refused to start as root.
  supplementalGroups: Further groups that they are in.
  supplementalGroupsPolicy: Whether the groups that the image names for the user count as well.
  fsGroup: A group that they are in and that files of volumes belong to.
  sysctls: Settings of the kernel for the pod.
  fsGroupChangePolicy: Whether files of volumes are given to fsGroup each time, or only if the topmost
    folder is not its own yet.
  seccompProfile: Which system calls they may make.
  appArmorProfile: Which AppArmor profile they run under.
  seLinuxChangePolicy: Whether volumes are labelled file by file or as they are mounted.

Capabilities: Rights of root.
  add: Those that are given.
  drop: Those that are taken away.

SELinuxOptions: A label of SELinux.
  user: Its user.
  role: Its role.
  type: Its type.
  level: Its level.

WindowsSecurityContextOptions: What a container may do on Windows.
  gmsaCredentialSpecName: The name of its gMSA credential spec.
  gmsaCredentialSpec: The text of that spec.
  runAsUserName: The user that it runs as.
  hostProcess: Whether it runs as a process of the host.

SeccompProfile: Which system calls may be made.
  type: All, those that the container runtime allows, or those of a file on the node.
  localhostProfile: The file, for Localhost.

AppArmorProfile: A profile of AppArmor.
  type: None, that of the container runtime, or one that is loaded on the node.
  localhostProfile: Its name, for Localhost.

Sysctl: A setting of the kernel.
  name: Its name.
  value: Its value.
)";

}  // namespace ebb::schema
