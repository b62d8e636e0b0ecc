package daemon_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"maps"
	"mime/multipart"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	daemonpb "mappe/localdev/node/api/daemon/v1alpha"
	documents "mappe/localdev/node/api/documents/v3alpha"
	networking "mappe/localdev/node/api/networking/v1alpha"
	"mappe/localdev/node/blob"
	"mappe/localdev/node/nodetest"
	"mappe/localdev/node/rpc"
)

var ctx = context.Background()

// declared reads served.tsv: method and path or name.
func declared(t *testing.T) map[string]string {
	t.Helper()
	raw, err := os.ReadFile("../served.tsv")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]string{}
	for line := range strings.Lines(string(raw)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if strings.HasPrefix(line, "#") {
			continue
		}
		if len(f) != 4 || f[0] != "node" {
			t.Fatalf("served.tsv: %q", line)
		}
		rows[f[1]+" "+f[2]] = f[3]
	}
	return rows
}

// bench is a node with a document, and another beside it.
type bench struct {
	*testing.T
	node, other *nodetest.Node
	account     string
	document    *documents.Document
}

// ok checks that a call succeeded and said something.
func ok[M any](b bench, r *connect.Response[M], err error) *M {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
	return r.Msg
}

func req[M any](m *M) *connect.Request[M] { return connect.NewRequest(m) }

