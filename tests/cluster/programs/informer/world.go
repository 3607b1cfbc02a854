package main

import (
	"context"
	"net/http"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	appsclient "k8s.io/client-go/kubernetes/typed/apps/v1"
	coreclient "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/utils/ptr"
)

// world is what a story works with: a client, informers of its namespace, and what they did.
// Everything is as NewForConfig gives it; protobuf and streaming lists are client-go's defaults.
type world struct {
	namespace   string
	pods        coreclient.PodInterface
	deployments appsclient.DeploymentInterface
	informers   informers.SharedInformerFactory
	seen        *seen
	requests    *requests
}

func newWorld(config *rest.Config, namespace string) *world {
	requests := &requests{}
	config.Wrap(func(next http.RoundTripper) http.RoundTripper {
		return observer{next: next, requests: requests}
	})
	client, err := kubernetes.NewForConfig(config)
	check(err)
	return &world{
		namespace:   namespace,
		pods:        client.CoreV1().Pods(namespace),
		deployments: client.AppsV1().Deployments(namespace),
		informers: informers.NewSharedInformerFactoryWithOptions(
			client, 0, informers.WithNamespace(namespace)),
		seen:     &seen{},
		requests: requests,
	}
}

// startInformers returns when the caches hold what the server has, and tells how they got it.
func (w *world) startInformers(ctx context.Context) {
	_, err := w.informers.Core().V1().Pods().Informer().AddEventHandler(w.seen.handler())
	check(err)
	_, err = w.informers.Apps().V1().Deployments().Informer().AddEventHandler(w.seen.handler())
	check(err)
	w.requests.forget()
	w.informers.StartWithContext(ctx)
	check(w.informers.WaitForCacheSyncWithContext(ctx).Err)
	for _, line := range w.requests.told() {
		say("%s", line)
	}
}

func (w *world) createPod(ctx context.Context, name string, labels map[string]string) *corev1.Pod {
	pod, err := w.pods.Create(ctx, &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels},
		Spec: corev1.PodSpec{
			// Nobody schedules it, so that nobody but the story changes it.
			SchedulerName: "nobody",
			Containers:    []corev1.Container{{Name: "main", Image: "registry.example/web:1"}},
		},
	}, metav1.CreateOptions{})
	check(err)
	return pod
}

func (w *world) createDeployment(ctx context.Context, name string) *appsv1.Deployment {
	labels := map[string]string{"app": name}
	deployment, err := w.deployments.Create(ctx, &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels},
		Spec: appsv1.DeploymentSpec{
			Replicas: ptr.To(int32(2)),
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec: corev1.PodSpec{
					Containers: []corev1.Container{{Name: "main", Image: "registry.example/web:1"}},
				},
			},
		},
	}, metav1.CreateOptions{})
	check(err)
	return deployment
}
