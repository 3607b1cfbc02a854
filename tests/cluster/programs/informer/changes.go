package main

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	appsapply "k8s.io/client-go/applyconfigurations/apps/v1"
	coreapply "k8s.io/client-go/applyconfigurations/core/v1"
	metaapply "k8s.io/client-go/applyconfigurations/meta/v1"
	"k8s.io/client-go/tools/pager"
	"k8s.io/utils/ptr"
)

// tellChanges goes through the ways to change a Deployment and pods; after each the informers
// have to tell exactly that.
func tellChanges(ctx context.Context, w *world) {
	w.createDeployment(ctx, "web")
	w.createPod(ctx, "first", map[string]string{"app": "web"})
	step("The informers start")
	w.startInformers(ctx)
	w.seen.tell(ctx, 2)

	patchInThreeWays(ctx, w)
	applyAndDispute(ctx, w)
	updateAndScale(ctx, w)
	readInParts(ctx, w)
	remove(ctx, w)
}

func patchInThreeWays(ctx context.Context, w *world) {
	patch := func(title string, kind types.PatchType, body string) {
		step(title)
		_, err := w.deployments.Patch(ctx, "web", kind, []byte(body), metav1.PatchOptions{})
		check(err)
		w.seen.tell(ctx, 1)
	}
	patch("A strategic merge patch adds a container", types.StrategicMergePatchType,
		`{"spec":{"template":{"spec":{"containers":[{"name":"logs","image":"registry.example/logs:1"}]}}}}`)
	patch("A merge patch takes a label away and adds one", types.MergePatchType,
		`{"metadata":{"labels":{"app":null,"tier":"front"}}}`)
	patch("A JSON patch looks before it changes", types.JSONPatchType,
		`[{"op":"test","path":"/spec/replicas","value":2},{"op":"replace","path":"/spec/replicas","value":3}]`)

	step("A JSON patch that does not find what it looks for")
	_, err := w.deployments.Patch(ctx, "web", types.JSONPatchType,
		[]byte(`[{"op":"test","path":"/spec/replicas","value":2}]`), metav1.PatchOptions{})
	say("%s", apierrors.ReasonForError(err))

	step("A patch that is only tried changes nothing")
	tried, err := w.deployments.Patch(ctx, "web", types.MergePatchType,
		[]byte(`{"spec":{"replicas":9}}`), metav1.PatchOptions{DryRun: []string{metav1.DryRunAll}})
	check(err)
	_, state := describe(tried)
	say("would be: %s", state)
}

func applyAndDispute(ctx context.Context, w *world) {
	wanted := func(image string) *appsapply.DeploymentApplyConfiguration {
		return appsapply.Deployment("web", w.namespace).
			WithSpec(appsapply.DeploymentSpec().
				WithReplicas(5).
				WithTemplate(coreapply.PodTemplateSpec().
					WithSpec(coreapply.PodSpec().
						WithContainers(coreapply.Container().WithName("metrics").WithImage(image)))))
	}
	step("Apply is refused where others own a field")
	options := metav1.ApplyOptions{FieldManager: "platform"}
	_, err := w.deployments.Apply(ctx, wanted("registry.example/metrics:1"), options)
	say("%v", err)

	step("Apply with force takes it over")
	options.Force = true
	applied, err := w.deployments.Apply(ctx, wanted("registry.example/metrics:1"), options)
	check(err)
	w.seen.tell(ctx, 1)
	say("owners: %s", owners(applied))

	step("What an applier no longer mentions goes")
	extracted, err := appsapply.ExtractDeployment(applied, "platform")
	check(err)
	extracted.Spec.Template = nil
	applied, err = w.deployments.Apply(ctx, extracted, options)
	check(err)
	w.seen.tell(ctx, 1)

	step("Apply creates what is not there")
	labels := map[string]string{"app": "api"}
	_, err = w.deployments.Apply(ctx, appsapply.Deployment("api", w.namespace).
		WithLabels(labels).
		WithSpec(appsapply.DeploymentSpec().
			WithSelector(metaapply.LabelSelector().WithMatchLabels(labels)).
			WithTemplate(coreapply.PodTemplateSpec().WithLabels(labels).
				WithSpec(coreapply.PodSpec().
					WithContainers(coreapply.Container().WithName("main").WithImage("registry.example/api:1"))))),
		options)
	check(err)
	w.seen.tell(ctx, 1)
}

