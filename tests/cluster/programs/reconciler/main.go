// A program as people write them with controller-runtime: its client, its watches, and a manager
// with a cache and a small reconciler. It prints what it did and what it got, so that a test can
// compare two servers. Values that differ from run to run are not printed.
//
//	reconciler --kubeconfig FILE --namespace NAME client
//	reconciler --kubeconfig FILE --namespace NAME manager
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/runtime"
	clientscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
)

// No step takes seconds. Past this, what is waited for does not come.
const patience = 60 * time.Second

// world is where a story takes place.
type world struct {
	config    *rest.Config
	scheme    *runtime.Scheme
	namespace string
}

func main() {
	namespace := flag.String("namespace", "default", "the namespace to work in")
	flag.Parse()
	ctrl.SetLogger(logr.Discard())
	stories := map[string]func(context.Context, *world){"client": tellClient, "manager": tellManager}
	tell, known := stories[flag.Arg(0)]
	if !known {
		fmt.Fprintln(os.Stderr, "usage: reconciler --kubeconfig FILE --namespace NAME client|manager")
		os.Exit(2)
	}
	// --kubeconfig is a flag of controller-runtime's own.
	config, err := ctrl.GetConfig()
	check(err)
	scheme := runtime.NewScheme()
	check(clientscheme.AddToScheme(scheme))
	check(addPolicies(scheme))
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	tell(ctx, &world{config: config, scheme: scheme, namespace: *namespace})
}

func step(title string) { fmt.Printf("\n%s\n", title) }

func say(format string, values ...any) { fmt.Printf("  "+format+"\n", values...) }

// check ends the program at an error that the story does not expect.
func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// eventually asks again and again; the story goes on when the answer is yes.
func eventually(ctx context.Context, what string, done func() bool) {
	for !done() {
		if ctx.Err() != nil {
			log.Fatalf("waited in vain: %s", what)
		}
		time.Sleep(10 * time.Millisecond)
	}
}
