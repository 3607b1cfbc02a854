package main

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

const (
	finalizer = "reconciler.ebb.dev/hold"
	madeLabel = "reconciler.ebb.dev/made"
)

// reconciler keeps a ConfigMap with the target of each policy, says in the policy's status that
// it did, and holds the policy until the ConfigMap is gone.
type reconciler struct {
	client.Client
}

func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	policy := &DownscalePolicy{}
	if err := r.Get(ctx, request.NamespacedName, policy); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	target := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: policy.Namespace, Name: policy.Name}}
	if !policy.DeletionTimestamp.IsZero() {
		if err := client.IgnoreNotFound(r.Delete(ctx, target)); err != nil {
			return ctrl.Result{}, err
		}
		controllerutil.RemoveFinalizer(policy, finalizer)
		return ctrl.Result{}, client.IgnoreNotFound(r.Update(ctx, policy))
	}
	if controllerutil.AddFinalizer(policy, finalizer) {
		return ctrl.Result{}, r.Update(ctx, policy)
	}
	if _, err := controllerutil.CreateOrUpdate(ctx, r.Client, target, func() error {
		target.Labels = map[string]string{madeLabel: "yes"}
		target.Data = map[string]string{"target": policy.Spec.TargetRef.Name}
		return controllerutil.SetControllerReference(policy, target, r.Scheme())
	}); err != nil {
		return ctrl.Result{}, err
	}
	before := policy.copy()
	policy.Status.ObservedGeneration = policy.Generation
	meta.SetStatusCondition(&policy.Status.Conditions, metav1.Condition{
		Type: "Ready", Status: metav1.ConditionTrue, Reason: "Kept", Message: "the ConfigMap is there",
	})
	return ctrl.Result{}, r.Status().Patch(ctx, policy, client.MergeFrom(before))
}
