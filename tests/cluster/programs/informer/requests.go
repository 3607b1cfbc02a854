package main

import (
	"fmt"
	"net/http"
	"path"
	"slices"
	"sync"
)

// requests notes how the informers get what they know: by lists, streaming lists or watches, and
// in which format.
type requests struct {
	mutex sync.Mutex
	lines []string
}

// observer stands between client-go and the network.
type observer struct {
	next     http.RoundTripper
	requests *requests
}

func (o observer) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := o.next.RoundTrip(request)
	if err == nil && request.Method == http.MethodGet {
		o.requests.note(request, response)
	}
	return response, err
}

func (r *requests) note(request *http.Request, response *http.Response) {
	query := request.URL.Query()
	how := "list"
	if query.Get("sendInitialEvents") == "true" {
		how = "streaming list"
	} else if query.Get("watch") == "true" {
		how = "watch"
	}
	line := fmt.Sprintf("%s: %s, %d %s", path.Base(request.URL.Path), how, response.StatusCode,
		response.Header.Get("Content-Type"))
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if !slices.Contains(r.lines, line) {
		r.lines = append(r.lines, line)
	}
}

func (r *requests) forget() {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.lines = nil
}

// told returns each kind of request since the last forget once, in alphabetical order.
func (r *requests) told() []string {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	lines := slices.Clone(r.lines)
	slices.Sort(lines)
	return lines
}
