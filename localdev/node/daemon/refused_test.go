package daemon_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"connectrpc.com/connect"
	"github.com/ipfs/go-cid"

	daemonpb "mappe/localdev/node/api/daemon/v1alpha"
	"mappe/localdev/node/api/daemon/v1alpha/daemonconnect"
	documents "mappe/localdev/node/api/documents/v3alpha"
	networking "mappe/localdev/node/api/networking/v1alpha"
	"mappe/localdev/node/blob"
	"mappe/localdev/node/ident"
	"mappe/localdev/node/nodetest"
)

// stranger signs with a key that the node does not have.
type stranger struct {
	key     ed25519.PrivateKey
	account ident.Account
}

func newStranger(name string) stranger {
	key := ed25519.NewKeyFromSeed([]byte(strings.Repeat(name, 32)[:32]))
	return stranger{key, ident.AccountOf(key.Public().(ed25519.PublicKey))}
}

func (s stranger) sign(t testing.TB, m map[string]any) []byte {
	t.Helper()
	raw, err := blob.Sign(m, s.account, func(data []byte) ([]byte, error) { return ed25519.Sign(s.key, data), nil })
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func now() int64 { return time.Now().UnixMilli() }

func storeBlobs(n *nodetest.Node, data ...[]byte) error {
	m := &daemonpb.StoreBlobsRequest{}
	for _, d := range data {
		m.Blobs = append(m.Blobs, &daemonpb.Blob{Data: d})
	}
	_, err := n.Keys.StoreBlobs(ctx, req(m))
	return err
}

// Blobs that break a rule are refused with InvalidArgument, all of a request with them.
func TestBlobsRefused(t *testing.T) {
	n, s := nodetest.Start(t), newStranger("s")
	first := s.sign(t, (&blob.Change{Time: now()}).Fields())
	good := s.sign(t, map[string]any{"type": "Profile", "ts": now(), "name": "good"})
	after := func(edit func(*blob.Change)) []byte {
		c := &blob.Change{Time: now() + 5, Genesis: blob.Sum(first), Deps: []cid.Cid{blob.Sum(first)}, Depth: 1}
		edit(c)
		return s.sign(t, c.Fields())
	}
	if err := storeBlobs(n, first); err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{
		"no CBOR":         []byte("text"),
		"a plain map":     {0xa0},
		"the future":      s.sign(t, map[string]any{"type": "Profile", "ts": now() + 60_000, "name": "x"}),
		"earlier":         after(func(c *blob.Change) { c.Time = 1 }),
		"another genesis": after(func(c *blob.Change) { c.Genesis = blob.Sum(good) }),
		"a dep of a kind": nil,
		"private": s.sign(t, map[string]any{"type": "Ref", "ts": now(), "path": "/p", "genesisBlob": blob.Sum(first),
			"heads": []any{blob.Sum(first)}, "visibility": "Private"}),
	} {
		if data == nil {
			if err := storeBlobs(n, good); err != nil {
				t.Fatal(err)
			}
			data = after(func(c *blob.Change) { c.Deps = []cid.Cid{blob.Sum(good)} })
		}
		other := s.sign(t, map[string]any{"type": "Profile", "ts": now(), "name": name})
		wantCode(t, storeBlobs(n, other, data), connect.CodeInvalidArgument)
		if n.Server.Library.Store.Has(blob.Sum(other)) {
			t.Errorf("%s: a part of the request was kept", name)
		}
	}
	wantCode(t, storeBlobs(n, make([]byte, blob.MaxSize+1)), connect.CodeInvalidArgument)
	wantCode(t, storeBlobs(n, make([]byte, blob.MaxSize), make([]byte, blob.MaxSize), make([]byte, 1024)), connect.CodeResourceExhausted)
}

// Requests that break a rule have the code that says which kind it is.
func TestRequestsRefused(t *testing.T) {
	n := nodetest.Start(t)
	alice, bob := n.Key(t, "alice"), n.Key(t, "bob")
	d := n.Write(t, alice, "/a", "", nodetest.Named("A"))
	write := func(m *documents.CreateDocumentChangeRequest) error {
		if m.SigningKeyName == "" {
			m.SigningKeyName = "alice"
		}
		_, err := n.Documents.CreateDocumentChange(ctx, req(m))
		return err
	}
	named := []*documents.DocumentChange{nodetest.Named("B")}
	lower := []*documents.DocumentChange{{Op: &documents.DocumentChange_ReplaceBlock{ReplaceBlock: &documents.Block{Id: "x",
		Type: "paragraph"}}}}
	for name, c := range map[string]struct {
		m    *documents.CreateDocumentChangeRequest
		want connect.Code
	}{
		"no base version": {&documents.CreateDocumentChangeRequest{Account: alice, Path: "/a", Changes: named},
			connect.CodeFailedPrecondition},
		"an unknown base": {&documents.CreateDocumentChangeRequest{Account: alice, Path: "/a",
			BaseVersion: blob.Sum(nil).String(), Changes: named}, connect.CodeFailedPrecondition},
		"no right": {&documents.CreateDocumentChangeRequest{Account: alice, Path: "/b", Changes: named,
			SigningKeyName: "bob"}, connect.CodePermissionDenied},
		"another's home": {&documents.CreateDocumentChangeRequest{Account: bob, Changes: named}, connect.CodePermissionDenied},
		"no such key": {&documents.CreateDocumentChangeRequest{Account: alice, Path: "/b", Changes: named,
			SigningKeyName: "nobody"}, connect.CodeNotFound},
		"no changes": {&documents.CreateDocumentChangeRequest{Account: alice, Path: "/b"}, connect.CodeInvalidArgument},
		"a path without /": {&documents.CreateDocumentChangeRequest{Account: alice, Path: "b", Changes: named},
			connect.CodeInvalidArgument},
		"no account": {&documents.CreateDocumentChangeRequest{Account: "x", Path: "/b", Changes: named}, connect.CodeInvalidArgument},
		"a lowercase type": {&documents.CreateDocumentChangeRequest{Account: alice, Path: "/b", Changes: lower},
			connect.CodeInvalidArgument},
		"a private document": {&documents.CreateDocumentChangeRequest{Account: alice, Path: "/b", Changes: named,
			Visibility: documents.ResourceVisibility_RESOURCE_VISIBILITY_PRIVATE}, connect.CodeInvalidArgument},
		"nothing that differs": {&documents.CreateDocumentChangeRequest{Account: alice, Path: "/a", BaseVersion: d.Version,
			Changes: []*documents.DocumentChange{nodetest.Named("A")}}, connect.CodeInvalidArgument},
	} {
		if err := write(c.m); connect.CodeOf(err) != c.want || err == nil {
			t.Errorf("%s: want %v, got %v", name, c.want, err)
		}
	}
	_, err := push(t, n, []string{"/ip4/127.0.0.1/tcp/1/p2p/" + nodetest.Start(t).Server.Peers.ID().String()}, false, "hm://"+alice+"/a")
	wantCode(t, err, connect.CodeUnavailable)
	for _, addrs := range [][]string{nil, {"nonsense"}, {"/ip4/127.0.0.1/tcp/1"}} {
		_, err = push(t, n, addrs, false, "hm://"+alice+"/a")
		wantCode(t, err, connect.CodeInvalidArgument)
	}
	_, err = push(t, n, []string{"x"}, false, "hm://"+alice+"/nothing")
	wantCode(t, err, connect.CodeNotFound)
	_, err = push(t, n, []string{"x"}, false, "http://"+alice)
	wantCode(t, err, connect.CodeInvalidArgument)
	other := nodetest.Start(t, "-p2p.testnet-name", "other")
	_, err = n.Network.Connect(ctx, req(&networking.ConnectRequest{Addrs: other.Server.Peers.Addrs()}))
	wantCode(t, err, connect.CodeFailedPrecondition)
}

// A ref by a key without right is not seen, until the owner gives the right.
func TestRefsWithoutRightWait(t *testing.T) {
	n, owner, guest := nodetest.Start(t), newStranger("o"), newStranger("g")
	change := guest.sign(t, (&blob.Change{Time: now(),
		Ops: []blob.Op{blob.SetAttributes{Attributes: []blob.Attribute{{Key: []string{"name"}, Value: "Guest"}}}}}).Fields())
	ref := guest.sign(t, (&blob.Ref{Space: owner.account, Path: "/guests/one", Genesis: blob.Sum(change),
		Heads: []cid.Cid{blob.Sum(change)}, Time: now(), Generation: now()}).Fields(guest.account))
	if err := storeBlobs(n, ref, change); err != nil {
		t.Fatal(err)
	}
	read := &documents.GetDocumentRequest{Account: owner.account.String(), Path: "/guests/one"}
	_, err := n.Documents.GetDocument(ctx, req(read))
	wantCode(t, err, connect.CodeNotFound)
	right := func(path string) []byte {
		return owner.sign(t, map[string]any{"type": "Capability", "ts": now(), "delegate": guest.account.Bytes(), "role": "WRITER",
			"path": path})
	}
	if err := storeBlobs(n, right("/other")); err != nil {
		t.Fatal(err)
	}
	_, err = n.Documents.GetDocument(ctx, req(read))
	wantCode(t, err, connect.CodeNotFound)
	if err := storeBlobs(n, right("/guests")); err != nil {
		t.Fatal(err)
	}
	if d := n.Read(t, read.Account, read.Path, ""); d.Metadata.Fields["name"].GetStringValue() != "Guest" {
		t.Errorf("%v", d)
	}
}

// A space that is not known here is refused as a whole, but with the flag.
func TestPushesOfUnknownSpaces(t *testing.T) {
	from := nodetest.Start(t)
	account := from.Key(t, "alice")
	from.Write(t, account, "/a", "", nodetest.Named("A"))
	closed := nodetest.Start(t, "-p2p.listen-addrs", "/ip4/0.0.0.0/tcp/0")
	all, err := push(t, from, closed.Server.Peers.Addrs()[:1], false, "hm://"+account+"/a")
	if err != nil || len(all) < 2 || all[len(all)-1].BlobsFailed != all[0].BlobsWanted || closed.Server.Library.Store.Count() != 0 {
		t.Errorf("an unknown space: %v, %v", all, err)
	}
	open := nodetest.Start(t, "-p2p.listen-addrs", "/ip4/0.0.0.0/tcp/0", "-syncing.allow-push")
	all, err = push(t, from, open.Server.Peers.Addrs()[:1], false, "hm://"+account+"/a")
	if err != nil || len(all) < 2 || all[len(all)-1].BlobsFailed != 0 {
		t.Errorf("with the flag: %v, %v", all, err)
	}
}

// Methods and services that are not served answer Unimplemented, in every protocol; reflection says what is served.
func TestUnimplemented(t *testing.T) {
	n := nodetest.Start(t)
	p := &http.Protocols{}
	p.SetUnencryptedHTTP2(true)
	h2 := &http.Client{Transport: &http.Transport{Protocols: p}}
	defer h2.CloseIdleConnections()
	for _, method := range []string{"/com.seed.activity.v1alpha.ActivityFeed/ListEvents",
		"/com.seed.daemon.v1alpha.Daemon/ExportKey", "/com.seed.p2p.v1alpha.Syncing/AnnounceBlobs"} {
		for name, c := range map[string]*connect.Client[daemonpb.ListKeysRequest, daemonpb.ListKeysResponse]{
			"gRPC": connect.NewClient[daemonpb.ListKeysRequest, daemonpb.ListKeysResponse](h2, "http://"+n.GRPC+method, connect.WithGRPC()),
			"gRPC-Web": connect.NewClient[daemonpb.ListKeysRequest, daemonpb.ListKeysResponse](http.DefaultClient,
				"http://"+n.HTTP+method, connect.WithGRPCWeb()),
			"Connect": connect.NewClient[daemonpb.ListKeysRequest, daemonpb.ListKeysResponse](http.DefaultClient,
				"http://"+n.HTTP+method, connect.WithProtoJSON()),
		} {
			if _, err := c.CallUnary(ctx, req(&daemonpb.ListKeysRequest{})); connect.CodeOf(err) != connect.CodeUnimplemented ||
				err == nil {
				t.Errorf("%s by %s: %v", method, name, err)
			}
		}
	}
	for _, o := range []connect.ClientOption{connect.WithGRPCWeb(), connect.WithProtoJSON()} {
		c := daemonconnect.NewDaemonClient(http.DefaultClient, "http://"+n.HTTP, o)
		if _, err := c.ListKeys(ctx, req(&daemonpb.ListKeysRequest{})); err != nil {
			t.Error(err)
		}
	}
}

// Only programs of this machine call the services: not a name that was turned to it, not a page of elsewhere.
func TestHostAndOrigin(t *testing.T) {
	n := nodetest.Start(t, "-http.hosts", "Node.Example")
	ask := func(n *nodetest.Node, method, path, host string, header ...string) int {
		r, err := http.NewRequest(method, "http://"+n.HTTP+path, strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		r.Host = host
		r.Header.Set("Content-Type", "application/json")
		for i := 0; i < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		a, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = a.Body.Close()
		return a.StatusCode
	}
	sign := "/com.seed.daemon.v1alpha.Daemon/ListKeys"
	for _, c := range []struct {
		method, path, host string
		header             []string
		want               int
	}{
		{"POST", sign, n.HTTP, nil, 200},
		{"POST", sign, n.HTTP, []string{"Origin", "http://" + n.HTTP}, 200},
		{"POST", sign, n.HTTP, []string{"Origin", "http://127.0.0.1:1"}, 403},
		{"POST", sign, n.HTTP, []string{"Origin", "null"}, 403},
		{"POST", sign, n.HTTP, []string{"Sec-Fetch-Site", "cross-site"}, 403},
		{"POST", sign, "evil.example", nil, 421},
		{"POST", sign, "node.example", nil, 403},
		{"GET", "/", "node.example", nil, 200},
		{"GET", "/", "NODE.example.:80", nil, 200},
		{"GET", "/", "evil.example", nil, 421},
		{"GET", "/hm/api/config", "localhost:55001", []string{"Origin", "https://example.com"}, 200},
		{"POST", "/ipfs/file-upload", n.HTTP, []string{"Origin", "https://example.com"}, 403},
		{"GET", "/debug/version", "node.example", nil, 403},
		{"POST", "/elsewhere", n.HTTP, nil, 405},
		{"POST", sign, n.HTTP, []string{"X-Forwarded-For", "192.0.2.1"}, 403},
		{"POST", sign, n.HTTP, []string{"x-forwarded-proto", "https"}, 403},
		{"POST", sign, n.HTTP, []string{"Forwarded", "for=192.0.2.1"}, 403},
		{"POST", sign, n.HTTP, []string{"X-Real-IP", "192.0.2.1"}, 403},
		{"POST", "/ipfs/file-upload", n.HTTP, []string{"Via", "1.1 proxy"}, 403},
		{"GET", "/", n.HTTP, []string{"Via", "1.1 proxy"}, 200},
	} {
		if got := ask(n, c.method, c.path, c.host, c.header...); got != c.want {
			t.Errorf("%s %s as %s %v: want %d, got %d", c.method, c.path, c.host, c.header, c.want, got)
		}
	}
	// A proxy that says nothing of itself is not told from a program of this machine: a gateway has no local calls at all.
	gateway := nodetest.Start(t, "-gateway", "-p2p.listen-addrs", "/ip4/127.0.0.1/tcp/0")
	for path, want := range map[string]int{sign: 403, "/com.seed.daemon.v1alpha.Daemon/SignData": 403,
		"/com.seed.daemon.v1alpha.Daemon/DeleteAllKeys": 403, "/ipfs/file-upload": 403} {
		if got := ask(gateway, "POST", path, gateway.HTTP); got != want {
			t.Errorf("%s of a gateway: want %d, got %d", path, want, got)
		}
	}
}

// The page about the node looks at a bounded number of documents, of however many accounts.
func TestThePageIsBounded(t *testing.T) {
	n := nodetest.Start(t)
	for _, name := range []string{"a", "b", "c"} {
		s := newStranger(name)
		blobs := [][]byte{s.sign(t, (&blob.Change{Time: now()}).Fields())}
		id := blob.Sum(blobs[0])
		for i := range 120 {
			blobs = append(blobs, s.sign(t, (&blob.Ref{Space: s.account, Path: ident.Path(fmt.Sprintf("/d%d", i)), Genesis: id,
				Heads: []cid.Cid{id}, Time: now(), Generation: 1}).Fields(s.account)))
		}
		if err := storeBlobs(n, blobs...); err != nil {
			t.Fatal(err)
		}
	}
	raw, _ := get(bench{T: t, node: n}, "/", 200)
	if rows := bytes.Count(raw, []byte("<tr><td>")); rows != 200 || !bytes.Contains(raw, []byte("363 blobs")) ||
		!bytes.Contains(raw, []byte("not listed here")) {
		t.Errorf("%d rows: %.300s", rows, raw)
	}
}

// Nothing leaves a node unasked: one that has keys, documents and the address of a peer that listens calls nobody.
func TestNothingLeavesUnasked(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	called := make(chan string, 1)
	go func() {
		if c, err := l.Accept(); err == nil {
			called <- c.RemoteAddr().String()
			_ = c.Close()
		}
	}()
	n := nodetest.Start(t, "-syncing.gateways", l.Addr().String(), "-syncing.allow-private", "-gateway", "-p2p.listen-addrs",
		"/ip4/127.0.0.1/tcp/0")
	account := n.Key(t, "alice")
	n.Write(t, account, "", "", append(nodetest.Paragraph("p", "x", ""),
		&documents.DocumentChange{Op: &documents.DocumentChange_ReplaceBlock{ReplaceBlock: &documents.Block{Id: "i", Type: "Image",
			Link: "http://" + l.Addr().String() + "/x.png"}}})...)
	if r, err := http.Get("http://" + n.HTTP + "/hm/" + account); err != nil || r.StatusCode != 200 {
		t.Errorf("%v, %v", r, err)
	}
	select {
	case who := <-called:
		t.Errorf("%s called", who)
	case <-time.After(500 * time.Millisecond):
	}
	if peers := n.Server.Peers.Peers(); len(peers) != 0 {
		t.Errorf("it knows %v", peers)
	}
}

// Many write documents of one account at once: each change is kept, no two have the same time.
func TestManyWriteAtOnce(t *testing.T) {
	n, other := nodetest.Start(t), nodetest.Start(t)
	account := n.Key(t, "alice")
	d := n.Write(t, account, "/shared", "", nodetest.Named("Shared"))
	var all sync.WaitGroup
	var mu sync.Mutex
	var failed []error
	for i := range 8 {
		all.Go(func() {
			id := fmt.Sprintf("b%d", i)
			_, err := n.Documents.CreateDocumentChange(ctx, req(&documents.CreateDocumentChangeRequest{Account: account,
				Path: "/shared", BaseVersion: d.Version,
				SigningKeyName: "alice", Changes: nodetest.Paragraph(id, id, "")}))
			_, err2 := push(t, n, other.Server.Peers.Addrs(), false, "hm://"+account+"/shared")
			if connect.CodeOf(err2) == connect.CodeResourceExhausted {
				err2 = nil // more pushes at a time than are taken in
			}
			mu.Lock()
			defer mu.Unlock()
			failed = append(failed, err, err2)
		})
	}
	all.Wait()
	if err := errors.Join(failed...); err != nil {
		t.Fatal(err)
	}
	if _, err := push(t, n, other.Server.Peers.Addrs(), false, "hm://"+account+"/shared"); err != nil {
		t.Fatal(err)
	}
	for _, at := range []*nodetest.Node{n, other} {
		if got := at.Read(t, account, "/shared", ""); len(got.Content) != 8 || strings.Count(got.Version, ".") != 7 {
			t.Errorf("%d blocks, version %s", len(got.Content), got.Version)
		}
	}
}

// A connection that is cut in a push loses nothing that was kept, and the next push brings the rest.
func TestCutConnections(t *testing.T) {
	n, other := nodetest.Start(t), nodetest.Start(t)
	account := n.Key(t, "alice")
	base := ""
	for i := range 40 {
		id := fmt.Sprintf("b%d", i)
		base = n.Write(t, account, "/long", base, nodetest.Paragraph(id, strings.Repeat("text ", 2000), "")...).Version
	}
	cut, cancel := context.WithCancel(ctx)
	defer cancel()
	s, err := n.Resources.PushResourcesToPeer(cut, req(&documents.PushResourcesToPeerRequest{Addrs: other.Server.Peers.Addrs(),
		Resources: []string{"hm://" + account + "/long"}}))
	if err == nil {
		for s.Receive() {
			cancel() // the blobs are on their way now
		}
		_ = s.Close()
	}
	all, err := push(t, n, other.Server.Peers.Addrs(), false, "hm://"+account+"/long")
	if err != nil || len(all) == 0 || all[len(all)-1].BlobsFailed != 0 {
		t.Fatalf("%v, %v", all, err)
	}
	if got := other.Read(t, account, "/long", ""); got.Version != base || len(got.Content) != 40 {
		t.Errorf("%d blocks", len(got.Content))
	}
}

// Whatever bytes are posted as a message: the node answers, with an error of the request at worst.
func FuzzMessages(f *testing.F) {
	n := nodetest.Start(f)
	n.Key(f, "alice")
	methods := []string{"Daemon/StoreBlobs", "Daemon/SignData", "Documents/PrepareChange", "Documents/CreateDocumentChange",
		"Documents/CreateRef", "Documents/ListDirectory", "Resources/GetResource"}
	handler := n.Server.Handler()
	for i := range methods {
		f.Add(i, []byte(`{"account":"z6Mk","path":"/a","changes":[{"moveBlock":{"blockId":"a"}}]}`), true)
		f.Add(i, []byte{10, 3, 18, 1, 160}, false)
	}
	f.Fuzz(func(t *testing.T, method int, body []byte, asJSON bool) {
		name := methods[max(method, 0)%len(methods)]
		service := "com.seed.documents.v3alpha."
		if strings.HasPrefix(name, "Daemon") {
			service = "com.seed.daemon.v1alpha."
		}
		kind := "application/proto"
		if asJSON {
			kind = "application/json"
		}
		r, err := http.NewRequest("POST", "/"+service+name, bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", kind)
		w := &recorder{header: http.Header{}}
		handler.ServeHTTP(w, r)
		if w.code >= 500 && !slices.Contains([]int{501, 503}, w.code) {
			t.Errorf("%s: %d: %s", name, w.code, w.body.Bytes())
		}
	})
}

type recorder struct {
	header http.Header
	code   int
	body   bytes.Buffer
}

func (r *recorder) Header() http.Header { return r.header }
func (r *recorder) WriteHeader(c int)   { r.code = c }
func (r *recorder) Write(b []byte) (int, error) {
	if r.code == 0 {
		r.code = 200
	}
	return r.body.Write(b)
}

var _ io.Writer = (*recorder)(nil)
