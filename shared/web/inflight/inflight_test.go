package inflight

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func TestRequestsAreListedWhileTheyAreAnswered(t *testing.T) {
	now := time.Unix(100, 0)
	tr := &Tracker{Now: func() time.Time { return now }}
	var during []Request
	inner := tr.Wrap(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		now = now.Add(250 * time.Millisecond)
		during, _ = tr.List()
	}))
	outer := tr.Wrap(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		now = now.Add(time.Second)
		inner.ServeHTTP(w, httptest.NewRequest("POST", "/b%2Fc?token=secret", nil))
	}))
	outer.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/a", nil))
	want := []Request{{"GET", "/a", 1250}, {"POST", "/b%2Fc", 250}}
	if len(during) != 2 || during[0] != want[0] || during[1] != want[1] {
		t.Errorf("want %v, got %v", want, during)
	}
	if left, n := tr.List(); n != 0 || len(left) != 0 {
		t.Errorf("left: %v", left)
	}
}

func TestARequestThatPanicsIsForgotten(t *testing.T) {
	tr := &Tracker{}
	h := tr.Wrap(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }))
	func() {
		defer func() { _ = recover() }()
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/", nil))
	}()
	if _, n := tr.List(); n != 0 {
		t.Errorf("%d are left", n)
	}
}

func TestTheListIsBounded(t *testing.T) {
	tr := &Tracker{}
	begun, end := make(chan struct{}), make(chan struct{})
	h := tr.Wrap(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { begun <- struct{}{}; <-end }))
	long := "/" + strings.Repeat("x", 2*maxPath)
	for range maxRequests + 1 {
		go h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", long, nil))
		<-begun
	}
	list, n := tr.List()
	if len(list) != maxRequests || n != maxRequests+1 || len(list[0].Path) != maxPath {
		t.Errorf("%d listed of %d, a path of %d", len(list), n, len(list[0].Path))
	}
	close(end)
}
