package client

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mappe/localdev/node/nodetest"
)

// run calls the command line against a node.
func run(t *testing.T, n *nodetest.Node, want int, args ...string) (out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	env := func(name string) string {
		return map[string]string{"SEED_NODE": n.GRPC}[name]
	}
	if got := Main(context.Background(), args, env, Streams{strings.NewReader("# From the input\n\nText\n"), &o, &e}); got != want {
		t.Fatalf("node %q: want code %d, got %d: %s%s", args, want, got, o.String(), e.String())
	}
	return o.String(), e.String()
}

// A session as the documentation shows it: a key, a document, its next version, another node, and back.
func TestASession(t *testing.T) {
	n, gateway := nodetest.Start(t), nodetest.Start(t, "-gateway", "-p2p.listen-addrs", "/ip4/127.0.0.1/tcp/0")
	out, _ := run(t, n, 0, "key", "create", "alice")
	words := strings.Split(out, "\n")[1]
	account := "hm://" + n.Server.Keys.List()[0].Account.String()
	if !strings.Contains(out, account) || len(strings.Fields(words)) != 13 {
		t.Errorf("%s", out)
	}
	if out, _ = run(t, n, 0, "key", "list"); !strings.Contains(out, "alice") || strings.Contains(out,
		strings.Fields(words)[1]+" "+strings.Fields(words)[2]) {
		t.Errorf("%s", out)
	}
	file := filepath.Join(t.TempDir(), "doc.md")
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("# Title\n\nfirst\n\nsecond\n")
	first, _ := run(t, n, 0, "publish", file, account+"/doc")
	again, _ := run(t, n, 0, "publish", file, account+"/doc")
	if !strings.HasPrefix(first, "published ") || strings.TrimPrefix(first, "published") != strings.TrimPrefix(again, "unchanged") {
		t.Errorf("%s%s", first, again)
	}
	write("# Title\n\nsecond\n\nthird\n\nfirst\n")
	run(t, n, 0, "publish", file, account+"/doc")
	if out, _ = run(t, n, 0, "get", account+"/doc"); out != "# Title\n\nsecond\n\nthird\n\nfirst\n" {
		t.Errorf("%q", out)
	}
	if out, _ = run(t, n, 0, "get", strings.TrimSpace(strings.TrimPrefix(first, "published "))); out != "# Title\n\nfirst\n\nsecond\n" {
		t.Errorf("the old version: %q", out)
	}
	run(t, n, 0, "publish", "-", account)
	if out, _ = run(t, n, 0, "push", "http://"+gateway.HTTP, account+"/doc", account); strings.Count(out, "read there by its page") != 2 {
		t.Errorf("%s", out)
	}
	if out, _ = run(t, gateway, 0, "get", "-json", account+"/doc"); !strings.Contains(out, `"text": "third"`) {
		t.Errorf("%s", out)
	}
	if out, _ = run(t, n, 0, "push", gateway.Server.Peers.Addrs()[0], account+"/doc"); !strings.Contains(out, "known there") {
		t.Errorf("%s", out)
	}
	if out, _ = run(t, n, 0, "status"); !strings.Contains(out, "2 documents") {
		t.Errorf("%s", out)
	}
}

// What fails says why and ends with a code of its own.
func TestWhatFails(t *testing.T) {
	n := nodetest.Start(t)
	account := "hm://" + n.Key(t, "alice")
	bad := filepath.Join(t.TempDir(), "bad.json")
	if err := os.WriteFile(bad, []byte(`[{"block":{"type":"heading","text":"x"}}]`), 0o600); err != nil {
		t.Fatal(err)
	}
	for want, args := range map[string][]string{
		`content[0].block.type "heading"`: {"publish", bad, account + "/x"},
		"there is no such document":       {"get", account + "/nothing"},
		"no such file":                    {"publish", "absent.md", account},
		"expected hm://ACCOUNT/PATH":      {"publish", bad, "http://x"},
		"is no configuration of a node":   {"push", "http://" + n.HTTP + "/hm", account},
		"the name is taken":               {"key", "create", "alice"},
	} {
		if args[0] == "push" { // an address that answers something else
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>") }))
			defer s.Close()
			args[1] = s.URL
		}
		if _, errs := run(t, n, 1, args...); !strings.Contains(errs, want) {
			t.Errorf("%q: want %q, got %s", args, want, errs)
		}
	}
	for _, args := range [][]string{{"dance"}, {"publish"}, {"get"}, {"key"}, {"push", "x"}, {"status", "x"}} {
		run(t, n, 2, args...)
	}
}