// served are the calls of the declared rows. Each holds the answer to what it must say.
var served = map[string]func(bench){
	"GRPC Daemon.GenMnemonic": func(b bench) {
		r, err := b.node.Keys.GenMnemonic(ctx, req(&daemonpb.GenMnemonicRequest{WordCount: 24}))
		if m := ok(b, r, err); len(m.Mnemonic) != 24 {
			b.Errorf("%d words", len(m.Mnemonic))
		}
	},
	"GRPC Daemon.RegisterKey": func(b bench) {
		words := strings.Fields("abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about")
		r, err := b.node.Keys.RegisterKey(ctx, req(&daemonpb.RegisterKeyRequest{Mnemonic: words, Name: "registered"}))
		if m := ok(b, r, err); m.Name != "registered" || !strings.HasPrefix(m.AccountId, "z6Mk") {
			b.Errorf("%v", m)
		}
		_, err = b.node.Keys.RegisterKey(ctx, req(&daemonpb.RegisterKeyRequest{Mnemonic: words, Name: "registered"}))
		wantCode(b, err, connect.CodeAlreadyExists)
	},
	"GRPC Daemon.CreateKey": func(b bench) {
		r, err := b.node.Keys.CreateKey(ctx, req(&daemonpb.CreateKeyRequest{Name: "created"}))
		m := ok(b, r, err)
		if m.Name != "created" || len(m.Mnemonic) != 12 {
			b.Errorf("%v", m)
		}
		// the words are the key, and nothing that is kept says them
		again, err := b.other.Keys.RegisterKey(ctx, req(&daemonpb.RegisterKeyRequest{Mnemonic: m.Mnemonic}))
		if ok(b, again, err).AccountId != m.AccountId {
			b.Error("the words are of another key")
		}
		grepNot(b, b.node.Dir, strings.Join(m.Mnemonic, " "))
	},
	"GRPC Daemon.ListKeys": func(b bench) {
		r, err := b.node.Keys.ListKeys(ctx, req(&daemonpb.ListKeysRequest{}))
		if m := ok(b, r, err); len(m.Keys) == 0 || m.Keys[0].PublicKey != m.Keys[0].AccountId {
			b.Errorf("%v", m)
		}
	},
	"GRPC Daemon.UpdateKey": func(b bench) {
		b.other.Key(b, "old")
		r, err := b.other.Keys.UpdateKey(ctx, req(&daemonpb.UpdateKeyRequest{CurrentName: "old", NewName: "new"}))
		if m := ok(b, r, err); m.Name != "new" {
			b.Errorf("%v", m)
		}
	},
	"GRPC Daemon.DeleteKey": func(b bench) {
		b.other.Key(b, "doomed")
		r, err := b.other.Keys.DeleteKey(ctx, req(&daemonpb.DeleteKeyRequest{Name: "doomed"}))
		ok(b, r, err)
		_, err = b.other.Keys.DeleteKey(ctx, req(&daemonpb.DeleteKeyRequest{Name: "doomed"}))
		wantCode(b, err, connect.CodeNotFound)
	},
	"GRPC Daemon.DeleteAllKeys": func(b bench) {
		n := nodetest.Start(b)
		n.Key(b, "one")
		r, err := n.Keys.DeleteAllKeys(ctx, req(&daemonpb.DeleteAllKeysRequest{}))
		ok(b, r, err)
		if l, err := n.Keys.ListKeys(ctx, req(&daemonpb.ListKeysRequest{})); len(ok(b, l, err).Keys) != 0 {
			b.Error("a key is left")
		}
	},
	"GRPC Daemon.GetInfo": func(b bench) {
		r, err := b.node.Keys.GetInfo(ctx, req(&daemonpb.GetInfoRequest{}))
		if m := ok(b, r, err); m.State != daemonpb.State_ACTIVE || !strings.HasPrefix(m.PeerId,
			"12D3KooW") || m.ProtocolId != "/hypermedia/0.9.2" {
			b.Errorf("%v", m)
		}
	},
	"GRPC Daemon.StoreBlobs": func(b bench) {
		data, err := os.ReadFile("served_test.go")
		if err != nil {
			b.Fatal(err)
		}
		id := blob.SumRaw(data).String()
		r, err := b.node.Keys.StoreBlobs(ctx, req(&daemonpb.StoreBlobsRequest{Blobs: []*daemonpb.Blob{{Cid: id, Data: data}}}))
		if m := ok(b, r, err); len(m.Cids) != 1 || m.Cids[0] != id {
			b.Errorf("%v", m)
		}
	},
	"GRPC Daemon.SignData": func(b bench) {
		r, err := b.node.Keys.SignData(ctx, req(&daemonpb.SignDataRequest{SigningKeyName: "alice", Data: []byte("x")}))
		if m := ok(b, r, err); len(m.Signature) != 64 {
			b.Errorf("%v", m)
		}
	},
	"GRPC Daemon.ForceSync":              daemonForceSync,
	"GRPC Resources.PushResourcesToPeer": pushed,
	"GRPC Resources.ForceSync":           pulled,
	"GRPC Networking.Connect":            connected,
	"GRPC Networking.GetPeerInfo": func(b bench) {
		connected(b)
		r, err := b.node.Network.GetPeerInfo(ctx, req(&networking.GetPeerInfoRequest{DeviceId: b.other.Server.Peers.ID().String()}))
		if m := ok(b, r, err); m.ConnectionStatus != networking.ConnectionStatus_CONNECTED || !m.IsDirect ||
			m.Protocol != "/hypermedia/0.9.2" {
			b.Errorf("%v", m)
		}
	},
	"GRPC Networking.ListPeers": func(b bench) {
		connected(b)
		r, err := b.node.Network.ListPeers(ctx, req(&networking.ListPeersRequest{}))
		if m := ok(b, r, err); !slices.ContainsFunc(m.Peers,
			func(p *networking.PeerInfo) bool { return p.Id == b.other.Server.Peers.ID().String() }) {
			b.Errorf("%v", m)
		}
	},
	"GRPC Documents.GetDocument": func(b bench) {
		if d := b.node.Read(b, b.account, "/a", ""); !proto.Equal(d, b.document) || d.Content[0].Block.Text != "first" {
			b.Errorf("%v", d)
		}
	},
	"GRPC Documents.GetDocumentInfo": func(b bench) {
		r, err := b.node.Documents.GetDocumentInfo(ctx, req(&documents.GetDocumentInfoRequest{Account: b.account, Path: "/a"}))
		if m := ok(b, r, err); m.Version != b.document.Version || m.Metadata.Fields["name"].GetStringValue() != "A" {
			b.Errorf("%v", m)
		}
	},
	"GRPC Documents.BatchGetDocumentInfo": func(b bench) {
		one := &documents.GetDocumentInfoRequest{Account: b.account, Path: "/a"}
		r, err := b.node.Documents.BatchGetDocumentInfo(ctx,
			req(&documents.BatchGetDocumentInfoRequest{Requests: []*documents.GetDocumentInfoRequest{one, one}}))
		if m := ok(b, r, err); len(m.Documents) != 2 {
			b.Errorf("%v", m)
		}
	},
	"GRPC Documents.PrepareChange": prepared,
	"GRPC Documents.CreateDocumentChange": func(b bench) {
		d := b.node.Write(b, b.account, "/b", "", nodetest.Named("B"))
		if d.Genesis != d.Version || d.GenerationInfo.Generation == 0 || !slices.Equal(d.Authors, []string{b.account}) {
			b.Errorf("%v", d)
		}
	},
	"GRPC Documents.CreateRef": func(b bench) { ended(b) },
	"GRPC Documents.GetRef": func(b bench) {
		r, err := b.node.Documents.ListRefs(ctx, req(&documents.ListRefsRequest{Account: b.account, Path: "/a"}))
		ref := ok(b, r, err).Refs[0]
		g, err := b.node.Documents.GetRef(ctx, req(&documents.GetRefRequest{Id: ref.Id}))
		if m := ok(b, g, err); !proto.Equal(m, ref) || m.Target.GetVersion().GetVersion() != b.document.Version {
			b.Errorf("%v", m)
		}
	},
	"GRPC Documents.ListRefs": func(b bench) {
		r, err := b.node.Documents.ListRefs(ctx, req(&documents.ListRefsRequest{Account: b.account, Path: "/a"}))
		if m := ok(b, r, err); len(m.Refs) != 1 || m.Refs[0].Signer != b.account {
			b.Errorf("%v", m)
		}
	},
	"GRPC Documents.ListDocuments": func(b bench) {
		seen := 0
		for token := ""; ; {
			r, err := b.node.Documents.ListDocuments(ctx,
				req(&documents.ListDocumentsRequest{Account: b.account, PageSize: 1, PageToken: token}))
			m := ok(b, r, err)
			seen += len(m.Documents)
			if token = m.NextPageToken; token == "" {
				break
			}
		}
		if seen < 2 { // the home document and /a
			b.Errorf("%d documents", seen)
		}
	},
	"GRPC Documents.ListRootDocuments": func(b bench) {
		r, err := b.node.Documents.ListRootDocuments(ctx, req(&documents.ListRootDocumentsRequest{}))
		if m := ok(b, r, err); len(m.Documents) != 1 || m.Documents[0].Path != "" || m.Documents[0].Account != b.account {
			b.Errorf("%v", m)
		}
	},
	"GRPC Documents.ListDirectory": func(b bench) {
		b.node.Write(b, b.account, "/a/below", "", nodetest.Named("Below"))
		b.node.Write(b, b.account, "/ab", "", nodetest.Named("Beside"))
		r, err := b.node.Documents.ListDirectory(ctx, req(&documents.ListDirectoryRequest{Account: b.account, DirectoryPath: "/a"}))
		m := ok(b, r, err)
		if len(m.Documents) != 1 || m.Documents[0].Path != "/a/below" || m.Documents[0].Breadcrumbs[1].Name != "A" {
			b.Errorf("%v", m)
		}
	},
	"GRPC Documents.ListDocumentChanges": func(b bench) {
		r, err := b.node.Documents.ListDocumentChanges(ctx, req(&documents.ListDocumentChangesRequest{Account: b.account}))
		if m := ok(b, r, err); len(m.Changes) != 2 || len(m.Changes[0].Deps) != 1 || m.Changes[0].Deps[0] != m.Changes[1].Id {
			b.Errorf("%v", m)
		}
	},
	"GRPC Documents.GetDocumentChange": func(b bench) {
		r, err := b.node.Documents.GetDocumentChange(ctx, req(&documents.GetDocumentChangeRequest{Id: b.document.Version}))
		if m := ok(b, r, err); m.Author != b.account {
			b.Errorf("%v", m)
		}
	},
	"GRPC Resources.GetResource": func(b bench) {
		for _, iri := range []string{"hm://" + b.account + "/a", "hm://" + b.account + "/a?v=" + b.document.Version,
			"https://example.com/hm/" + b.account + "/a"} {
			r, err := b.node.Resources.GetResource(ctx, req(&documents.GetResourceRequest{Iri: iri}))
			if m := ok(b, r, err); !proto.Equal(m.GetDocument(), b.document) || m.Version != b.document.Version {
				b.Errorf("%s: %v", iri, m)
			}
		}
	},
	"HTTP /hm/api/config": func(b bench) {
		var c struct {
			PeerID     string   `json:"peerId"`
			Addrs      []string `json:"addrs"`
			ProtocolID string   `json:"protocolId"`
		}
		raw, _ := get(b, "/hm/api/config", 200)
		if err := json.Unmarshal(raw,
			&c); err != nil || c.PeerID != b.node.Server.Peers.ID().String() || len(c.Addrs) != 2 || c.ProtocolID != "/hypermedia/0.9.2" {
			b.Errorf("%s, %v", raw, err)
		}
	},
	"HTTP /hm/{account}/{path}": func(b bench) {
		if raw, _ := get(b, "/hm/"+b.account+"/a", 200); !bytes.Contains(raw, []byte("<p>first</p>")) {
			b.Errorf("%s", raw)
		}
		var d documents.Document
		raw, _ := get(b, "/hm/"+b.account+"/a?format=json", 200)
		if err := protojson.Unmarshal(raw, &d); err != nil || !proto.Equal(&d, b.document) {
			b.Errorf("%v, %v", &d, err)
		}
		kept(b, "/hm/"+b.account+"/a")
		get(b, "/hm/"+b.account+"/nothing", 404)
		get(b, "/hm/nobody", 404)
	},
	"HTTP /ipfs/{cid}": func(b bench) {
		raw, h := get(b, "/ipfs/"+b.document.Version, 200)
		if blob.Sum(raw).String() != b.document.Version || h.Get("ETag") != `"`+b.document.Version+`"` ||
			!strings.Contains(h.Get("Cache-Control"), "immutable") {
			b.Errorf("%d bytes, %v", len(raw), h)
		}
		get(b, "/ipfs/x", 400)
		get(b, "/ipfs/..%2f..%2fetc", 400)
		get(b, "/ipfs/"+blob.SumRaw([]byte("not here")).String(), 404)
	},
	"HTTP /ipfs/{cid}.dagjson": func(b bench) {
		raw, _ := get(b, "/ipfs/"+b.document.Version+".dagjson", 200)
		var m map[string]any
		if err := json.Unmarshal(raw, &m); err != nil || m["type"] != "Change" || m["signer"].(map[string]any)["/"] == nil {
			b.Errorf("%s, %v", raw, err)
		}
		// A float that is a whole number stays one, in the blob's bytes and in JSON.
		s := newStranger("floats")
		data := s.sign(b, (&blob.Change{Time: now(), Ops: []blob.Op{blob.ReplaceBlock{Block: blob.Block{ID: "a",
			Attributes: map[string]any{"f": []any{1.0, 1e300, 2.5}, "n": int64(1)}}}}}).Fields())
		if err := storeBlobs(b.node, data); err != nil {
			b.Fatal(err)
		}
		raw, _ = get(b, "/ipfs/"+blob.Sum(data).String()+".dagjson", 200)
		if !bytes.Contains(raw, []byte(`"f":[1.0,1e+300,2.5]`)) || !bytes.Contains(raw, []byte(`"n":1}`)) {
			b.Errorf("%s", raw)
		}
	},
	"HTTP /ipfs/{cid} (body)": func(b bench) {
		data := []byte("a file")
		post(b, "/ipfs/"+blob.SumRaw(data).String(), "", bytes.NewReader(data), 200)
		post(b, "/ipfs/"+blob.SumRaw(data).String(), "", strings.NewReader("another"), 400)
		if raw, _ := get(b, "/ipfs/"+blob.SumRaw(data).String(), 200); string(raw) != "a file" {
			b.Errorf("%q", raw)
		}
	},
	"HTTP /ipfs/file-upload": func(b bench) {
		want := bytes.Repeat([]byte("0123456789abcdef"), 40_000) // three pieces
		var form bytes.Buffer
		w := multipart.NewWriter(&form)
		f, err := w.CreateFormFile("file", "x.bin")
		if err != nil {
			b.Fatal(err)
		}
		_, _ = f.Write(want)
		_ = w.Close()
		id := post(b, "/ipfs/file-upload", w.FormDataContentType(), &form, 201)
		if raw, _ := get(b, "/ipfs/"+id, 200); !bytes.Equal(raw, want) {
			b.Errorf("%d bytes of %d came back", len(raw), len(want))
		}
	},
	"HTTP /debug/version": func(b bench) {
		if raw, _ := get(b, "/debug/version", 200); !json.Valid(raw) {
			b.Errorf("%s", raw)
		}
	},
}

