package main

import (
	"context"
	"errors"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	appsapply "k8s.io/client-go/applyconfigurations/apps/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// tellClient reads and writes without a cache, while a watch tells what it sees.
func tellClient(ctx context.Context, w *world) {
	kube, err := client.NewWithWatch(w.config, client.Options{Scheme: w.scheme})
	check(err)
	here := client.InNamespace(w.namespace)
	events := watchPolicies(ctx, kube, here)

	patchDeployment(ctx, kube, w.namespace)
	applyDeployment(ctx, kube, w.namespace)
	scaleDeployment(ctx, kube, w.namespace)
	writePolicy(ctx, kube, w.namespace, events)
	readPolicyInOtherWays(ctx, kube, w.namespace)
	refusals(ctx, kube, w.namespace)
	removeAll(ctx, kube, w.namespace, events)
}

func patchDeployment(ctx context.Context, kube client.Client, namespace string) {
	step("A Deployment is created and patched")
	web := newDeployment(namespace, "web")
	check(kube.Create(ctx, web))
	sayDeployment(web)

	before := web.DeepCopy()
	web.Labels["tier"] = "front"
	delete(web.Labels, "app")
	check(kube.Patch(ctx, web, client.MergeFrom(before)))
	sayDeployment(web)

	stale := web.DeepCopy()
	before = web.DeepCopy()
	web.Spec.Template.Spec.Containers = append(web.Spec.Template.Spec.Containers,
		corev1.Container{Name: "logs", Image: "registry.example/logs:1"})
	check(kube.Patch(ctx, web, client.StrategicMergeFrom(before)))
	sayDeployment(web)

	step("A patch with a lock is refused after another write")
	before = stale.DeepCopy()
	stale.Spec.Replicas = ptr.To(int32(9))
	lock := client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{})
	say("%v", kube.Patch(ctx, stale, lock))

	step("A status is written, and the spec with it is not")
	web.Status.Replicas = 2
	web.Status.ObservedGeneration = web.Generation
	web.Spec.Replicas = ptr.To(int32(9))
	check(kube.Status().Update(ctx, web))
	sayDeployment(web)
}

func applyDeployment(ctx context.Context, kube client.Client, namespace string) {
	wanted := appsapply.Deployment("web", namespace).
		WithSpec(appsapply.DeploymentSpec().WithReplicas(4).WithMinReadySeconds(3))
	step("An apply configuration, first without force")
	say("%v", kube.Apply(ctx, wanted, client.FieldOwner("platform")))
	check(kube.Apply(ctx, wanted, client.FieldOwner("platform"), client.ForceOwnership))
	web := &appsv1.Deployment{}
	check(kube.Get(ctx, client.ObjectKey{Namespace: namespace, Name: "web"}, web))
	sayDeployment(web)
	for _, entry := range web.ManagedFields {
		say("%s by %s %s", entry.Manager, entry.Operation, entry.Subresource)
	}
}

func scaleDeployment(ctx context.Context, kube client.Client, namespace string) {
	step("The scale, read and written")
	web := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "web"}}
	scale := &autoscalingv1.Scale{}
	check(kube.SubResource("scale").Get(ctx, web, scale))
	say("%d wanted, %d there, selector %s", scale.Spec.Replicas, scale.Status.Replicas, scale.Status.Selector)
	scale.Spec.Replicas = 1
	check(kube.SubResource("scale").Update(ctx, web, client.WithSubResourceBody(scale)))
	check(kube.Get(ctx, client.ObjectKeyFromObject(web), web))
	sayDeployment(web)
}

func writePolicy(ctx context.Context, kube client.Client, namespace string, events *events) {
	step("A DownscalePolicy is created, patched, and given a status")
	policy := newPolicy(namespace, "web", "web")
	policy.Labels = map[string]string{"team": "shop"}
	check(kube.Create(ctx, policy))
	sayPolicy(policy)
	before := policy.copy()
	policy.Spec.TargetRef.Name = "other"
	check(kube.Patch(ctx, policy, client.MergeFrom(before)))
	sayPolicy(policy)

	policy.Status.ObservedGeneration = policy.Generation
	meta.SetStatusCondition(&policy.Status.Conditions,
		metav1.Condition{Type: "Ready", Status: metav1.ConditionTrue, Reason: "Tried"})
	policy.Spec.TargetRef.Name = "not-this-way"
	check(kube.Status().Update(ctx, policy))
	sayPolicy(policy)

	before = policy.copy()
	policy.Status.Conditions[0].Message = "as expected"
	check(kube.Status().Patch(ctx, policy, client.MergeFrom(before)))
	sayPolicy(policy)
	events.tell(ctx, 4)
}

