// Field docs of containers, probes and lifecycle hooks.
#include "schema/fielddocs/field_docs_text.h"

namespace ebb::schema {

constexpr std::string_view kContainerFieldDocs = R"(
package io.k8s.api.core.v1

Container: A container of a pod.
  name: The name of the container, unique in the pod.
  image: The image of the container.
  command: The command, instead of the image's entry point. $(NAME) is replaced by the variable's value.
  args: The arguments, instead of those of the image. $(NAME) is replaced by the variable's value.
  workingDir: The working directory, instead of the image's.
  ports: The ports that the container listens on. Informational: other ports are reachable too.
  envFrom: Sources of environment variables. Later sources override earlier ones, and env overrides all.
  env: The environment variables.
  resources: The resource requests and limits of the container.
  resizePolicy: Whether the container is restarted when its resources change while it runs.
  restartPolicy: When the container is restarted, instead of the pod's policy. An init container with
    Always keeps running beside the other containers.
  restartPolicyRules: When the container is restarted, by its exit code. The first rule that matches
    applies.
  volumeMounts: The volumes of the pod that are mounted in the container.
  volumeDevices: The block devices of the pod that the container uses.
  livenessProbe: A check that restarts the container if it fails.
  readinessProbe: A check that decides whether the container receives requests.
  startupProbe: A check that succeeds once the container has started. The other probes wait for it.
  lifecycle: Hooks that run after the container starts and before it stops.
  terminationMessagePath: The file to which the container writes why it terminates.
  terminationMessagePolicy: Whether the end of the log is used if that file is empty and the container
    failed.
  imagePullPolicy: When the image is pulled: always, only if it is missing, or never.
  securityContext: Security settings of the container, which override those of the pod.
  stdin: Whether the container has a standard input that clients can attach to.
  stdinOnce: Whether standard input is closed when the first client detaches.
  tty: Whether the container has a terminal. Requires stdin.

EphemeralContainer: A container that is added to a running pod for debugging.
  targetContainerName: The container whose processes it can see.

ContainerPort: A port that a container listens on.
  name: A name that a Service can use instead of the number.
  hostPort: The port of the node that forwards to the container.
  containerPort: The port at the pod's address.
  protocol: The protocol of the port.
  hostIP: The address of the node to which hostPort is bound.

EnvVar: An environment variable.
  name: The name of the variable.
  value: The value of the variable. $(NAME) is replaced by the value of a variable defined earlier.
  valueFrom: The source of the value, instead of value.

EnvVarSource: The source of a variable's value. Exactly one field must be set.
  fieldRef: A field of the pod.
  resourceFieldRef: A resource request or limit of a container.
  configMapKeyRef: A value of a ConfigMap.
  secretKeyRef: A value of a Secret.
  fileKeyRef: A value from a file in a volume.

ConfigMapKeySelector: A value of a ConfigMap.
  key: The key of the value.
  optional: Whether the value may be missing.

SecretKeySelector: A value of a Secret.
  key: The key of the value.
  optional: Whether the value may be missing.

FileKeySelector: A variable in a file of variables.
  volumeName: The volume that contains the file.
  path: The path of the file within the volume.
  key: The name of the variable in the file.
  optional: Whether the file or the variable may be missing.

EnvFromSource: A ConfigMap or Secret whose values all become variables.
  prefix: A prefix of the variables' names.
  configMapRef: The ConfigMap.
  secretRef: The Secret.

ConfigMapEnvSource: A ConfigMap whose values all become variables.
  optional: Whether the ConfigMap may be missing.

SecretEnvSource: A Secret whose values all become variables.
  optional: Whether the Secret may be missing.

ResourceRequirements: Resource requests and limits.
  limits: The maximum amount that may be used, by resource.
  requests: The amount that is reserved on the node, by resource; by default the limit.
  claims: The devices that are used, by the names of the pod's resource claims.

ResourceClaim: A device that a container uses.
  name: The name of a resource claim of the pod.
  request: The name of a request in the claim; by default all requests.

ContainerResizePolicy: How a container handles the resize of a resource.
  resourceName: The name of the resource.
  restartPolicy: Whether the container is restarted.

ContainerRestartRule: How the exit of a container is handled.
  action: The action to take.
  exitCodes: The exit codes that the rule applies to.

ContainerRestartRuleOnExitCodes: A set of exit codes.
  operator: Whether the rule applies to the codes in the list (In) or to all others (NotIn).
  values: The list of codes.

VolumeMount: A volume that is mounted in a container.
  name: The name of the volume.
  readOnly: Whether the mount is read-only.
  recursiveReadOnly: Whether mounts below it are read-only too.
  mountPath: The path in the container.
  subPath: The path within the volume that is mounted.
  mountPropagation: Whether later mounts are propagated to the container, to the node, or to neither.
  subPathExpr: Like subPath, with $(NAME) replaced by the value of a variable.

VolumeDevice: A block device of a container.
  name: The name of the volume.
  devicePath: The path in the container.

Probe: A periodic check of a container.
  initialDelaySeconds: The delay from the start of the container to the first check.
  timeoutSeconds: The time limit of one check.
  periodSeconds: The interval between checks.
  successThreshold: How many checks in a row must succeed after a failure.
  failureThreshold: How many checks in a row must fail before the probe counts as failed.
  terminationGracePeriodSeconds: The grace period of the container if the probe fails, instead of the
    pod's.

ProbeHandler: The check of a probe. Exactly one field must be set.
  exec: Run a command in the container; exit code 0 means success.
  httpGet: Send an HTTP request; a status code from 200 to 399 means success.
  tcpSocket: Open a TCP connection.
  grpc: Call the gRPC health service.

ExecAction: A command that runs in a container.
  command: The program and its arguments. No shell is involved.

HTTPGetAction: An HTTP request to a container.
  path: The path of the request.
  port: The port, by number or name.
  host: The host; by default the pod.
  scheme: HTTP or HTTPS. Certificates are not verified.
  httpHeaders: Headers of the request.

HTTPHeader: A header of a request.
  name: The name of the header.
  value: The value of the header.

TCPSocketAction: A TCP connection to a container.
  port: The port, by number or name.
  host: The host; by default the pod.

GRPCAction: A gRPC health check of a container.
  port: The port of the gRPC service.
  service: The service whose health is checked.

Lifecycle: Hooks of a container.
  postStart: Runs right after the container has started.
  preStop: Runs before the container is stopped. Its time counts against the grace period.
  stopSignal: The signal that stops the container.

LifecycleHandler: The action of a hook. Exactly one field must be set.
  exec: Run a command in the container.
  httpGet: Send an HTTP request.
  tcpSocket: Deprecated; it has no effect.
  sleep: Sleep.

SleepAction: A pause.
  seconds: The length of the pause.
)";

}  // namespace ebb::schema