func connected(b bench) {
	r, err := b.node.Network.Connect(ctx, req(&networking.ConnectRequest{Addrs: b.other.Server.Peers.Addrs()}))
	ok(b, r, err)
	if !slices.Contains(b.node.Server.Peers.Connected(), b.other.Server.Peers.ID()) {
		b.Error("there is no connection")
	}
}

// get asks the node over HTTP.
func get(b bench, path string, code int) ([]byte, http.Header) {
	b.Helper()
	r, err := http.Get("http://" + b.node.HTTP + path)
	if err != nil {
		b.Fatal(err)
	}
	defer r.Body.Close()
	raw, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != code {
		b.Errorf("%s: want %d, got %s, %v: %.300s", path, code, r.Status, err, raw)
	}
	return raw, r.Header
}

// kept holds the two forms of a page to what a cache needs to tell them apart.
func kept(b bench, path string) {
	b.Helper()
	ask := func(accept, tag string) *http.Response {
		r, err := http.NewRequest("GET", "http://"+b.node.HTTP+path, nil)
		if err != nil {
			b.Fatal(err)
		}
		r.Header.Set("Accept", accept)
		r.Header.Set("If-None-Match", tag)
		a, err := http.DefaultClient.Do(r)
		if err != nil {
			b.Fatal(err)
		}
		_ = a.Body.Close()
		return a
	}
	page, data := ask("text/html", ""), ask("application/json", "")
	tags := [2]string{page.Header.Get("ETag"), data.Header.Get("ETag")}
	if tags[0] == tags[1] || page.Header.Get("Vary") != "Accept" || data.Header.Get("Cache-Control") != "no-cache" {
		b.Errorf("%v\n%v", page.Header, data.Header)
	}
	if a := ask("text/html", tags[1]); a.StatusCode != 200 {
		b.Errorf("a page for who has the data: %s", a.Status)
	}
	if a := ask("text/html", `"other", W/`+tags[0]); a.StatusCode != 304 {
		b.Errorf("a page for who has it: %s", a.Status)
	}
	for _, path := range []string{"/", "/hm/" + b.account + "/nothing", "/debug/version", "/hm/api/config"} {
		if a, err := http.Get("http://" + b.node.HTTP + path); err != nil || a.Header.Get("Cache-Control") != "no-store" {
			b.Errorf("%s: %v", path, err)
		}
	}
}