func owners(deployment *appsv1.Deployment) string {
	var names []string
	for _, entry := range deployment.ManagedFields {
		names = append(names, fmt.Sprintf("%s by %s", entry.Manager, entry.Operation))
	}
	return strings.Join(names, ", ")
}

func updateAndScale(ctx context.Context, w *world) {
	step("An update of an old state is refused")
	old, err := w.deployments.Get(ctx, "web", metav1.GetOptions{})
	check(err)
	now := old.DeepCopy()
	now.Annotations = map[string]string{"note": "changed"}
	now, err = w.deployments.Update(ctx, now, metav1.UpdateOptions{})
	check(err)
	w.seen.tell(ctx, 1)
	_, err = w.deployments.Update(ctx, old, metav1.UpdateOptions{})
	say("%v", err)

	step("A write of the status leaves the rest alone")
	now.Status.Replicas = 4
	now.Status.ObservedGeneration = now.Generation
	now.Spec.Replicas = ptr.To(int32(100))
	_, err = w.deployments.UpdateStatus(ctx, now, metav1.UpdateOptions{})
	check(err)
	w.seen.tell(ctx, 1)

	step("The scale, read and written")
	scale, err := w.deployments.GetScale(ctx, "web", metav1.GetOptions{})
	check(err)
	say("%d wanted, %d there, selector %s", scale.Spec.Replicas, scale.Status.Replicas, scale.Status.Selector)
	scale.Spec.Replicas = 1
	_, err = w.deployments.UpdateScale(ctx, "web", scale, metav1.UpdateOptions{})
	check(err)
	w.seen.tell(ctx, 1)
	_, err = w.deployments.UpdateScale(ctx, "web", scale, metav1.UpdateOptions{})
	say("%v", err)
}

func readInParts(ctx context.Context, w *world) {
	step("Five more pods, read two at a time")
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		w.createPod(ctx, name, map[string]string{"app": "batch"})
	}
	w.seen.tell(ctx, 5)
	lists := pager.New(func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
		page, err := w.pods.List(ctx, options)
		check(err)
		var names []string
		for _, pod := range page.Items {
			names = append(names, pod.Name)
		}
		say("a page: %s", strings.Join(names, " "))
		return page, nil
	})
	lists.PageSize = 2
	_, _, err := lists.List(ctx, metav1.ListOptions{LabelSelector: "app in (batch)"})
	check(err)

	step("Pods by a field")
	list, err := w.pods.List(ctx, metav1.ListOptions{FieldSelector: "metadata.name=first,status.phase=Pending"})
	check(err)
	say("%d, of kind %q", len(list.Items), list.Kind)
}

func remove(ctx context.Context, w *world) {
	step("A pod is deleted, if it is the one that was meant")
	now := metav1.DeleteOptions{GracePeriodSeconds: ptr.To(int64(0))}
	other := now
	other.Preconditions = metav1.NewUIDPreconditions("another")
	err := w.pods.Delete(ctx, "first", other)
	say("%s", regexp.MustCompile(`\([0-9a-f-]{36}\)`).ReplaceAllString(err.Error(), "(its UID)"))
	check(w.pods.Delete(ctx, "first", now))
	w.seen.tell(ctx, 1)
	_, err = w.pods.Get(ctx, "first", metav1.GetOptions{})
	say("%v", err)

	step("Many are deleted at once")
	check(w.pods.DeleteCollection(ctx, now, metav1.ListOptions{LabelSelector: "app=batch"}))
	w.seen.tell(ctx, 5)
	background := metav1.DeleteOptions{PropagationPolicy: ptr.To(metav1.DeletePropagationBackground)}
	check(w.deployments.Delete(ctx, "api", metav1.DeleteOptions{}))
	check(w.deployments.Delete(ctx, "web", background))
	w.seen.tell(ctx, 2)
}
