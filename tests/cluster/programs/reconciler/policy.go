package main

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/scheme"
)

// The parts of a DownscalePolicy that the stories touch, as Go types.

var policyVersion = schema.GroupVersion{Group: "ebb.dev", Version: "v1alpha1"}

type DownscalePolicy struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   PolicySpec   `json:"spec,omitempty"`
	Status PolicyStatus `json:"status,omitempty"`
}

type PolicySpec struct {
	TargetRef TargetRef `json:"targetRef"`
	Ranking   *Ranking  `json:"ranking,omitempty"`
}

type TargetRef struct {
	APIVersion string `json:"apiVersion,omitempty"`
	Kind       string `json:"kind"`
	Name       string `json:"name"`
}

type Ranking struct {
	Preset  string `json:"preset,omitempty"`
	Publish string `json:"publish,omitempty"`
}

type PolicyStatus struct {
	ObservedGeneration int64              `json:"observedGeneration,omitempty"`
	Conditions         []metav1.Condition `json:"conditions,omitempty"`
}

type DownscalePolicyList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []DownscalePolicy `json:"items"`
}

var addPolicies = (&scheme.Builder{GroupVersion: policyVersion}).
	Register(&DownscalePolicy{}, &DownscalePolicyList{}).AddToScheme

func (p *DownscalePolicy) DeepCopyObject() runtime.Object { return p.copy() }

func (p *DownscalePolicy) copy() *DownscalePolicy {
	made := *p
	made.ObjectMeta = *p.ObjectMeta.DeepCopy()
	if p.Spec.Ranking != nil {
		ranking := *p.Spec.Ranking
		made.Spec.Ranking = &ranking
	}
	made.Status.Conditions = append([]metav1.Condition(nil), p.Status.Conditions...)
	return &made
}

func (l *DownscalePolicyList) DeepCopyObject() runtime.Object {
	made := *l
	made.ListMeta = *l.ListMeta.DeepCopy()
	made.Items = nil
	for i := range l.Items {
		made.Items = append(made.Items, *l.Items[i].copy())
	}
	return &made
}

func newPolicy(namespace, name, target string) *DownscalePolicy {
	return &DownscalePolicy{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name},
		Spec: PolicySpec{
			TargetRef: TargetRef{Kind: "Deployment", Name: target},
			Ranking:   &Ranking{Preset: "keep-zones-balanced"},
		},
	}
}