// A page that answers 200 for everything is no proof of a push.
func TestAPageIsNoProof(t *testing.T) {
	n, other := nodetest.Start(t), nodetest.Start(t)
	account := "hm://" + n.Key(t, "alice")
	run(t, n, 0, "publish", "-", account+"/doc")
	liar := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/hm/api/config" {
			fmt.Fprintf(w, `{"peerId":%q,"addrs":[%q]}`, other.Server.Peers.ID(), other.Server.Peers.Addrs()[0])
			return
		}
		fmt.Fprint(w, `{"version":"bafynothing"}`)
	}))
	defer liar.Close()
	if _, errs := run(t, n, 1, "push", liar.URL, account+"/doc"); !strings.Contains(errs, "not proven") {
		t.Errorf("%s", errs)
	}
}

// What lies below an address is pushed with -recursive, and each document of it is proven.
func TestWhatLiesBelowIsProven(t *testing.T) {
	n := nodetest.Start(t)
	account := "hm://" + n.Key(t, "alice")
	for _, path := range []string{"/top", "/top/mid", "/top/mid/leaf", "/topmost"} {
		run(t, n, 0, "publish", "-", account+path)
	}
	gateway := nodetest.Start(t, "-gateway", "-p2p.listen-addrs", "/ip4/127.0.0.1/tcp/0")
	if _, errs := run(t, gateway, 1, "get", account+"/top/mid/leaf"); !strings.Contains(errs, "no such document") {
		t.Errorf("%s", errs)
	}
	for target, how := range map[string]string{"http://" + gateway.HTTP: "read there by its page",
		gateway.Server.Peers.Addrs()[0]: "every blob of it is known there"} {
		out, _ := run(t, n, 0, "push", "-recursive", target, account+"/top")
		for _, path := range []string{"/top", "/top/mid", "/top/mid/leaf"} {
			if !strings.Contains(out, "pushed "+account+path+"?v=") || strings.Count(out, how) != 3 {
				t.Errorf("%s at %s: %s", path, target, out)
			}
		}
	}
	if text, _ := run(t, gateway, 0, "get", account+"/top/mid/leaf"); !strings.Contains(text, "From the input") {
		t.Errorf("%q", text)
	}
	run(t, gateway, 1, "get", account+"/topmost")
	forgets := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/leaf") || strings.HasPrefix(r.URL.Path, "/ipfs/") {
			http.NotFound(w, r)
			return
		}
		r.Host = gateway.HTTP
		httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: gateway.HTTP}).ServeHTTP(w, r)
	}))
	defer forgets.Close()
	if _, errs := run(t, n, 1, "push", "-recursive", forgets.URL, account+"/top"); !strings.Contains(errs, "/top/mid/leaf: not proven") {
		t.Errorf("%s", errs)
	}
}

// The entries of a feed become documents, once.
func TestAFeedIsPublishedOnce(t *testing.T) {
	n := nodetest.Start(t)
	account := "hm://" + n.Key(t, "alice")
	feed := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id, more := "b", `,"more":true,"before":"c1"`
		if r.URL.Query().Get("before") == "c1" {
			id, more = "a", `,"more":false`
		}
		fmt.Fprintf(w, `{"count":1,"entries":[{"id":%q,"task_id":"7","board":"main","title":"[design] %s","summary":"One.\n\nTwo.","completed_at":"2026-01-02T03:04:05Z"}]%s}`, id, id, more)
	}))
	defer feed.Close()
	out, _ := run(t, n, 0, "publish", "-feed", feed.URL+"/work/feed", account+"/work")
	again, _ := run(t, n, 0, "publish", "-feed", feed.URL+"/work/feed", account+"/work")
	if !strings.HasPrefix(out, "published 2 entries") || !strings.HasPrefix(again,
		"published 0 entries") || !strings.Contains(again, "2 were there") {
		t.Errorf("%s%s", out, again)
	}
	if text, _ := run(t, n, 0, "get", account+"/work/a"); text != "# \\[design\\] a\n\nOne.\n\nTwo.\n" {
		t.Errorf("%q", text)
	}
}