func readPolicyInOtherWays(ctx context.Context, kube client.Client, namespace string) {
	key := client.ObjectKey{Namespace: namespace, Name: "web"}
	step("The policy without a Go type of its own")
	loose := &unstructured.Unstructured{}
	loose.SetGroupVersionKind(policyVersion.WithKind("DownscalePolicy"))
	check(kube.Get(ctx, key, loose))
	target, _, err := unstructured.NestedStringMap(loose.Object, "spec", "targetRef")
	check(err)
	say("target %v", target)

	applied := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "ebb.dev/v1alpha1",
		"kind":       "DownscalePolicy",
		"metadata":   map[string]any{"name": "web", "namespace": namespace},
		"spec":       map[string]any{"ranking": map[string]any{"publish": "Annotation"}},
	}}
	wanted, platform := client.ApplyConfigurationFromUnstructured(applied), client.FieldOwner("platform")
	say("%v", kube.Apply(ctx, wanted, platform))
	check(kube.Apply(ctx, wanted, platform, client.ForceOwnership))
	check(kube.Get(ctx, key, loose))
	ranking, _, err := unstructured.NestedMap(loose.Object, "spec", "ranking")
	check(err)
	say("ranking %v", ranking)

	step("Only its metadata, and lists")
	partial := &metav1.PartialObjectMetadata{}
	partial.SetGroupVersionKind(policyVersion.WithKind("DownscalePolicy"))
	check(kube.Get(ctx, key, partial))
	say("%s %s with labels %v", partial.Kind, partial.Name, partial.Labels)
	names := &metav1.PartialObjectMetadataList{}
	names.SetGroupVersionKind(appsv1.SchemeGroupVersion.WithKind("DeploymentList"))
	check(kube.List(ctx, names, client.InNamespace(namespace)))
	say("%s of %d", names.Kind, len(names.Items))
	found := &DownscalePolicyList{}
	check(kube.List(ctx, found, client.InNamespace(namespace), client.MatchingLabels{"team": "shop"}))
	say("%d of the team, %q", len(found.Items), found.Kind)
	check(kube.List(ctx, found, client.InNamespace(namespace), client.MatchingFields{"metadata.name": "nothing"}))
	say("%d of another name", len(found.Items))
}

func refusals(ctx context.Context, kube client.Client, namespace string) {
	step("What is refused, and how")
	say("%v", kube.Create(ctx, newPolicy(namespace, "web", "web")))
	wrong := newPolicy(namespace, "wrong", "web")
	wrong.Spec.Ranking.Preset = "by-luck"
	// With custom kinds kube-apiserver adds what it did not look at; the first cause is what counts.
	var refusal apierrors.APIStatus
	if !errors.As(kube.Create(ctx, wrong), &refusal) {
		check(errors.New("a wrong preset is accepted"))
	}
	say("%s: %s", refusal.Status().Reason, refusal.Status().Details.Causes[0].Message)
	say("%v", kube.Get(ctx, client.ObjectKey{Namespace: namespace, Name: "nothing"}, &DownscalePolicy{}))
	blind := newPolicy(namespace, "web", "web")
	say("%v", kube.Update(ctx, blind))
	check(kube.Create(ctx, newPolicy(namespace, "tried", "web"), client.DryRunAll))
	err := kube.Get(ctx, client.ObjectKey{Namespace: namespace, Name: "tried"}, &DownscalePolicy{})
	say("%v", err)
	say("%v", client.IgnoreNotFound(err))
}

func removeAll(ctx context.Context, kube client.Client, namespace string, events *events) {
	step("Everything is deleted")
	events.tell(ctx, 1)
	check(kube.Create(ctx, newPolicy(namespace, "second", "web")))
	check(kube.DeleteAllOf(ctx, &DownscalePolicy{}, client.InNamespace(namespace)))
	events.tell(ctx, 3)
	web := newDeployment(namespace, "web")
	check(kube.Delete(ctx, web, client.PropagationPolicy(metav1.DeletePropagationBackground)))
	say("%v", kube.Delete(ctx, web))
}

func newDeployment(namespace, name string) *appsv1.Deployment {
	return &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name, Labels: map[string]string{"app": name}},
		Spec: appsv1.DeploymentSpec{
			Replicas: ptr.To(int32(2)),
			Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": name}},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": name}},
				Spec: corev1.PodSpec{
					Containers: []corev1.Container{{Name: "main", Image: "registry.example/web:1"}},
				},
			},
		},
	}
}

func sayDeployment(deployment *appsv1.Deployment) {
	text := ""
	for _, each := range deployment.Spec.Template.Spec.Containers {
		text += " " + each.Name
	}
	say("%s, labels %q, generation %d (seen %d), %d replicas (%d there) of%s", deployment.Name,
		labels.FormatLabels(deployment.Labels), deployment.Generation, deployment.Status.ObservedGeneration,
		*deployment.Spec.Replicas, deployment.Status.Replicas, text)
}

func sayPolicy(policy *DownscalePolicy) { say("%s", describePolicy(policy)) }

func describePolicy(policy *DownscalePolicy) string {
	text := fmt.Sprintf("%s for %s %s %s, %s to %s, generation %d (seen %d)", policy.Name,
		policy.Spec.TargetRef.APIVersion, policy.Spec.TargetRef.Kind, policy.Spec.TargetRef.Name,
		policy.Spec.Ranking.Preset, policy.Spec.Ranking.Publish, policy.Generation,
		policy.Status.ObservedGeneration)
	for _, each := range policy.Status.Conditions {
		text += fmt.Sprintf(", %s=%s (%s %q)", each.Type, each.Status, each.Reason, each.Message)
	}
	return text
}