func post(b bench, path, kind string, body io.Reader, code int) string {
	b.Helper()
	r, err := http.Post("http://"+b.node.HTTP+path, kind, body)
	if err != nil {
		b.Fatal(err)
	}
	defer r.Body.Close()
	raw, _ := io.ReadAll(r.Body)
	if r.StatusCode != code {
		b.Errorf("%s: want %d, got %s: %.300s", path, code, r.Status, raw)
	}
	return string(raw)
}

func wantCode(t testing.TB, err error, want connect.Code) {
	t.Helper()
	if got := connect.CodeOf(err); err == nil || got != want {
		t.Errorf("want %v, got %v", want, err)
	}
}

// TestServed calls every row of served.tsv, which is what `make coverage` counts, and holds the rows to the services' descriptors: what
// is described is served, and what is served is declared.
func TestServed(t *testing.T) {
	rows := declared(t)
	if want, got := slices.Sorted(maps.Keys(rows)), slices.Sorted(maps.Keys(served)); !slices.Equal(want, got) {
		t.Fatalf("declared and called differ:\n%q\n%q", want, got)
	}
	for _, service := range rpc.Services {
		d, err := protoregistry.GlobalFiles.FindDescriptorByName(protoreflect.FullName(service))
		if err != nil {
			t.Fatal(err)
		}
		methods := d.(protoreflect.ServiceDescriptor).Methods()
		for i := range methods.Len() {
			name := string(d.Name()) + "." + string(methods.Get(i).Name())
			if rows["GRPC "+name] != string(d.Parent().FullName()) {
				t.Errorf("%s of %s is not declared", name, d.Parent().FullName())
			}
		}
	}
	b := bench{node: nodetest.Start(t), other: nodetest.Start(t)}
	b.account = b.node.Key(t, "alice")
	b.node.Write(t, b.account, "", "", nodetest.Named("Home"))
	b.document = b.node.Write(t, b.account, "/a", "", append(nodetest.Paragraph("b1", "first", ""), nodetest.Named("A"))...)
	for _, row := range slices.Sorted(maps.Keys(served)) {
		t.Run(row, func(t *testing.T) {
			b := b
			b.T = t
			served[row](b)
		})
	}
}
