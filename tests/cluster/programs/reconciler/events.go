package main

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/watch"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// events is a watch on policies, as programs without a cache keep one.
type events struct {
	stream watch.Interface
}

func watchPolicies(ctx context.Context, kube client.WithWatch, options ...client.ListOption) *events {
	stream, err := kube.Watch(ctx, &DownscalePolicyList{}, options...)
	check(err)
	return &events{stream: stream}
}

// tell prints the next events, so many of them.
func (e *events) tell(ctx context.Context, count int) {
	for range count {
		select {
		case event, open := <-e.stream.ResultChan():
			if !open {
				check(fmt.Errorf("the watch ended"))
			}
			policy, ok := event.Object.(*DownscalePolicy)
			if !ok {
				check(fmt.Errorf("an event %s with %#v", event.Type, event.Object))
			}
			say("%s %s", event.Type, describePolicy(policy))
		case <-ctx.Done():
			check(fmt.Errorf("no further event in time"))
		}
	}
}
