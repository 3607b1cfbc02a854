package main

import (
	"context"
	"errors"
	"strings"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

const (
	byTarget   = "spec.targetRef.name"
	leaderName = "reconciler.ebb.dev"
)

// tellManager runs a manager with leader election and a cache, and is its user at the same time.
func tellManager(ctx context.Context, w *world) {
	manager, stop := startManager(ctx, w)
	defer stop()
	user, err := client.New(w.config, client.Options{Scheme: w.scheme})
	check(err)
	step("The manager leads")
	lease := &coordinationv1.Lease{}
	check(user.Get(ctx, client.ObjectKey{Namespace: w.namespace, Name: leaderName}, lease))
	say("%d transitions, for %d seconds", *lease.Spec.LeaseTransitions, *lease.Spec.LeaseDurationSeconds)

	step("Two policies come and are looked after")
	first, second := newPolicy(w.namespace, "first", "web"), newPolicy(w.namespace, "second", "api")
	check(user.Create(ctx, first))
	check(user.Create(ctx, second))
	waitReady(ctx, manager.GetClient(), first)
	waitReady(ctx, manager.GetClient(), second)
	sayTargets(ctx, user, w.namespace)

	step("One changes")
	check(user.Get(ctx, client.ObjectKeyFromObject(first), first))
	first.Spec.TargetRef.Name = "shop"
	check(user.Update(ctx, first))
	waitReady(ctx, manager.GetClient(), first)
	sayTargets(ctx, user, w.namespace)

	step("The cache finds policies by an index of its own")
	found := &DownscalePolicyList{}
	check(manager.GetClient().List(ctx, found, client.InNamespace(w.namespace), client.MatchingFields{byTarget: "shop"}))
	for i := range found.Items {
		sayPolicy(&found.Items[i])
	}

	step("What belongs to a policy comes back when somebody deletes it")
	target := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: w.namespace, Name: "second"}}
	check(user.Get(ctx, client.ObjectKeyFromObject(target), target))
	gone := target.UID
	check(user.Delete(ctx, target))
	eventually(ctx, "a new ConfigMap", func() bool {
		err := user.Get(ctx, client.ObjectKeyFromObject(target), target)
		return client.IgnoreNotFound(err) == nil && err == nil && target.UID != gone
	})
	sayTargets(ctx, user, w.namespace)

	step("A policy goes when its reconciler has let it go")
	check(user.Delete(ctx, second))
	eventually(ctx, "the end of the policy", func() bool {
		return apierrors.IsNotFound(user.Get(ctx, client.ObjectKeyFromObject(second), second))
	})
	sayTargets(ctx, user, w.namespace)

	step("The manager stops and gives the lead back")
	stop()
	check(user.Get(ctx, client.ObjectKeyFromObject(lease), lease))
	say("holder %q", ptr.Deref(lease.Spec.HolderIdentity, ""))
	sayElection(ctx, user, w.namespace)
}

// startManager returns when it leads; stop can be called twice.
func startManager(ctx context.Context, w *world) (ctrl.Manager, func()) {
	manager, err := ctrl.NewManager(w.config, ctrl.Options{
		Scheme: w.scheme,
		Cache:  cache.Options{DefaultNamespaces: map[string]cache.Config{w.namespace: {}}},
		// They are watched by their metadata alone; a cache of their contents would be another watch,
		// which may know less when an event comes.
		Client:                        client.Options{Cache: &client.CacheOptions{DisableFor: []client.Object{&corev1.ConfigMap{}}}},
		Metrics:                       server.Options{BindAddress: "0"},
		LeaderElection:                true,
		LeaderElectionID:              leaderName,
		LeaderElectionNamespace:       w.namespace,
		LeaderElectionReleaseOnCancel: true,
	})
	check(err)
	check(manager.GetFieldIndexer().IndexField(ctx, &DownscalePolicy{}, byTarget,
		func(object client.Object) []string { return []string{object.(*DownscalePolicy).Spec.TargetRef.Name} }))
	check(ctrl.NewControllerManagedBy(manager).
		For(&DownscalePolicy{}).
		Owns(&corev1.ConfigMap{}, builder.OnlyMetadata).
		Complete(&reconciler{Client: manager.GetClient()}))

	running, cancel := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() {
		ended <- manager.Start(running)
		close(ended)
	}()
	select {
	case <-manager.Elected():
	case <-ctx.Done():
		check(errors.New("the manager was not elected in time"))
	}
	return manager, func() {
		cancel()
		check(<-ended)
	}
}

// waitReady waits until the cache shows that this generation of the policy was looked after.
func waitReady(ctx context.Context, kube client.Client, policy *DownscalePolicy) {
	eventually(ctx, policy.Name+" is ready", func() bool {
		seen := &DownscalePolicy{}
		err := kube.Get(ctx, client.ObjectKeyFromObject(policy), seen)
		return err == nil && seen.Status.ObservedGeneration >= policy.Generation &&
			meta.IsStatusConditionTrue(seen.Status.Conditions, "Ready")
	})
}

func sayTargets(ctx context.Context, kube client.Client, namespace string) {
	found := &corev1.ConfigMapList{}
	check(kube.List(ctx, found, client.InNamespace(namespace), client.HasLabels{madeLabel}))
	for _, each := range found.Items {
		owner := metav1.GetControllerOf(&each)
		say("ConfigMap %s: target %s, of %s %s", each.Name, each.Data["target"], owner.Kind, owner.Name)
	}
}

// sayElection waits for the event, which is sent when there is time for it.
func sayElection(ctx context.Context, kube client.Client, namespace string) {
	selector := client.MatchingFields{"involvedObject.kind": "Lease", "reason": "LeaderElection"}
	eventually(ctx, "the event of the election", func() bool {
		found := &corev1.EventList{}
		check(kube.List(ctx, found, client.InNamespace(namespace), selector))
		for _, each := range found.Items {
			if strings.HasSuffix(each.Message, " became leader") {
				say("event %s about %s", each.Type, each.InvolvedObject.Name)
				return true
			}
		}
		return false
	})
}
