package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/tools/cache"
)

// seen keeps what the informers told until the story asks for it. Two informers race with each
// other, hence it is told object by object; each step waits for all events it causes.
type seen struct {
	mutex  sync.Mutex
	events []event
}

type event struct {
	object string
	text   string
}

func (s *seen) handler() cache.ResourceEventHandler {
	return cache.ResourceEventHandlerFuncs{
		AddFunc: func(object any) { s.add("ADDED", object) },
		UpdateFunc: func(before, after any) {
			// After a new list everything is told again, changed or not. Some servers say of a
			// pod that it goes at once before they say that it is gone.
			if revision(before) != revision(after) && !goesAtOnce(after) {
				s.add("MODIFIED", after)
			}
		},
		DeleteFunc: func(object any) {
			// What went away between two lists is known by its last state only.
			if unknown, ok := object.(cache.DeletedFinalStateUnknown); ok {
				object = unknown.Obj
			}
			s.add("DELETED", object)
		},
	}
}

func (s *seen) add(what string, object any) {
	name, state := describe(object)
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.events = append(s.events, event{object: name, text: fmt.Sprintf("%s %s, %s", what, name, state)})
}

// take returns all events, and forgets them, when there are at least so many.
func (s *seen) take(count int) ([]event, bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if len(s.events) < count {
		return s.events, false
	}
	taken := s.events
	s.events = nil
	return taken, true
}

// tell waits until so many events have come, and prints all that have.
func (s *seen) tell(ctx context.Context, count int) {
	events, enough := s.take(count)
	for !enough && ctx.Err() == nil {
		time.Sleep(time.Millisecond)
		events, enough = s.take(count)
	}
	if !enough {
		check(fmt.Errorf("waited for %d events, and there are %q", count, events))
	}
	slices.SortStableFunc(events, func(a, b event) int { return strings.Compare(a.object, b.object) })
	for _, each := range events {
		say("%s", each.text)
	}
}

// expectNothing shows that no step caused more events than it waited for.
func (s *seen) expectNothing() {
	time.Sleep(100 * time.Millisecond)
	if events, _ := s.take(0); len(events) > 0 {
		check(fmt.Errorf("events that nobody expected: %q", events))
	}
}

func revision(object any) string { return object.(metav1.Object).GetResourceVersion() }

func goesAtOnce(object any) bool {
	grace := object.(metav1.Object).GetDeletionGracePeriodSeconds()
	return grace != nil && *grace == 0
}

// describe says which object it is, and its state.
func describe(object any) (string, string) {
	switch thing := object.(type) {
	case *corev1.Pod:
		return "pod " + thing.Name, fmt.Sprintf("labels %q%s", labels.FormatLabels(thing.Labels),
			ending(thing))
	case *appsv1.Deployment:
		return "deployment " + thing.Name, fmt.Sprintf("labels %q, generation %d, %d replicas of %s",
			labels.FormatLabels(thing.Labels), thing.Generation, *thing.Spec.Replicas, containers(thing))
	}
	return fmt.Sprintf("%T", object), ""
}

func ending(object metav1.Object) string {
	if object.GetDeletionTimestamp() == nil {
		return ""
	}
	return fmt.Sprintf(", going within %d s", *object.GetDeletionGracePeriodSeconds())
}

func containers(deployment *appsv1.Deployment) string {
	var names []string
	for _, each := range deployment.Spec.Template.Spec.Containers {
		names = append(names, each.Name+"="+each.Image)
	}
	return strings.Join(names, " ")
}
