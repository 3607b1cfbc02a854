package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
)

// tellRestart keeps informers going while the server is stopped and started again. Whoever runs
// it does that when it says so, makes three changes (a pod is created, one is labelled, a
// Deployment is deleted), and answers with a line.
func tellRestart(ctx context.Context, w *world) {
	for _, name := range []string{"stays", "changes"} {
		w.createPod(ctx, name, nil)
	}
	w.createDeployment(ctx, "stays")
	w.createDeployment(ctx, "goes")
	step("The informers start")
	w.startInformers(ctx)
	w.seen.tell(ctx, 4)
	// A watch that ends early without having told anything makes client-go list again.
	step("They watch")
	w.createPod(ctx, "early", nil)
	w.scale(ctx, "stays", 3)
	w.seen.tell(ctx, 2)

	w.requests.forget()
	step("Restart the server now")
	_, err := bufio.NewReader(os.Stdin).ReadString('\n')
	check(err)
	step("What the informers tell of what happened meanwhile")
	w.seen.tell(ctx, 3)

	step("They go on")
	w.createPod(ctx, "later", nil)
	w.scale(ctx, "stays", 4)
	w.seen.tell(ctx, 2)

	step("How they came back")
	for _, line := range w.requests.told() {
		say("%s", line)
	}
	step("In the end")
	w.compareWithServer(ctx)
}

func (w *world) scale(ctx context.Context, name string, replicas int32) {
	body := fmt.Appendf(nil, `{"spec":{"replicas":%d}}`, replicas)
	_, err := w.deployments.Patch(ctx, name, types.MergePatchType, body, metav1.PatchOptions{})
	check(err)
}

// compareWithServer shows that the caches hold the states that the server has.
func (w *world) compareWithServer(ctx context.Context) {
	list, err := w.pods.List(ctx, metav1.ListOptions{})
	check(err)
	cached, err := w.informers.Core().V1().Pods().Lister().Pods(w.namespace).List(labels.Everything())
	check(err)
	var there, here []string
	for _, pod := range list.Items {
		there = append(there, fmt.Sprintf("%s %s %s", pod.Name, pod.UID, pod.ResourceVersion))
	}
	for _, pod := range cached {
		here = append(here, fmt.Sprintf("%s %s %s", pod.Name, pod.UID, pod.ResourceVersion))
	}
	slices.Sort(there)
	slices.Sort(here)
	if !slices.Equal(there, here) {
		check(fmt.Errorf("the server has %q, the cache %q", there, here))
	}
	say("the cache holds what the server has: %d pods", len(here))
}
