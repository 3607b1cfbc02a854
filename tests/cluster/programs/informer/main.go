// A program as people write them with client-go: shared informers on pods and Deployments, and
// every way to change an object. It prints what it did and what its informers told it, so that a
// test can compare two servers. Values that differ from run to run are not printed.
//
//	informer --kubeconfig FILE --namespace NAME changes
//	informer --kubeconfig FILE --namespace NAME restart
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"time"

	"k8s.io/client-go/tools/clientcmd"
)

// No step takes seconds; a restart takes a few. Past this, what is waited for does not come.
const patience = 60 * time.Second

func main() {
	kubeconfig := flag.String("kubeconfig", "", "the file that says where the server is")
	namespace := flag.String("namespace", "default", "the namespace to work in")
	flag.Parse()
	stories := map[string]func(context.Context, *world){
		"changes": tellChanges,
		"restart": tellRestart,
	}
	tell, known := stories[flag.Arg(0)]
	if !known {
		fmt.Fprintln(os.Stderr, "usage: informer --kubeconfig FILE --namespace NAME changes|restart")
		os.Exit(2)
	}
	config, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	check(err)
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	world := newWorld(config, *namespace)
	tell(ctx, world)
	world.seen.expectNothing()
}

func step(title string) { fmt.Printf("\n%s\n", title) }

func say(format string, values ...any) { fmt.Printf("  "+format+"\n", values...) }

// check ends the program at an error that the story does not expect.
func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
