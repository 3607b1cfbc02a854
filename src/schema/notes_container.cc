// What the fields of containers, probes and lifecycle hooks are for.
#include "schema/notes_text.h"

namespace ebb::schema {

constexpr std::string_view kContainerNotes = R"(
package io.k8s.api.core.v1

Container: A program that runs in a pod.
  name: Its name, which no other container of the pod has.
  image: The image that it is started from.
  command: What is started, in place of the image's entry point. $(NAME) stands for a variable.
  args: The arguments, in place of those of the image. $(NAME) stands for a variable.
  workingDir: The folder that it starts in, if that is not the image's.
  ports: The ports it listens on. This is for information: others can be reached as well.
  envFrom: Sources of which every value becomes a variable. Later ones win, and env wins over all.
  env: Variables of its environment.
  resources: What it needs and what it may use at most.
  resizePolicy: Whether it is restarted when its resources are changed while it runs.
  restartPolicy: When it is started again, if not as the pod says. An init container with Always goes
    on running beside the others.
  restartPolicyRules: When it is started again, by its exit code; what comes first counts.
  volumeMounts: Where volumes of the pod appear in its file system.
  volumeDevices: Where block devices of the pod appear.
  livenessProbe: How to find out that it has to be restarted.
  readinessProbe: How to find out whether it can be sent requests.
  startupProbe: How to find out that it has started. The other probes wait for that.
  lifecycle: What is done right after it starts and before it ends.
  terminationMessagePath: The file in which it leaves its last words.
  terminationMessagePolicy: Whether, in place of an empty file, the end of its log is taken if it failed.
  imagePullPolicy: When the image is fetched: each time, only if it is missing, or never.
  securityContext: What it may do, where that differs from the pod's own.
  stdin: Whether it has a standard input to be attached to.
  stdinOnce: Whether that is closed after the first client has left.
  tty: Whether it has a terminal. stdin has to be true as well.

EphemeralContainer: A container that is added to a running pod, to look for a fault.
  targetContainerName: The container whose processes it can see.

ContainerPort: A port that a container listens on.
  name: A name that a Service can use in place of the number.
  hostPort: The port of the node that leads to it.
  containerPort: The port of the pod's address.
  protocol: The protocol.
  hostIP: The address of the node that hostPort is bound to.

EnvVar: A variable of the environment.
  name: Its name.
  value: Its value. $(NAME) stands for a variable given before.
  valueFrom: Where its value comes from, in place of value.

EnvVarSource: Where the value of a variable comes from. Exactly one has to be given.
  fieldRef: A field of the pod.
  resourceFieldRef: What a container needs or may use at most.
  configMapKeyRef: A value of a ConfigMap.
  secretKeyRef: A value of a Secret.
  fileKeyRef: A value from a file in a volume.

ConfigMapKeySelector: A value of a ConfigMap.
  key: Its key.
  optional: Whether it may be missing.

SecretKeySelector: A value of a Secret.
  key: Its key.
  optional: Whether it may be missing.

FileKeySelector: A variable in a file of variables.
  volumeName: The volume that the file is in.
  path: The path of the file within the volume.
  key: The name of the variable in the file.
  optional: Whether it may be missing.

EnvFromSource: An object of which every value becomes a variable.
  prefix: What is put before each name.
  configMapRef: The ConfigMap.
  secretRef: The Secret.

ConfigMapEnvSource: A ConfigMap of which every value becomes a variable.
  optional: Whether it may be missing.

SecretEnvSource: A Secret of which every value becomes a variable.
  optional: Whether it may be missing.

ResourceRequirements: What is needed, and what may be used at most.
  limits: What may be used at most, by resource.
  requests: What is kept free for it on its node, by resource. As much as the limit if only that is given.
  claims: Devices that are used, by the names of the pod's claims.

ResourceClaim: A device that a container uses.
  name: The name of the claim among those of the pod.
  request: Which of the claim's requests is meant. All of them, unless it is given.

ContainerResizePolicy: What happens when a resource is changed.
  resourceName: The resource.
  restartPolicy: Whether the container is restarted for it.

ContainerRestartRule: What to do when a container ends in a certain way.
  action: What to do.
  exitCodes: The exit codes that it is about.

ContainerRestartRuleOnExitCodes: A set of exit codes.
  operator: Whether codes of the list are meant, or all others.
  values: The list.

VolumeMount: A volume in the file system of a container.
  name: The volume's name.
  readOnly: Whether it can only be read.
  recursiveReadOnly: Whether what is mounted below it can only be read, too.
  mountPath: Where it appears.
  subPath: The part of the volume that appears there.
  mountPropagation: Whether later mounts are seen by the container, by the node, or by neither.
  subPathExpr: As subPath, where $(NAME) stands for a variable.

VolumeDevice: A block device of a container.
  name: The name of the volume it is.
  devicePath: Where it appears.

Probe: A question to a container that is asked again and again.
  initialDelaySeconds: How long after the start the first question comes.
  timeoutSeconds: How long an answer may take.
  periodSeconds: How long it is from one question to the next.
  successThreshold: How many good answers in a row are needed after a bad one.
  failureThreshold: How many bad answers in a row are a failure.
  terminationGracePeriodSeconds: How long the container is given to end if it fails, where that is not
    as the pod says.

ProbeHandler: How a container is asked. Exactly one has to be given.
  exec: Run a command in it; exit code 0 is good.
  httpGet: Send an HTTP request; a code from 200 to 399 is good.
  tcpSocket: Open a connection.
  grpc: Ask for its health over gRPC.

ExecAction: A command that is run in a container.
  command: The program and its arguments. There is no shell around it.

HTTPGetAction: An HTTP request to a container.
  path: The path of the request.
  port: The port, by number or name.
  host: The host, which is the pod unless it is given.
  scheme: HTTP or HTTPS. Certificates are not checked.
  httpHeaders: Headers of the request.

HTTPHeader: A header of a request.
  name: Its name.
  value: Its value.

TCPSocketAction: A connection to a container.
  port: The port, by number or name.
  host: The host, which is the pod unless it is given.

GRPCAction: A gRPC health check of a container.
  port: The port.
  service: The service whose health is asked for.

Lifecycle: What is done when a container starts and ends.
  postStart: What is done right after it has started.
  preStop: What is done before it is told to end. It counts against the grace period.
  stopSignal: The signal by which it is told to end.

LifecycleHandler: What is done. Exactly one has to be given.
  exec: Run a command in the container.
  httpGet: Send an HTTP request.
  tcpSocket: Without effect, and kept for old objects only.
  sleep: Wait.

SleepAction: Waiting.
  seconds: For how long.
)";

}  // namespace ebb::schema
