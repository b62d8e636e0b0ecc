package daemon_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/proto"

	daemonpb "mappe/localdev/node/api/daemon/v1alpha"
	documents "mappe/localdev/node/api/documents/v3alpha"
	networking "mappe/localdev/node/api/networking/v1alpha"
	p2p "mappe/localdev/node/api/p2p/v1alpha"
	"mappe/localdev/node/blob"
	"mappe/localdev/node/cbor"
	"mappe/localdev/node/ident"
	"mappe/localdev/node/nodetest"
)

// grepNot looks through every file of a folder.
func grepNot(t testing.TB, dir, text string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		if bytes.Contains(raw, []byte(text)) {
			t.Errorf("%s contains it", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// push pushes and gives every message.
func push(t testing.TB, from *nodetest.Node, addrs []string, recursive bool, resources ...string) ([]*p2p.AnnounceBlobsProgress, error) {
	t.Helper()
	s, err := from.Resources.PushResourcesToPeer(ctx, connect.NewRequest(&documents.PushResourcesToPeerRequest{Addrs: addrs,
		Resources: resources, Recursive: recursive}))
	if err != nil {
		return nil, err
	}
	defer s.Close()
	var all []*p2p.AnnounceBlobsProgress
	for s.Receive() {
		all = append(all, proto.CloneOf(s.Msg()))
	}
	return all, s.Err()
}

// The documents are the same on the second node, and the messages count up to what was wanted.
func pushed(b bench) {
	b.node.Write(b, b.account, "/tree", "", nodetest.Named("Tree"))
	b.node.Write(b, b.account, "/tree/leaf", "", nodetest.Named("Leaf"))
	all, err := push(b, b.node, b.other.Server.Peers.Addrs(), false, "hm://"+b.account+"/tree", "hm://"+b.account+"/a")
	if err != nil || len(all) < 2 {
		b.Fatalf("%v, %v", all, err)
	}
	first, last := all[0], all[len(all)-1]
	if first.BlobsProcessed != 0 || first.BlobsWanted != first.BlobsAnnounced || last.BlobsProcessed != last.BlobsWanted ||
		last.BlobsFailed != 0 {
		b.Errorf("first %v, last %v", first, last)
	}
	if got := b.other.Read(b, b.account, "/a", ""); !proto.Equal(got, b.document) {
		b.Errorf("%v", got)
	}
	leaf := &documents.GetDocumentRequest{Account: b.account, Path: "/tree/leaf"}
	if _, err := b.other.Documents.GetDocument(ctx, connect.NewRequest(leaf)); connect.CodeOf(err) != connect.CodeNotFound {
		b.Errorf("what lies below was pushed too: %v", err)
	}
	if _, err := push(b, b.node, b.other.Server.Peers.Addrs(), true, "hm://"+b.account+"/tree"); err != nil {
		b.Error(err)
	}
	b.other.Read(b, b.account, "/tree/leaf", "")
	again, err := push(b, b.node, b.other.Server.Peers.Addrs(), true, "hm://"+b.account+"/tree")
	if err != nil || len(again) != 1 || again[0].BlobsWanted != 0 || again[0].BlobsKnown != again[0].BlobsAnnounced {
		b.Errorf("again: %v, %v", again, err)
	}
}

// A node that is connected fetches what it is told to, and nothing else.
func pulled(b bench) {
	n := nodetest.Start(b)
	iri := "hm://" + b.account + "/a"
	_, err := n.Resources.ForceSync(ctx, connect.NewRequest(&documents.ResourceForceSyncRequest{Url: iri}))
	wantCode(b, err, connect.CodeUnavailable) // it is connected to nobody
	if _, err := n.Network.Connect(ctx, connect.NewRequest(&networking.ConnectRequest{Addrs: b.node.Server.Peers.Addrs()})); err != nil {
		b.Fatal(err)
	}
	if _, err := n.Resources.ForceSync(ctx, connect.NewRequest(&documents.ResourceForceSyncRequest{Url: iri})); err != nil {
		b.Fatal(err)
	}
	if got := n.Read(b, b.account, "/a", ""); !proto.Equal(got, b.document) {
		b.Errorf("%v", got)
	}
	_, err = n.Resources.ForceSync(ctx, connect.NewRequest(&documents.ResourceForceSyncRequest{Url: "hm://" + b.account + "/nothing"}))
	wantCode(b, err, connect.CodeNotFound)
	for url, want := range map[string]connect.Code{"https://example.com/hm/" + b.account: connect.CodePermissionDenied,
		"http://127.0.0.1:1/hm/" + b.account: connect.CodePermissionDenied,
		"ftp://x":                            connect.CodeInvalidArgument, "https://example.com/x": connect.CodeInvalidArgument} {
		_, err = n.Resources.ForceSync(ctx, connect.NewRequest(&documents.ResourceForceSyncRequest{Url: url}))
		wantCode(b, err, want)
	}
	host := b.node.HTTP
	g := nodetest.Start(b, "-syncing.gateways", host, "-syncing.allow-private")
	if _, err := g.Resources.ForceSync(ctx,
		connect.NewRequest(&documents.ResourceForceSyncRequest{Url: "http://" + host + "/hm/" + b.account + "/a"})); err != nil {
		b.Fatal(err)
	}
	g.Read(b, b.account, "/a", "")
}

// What a node holds of a space is fetched again from those to which it was told to connect.
func daemonForceSync(b bench) {
	n := nodetest.Start(b)
	if _, err := push(b, b.node, n.Server.Peers.Addrs(), false, "hm://"+b.account+"/a"); err != nil {
		b.Fatal(err)
	}
	b.node.Write(b, b.account, "/later", "", nodetest.Named("Later"))
	if _, err := n.Keys.ForceSync(ctx, connect.NewRequest(&daemonpb.ForceSyncRequest{})); err != nil {
		b.Fatal(err)
	}
	_, err := n.Documents.GetDocument(ctx, req(&documents.GetDocumentRequest{Account: b.account, Path: "/later"}))
	wantCode(b, err, connect.CodeNotFound) // who has connected to this node, and was named by nobody, is not asked
	if _, err := n.Network.Connect(ctx, req(&networking.ConnectRequest{Addrs: b.node.Server.Peers.Addrs()})); err != nil {
		b.Fatal(err)
	}
	if _, err := n.Keys.ForceSync(ctx, connect.NewRequest(&daemonpb.ForceSyncRequest{})); err != nil {
		b.Fatal(err)
	}
	n.Read(b, b.account, "/later", "")
}

// prepared is the way of who signs himself: prepare, fill in the signer, sign, store, ref.
func prepared(b bench) {
	r, err := b.node.Documents.PrepareChange(ctx, req(&documents.PrepareChangeRequest{Account: b.account, Path: "/prepared",
		Changes: nodetest.Paragraph("p", "text", "")}))
	raw := ok(b, r, err).UnsignedChange
	v, err := cbor.Unmarshal(raw)
	if err != nil {
		b.Fatal(err)
	}
	m := v.(map[string]any)
	if m["signer"] != nil || m["sig"] != nil {
		b.Errorf("%v", m)
	}
	account, _ := ident.ParseAccount(b.account)
	data, err := blob.Sign(m, account, func(data []byte) ([]byte, error) {
		s, err := b.node.Keys.SignData(ctx, req(&daemonpb.SignDataRequest{SigningKeyName: "alice", Data: data}))
		return ok(b, s, err).Signature, err
	})
	if err != nil {
		b.Fatal(err)
	}
	s, err := b.node.Keys.StoreBlobs(ctx, req(&daemonpb.StoreBlobsRequest{Blobs: []*daemonpb.Blob{{Data: data}}}))
	id := ok(b, s, err).Cids[0]
	target := &documents.RefTarget{Target: &documents.RefTarget_Version_{Version: &documents.RefTarget_Version{Genesis: id, Version: id}}}
	ref, err := b.node.Documents.CreateRef(ctx, req(&documents.CreateRefRequest{Account: b.account, Path: "/prepared",
		SigningKeyName: "alice", Target: target}))
	if m := ok(b, ref, err); m.GenerationInfo.Genesis != id {
		b.Errorf("%v", m)
	}
	if d := b.node.Read(b, b.account, "/prepared", ""); d.Version != id || d.Content[0].Block.Text != "text" {
		b.Errorf("%v", d)
	}
}

// ended redirects a document and ends another; readers are told.
func ended(b bench) {
	b.node.Write(b, b.account, "/from", "", nodetest.Named("From"))
	redirect := &documents.RefTarget{Target: &documents.RefTarget_Redirect_{Redirect: &documents.RefTarget_Redirect{Path: "/a"}}}
	r, err := b.node.Documents.CreateRef(ctx, req(&documents.CreateRefRequest{Account: b.account, Path: "/from",
		SigningKeyName: "alice", Target: redirect}))
	ok(b, r, err)
	_, err = b.node.Documents.GetDocument(ctx, req(&documents.GetDocumentRequest{Account: b.account, Path: "/from"}))
	wantCode(b, err, connect.CodeFailedPrecondition)
	var details documents.RedirectErrorDetails
	if e, is := err.(*connect.Error); is && len(e.Details()) == 1 {
		if v, err := e.Details()[0].Value(); err == nil {
			proto.Merge(&details, v)
		}
	}
	if details.TargetAccount != b.account || details.TargetPath != "/a" {
		b.Errorf("%v", &details)
	}
	back := &documents.RefTarget{Target: &documents.RefTarget_Redirect_{Redirect: &documents.RefTarget_Redirect{Path: "/from"}}}
	_, err = b.node.Documents.CreateRef(ctx, req(&documents.CreateRefRequest{Account: b.account, Path: "/a",
		SigningKeyName: "alice", Target: back}))
	wantCode(b, err, connect.CodeFailedPrecondition) // a circle
	b.node.Write(b, b.account, "/doomed", "", nodetest.Named("Doomed"))
	end := &documents.RefTarget{Target: &documents.RefTarget_Tombstone_{Tombstone: &documents.RefTarget_Tombstone{}}}
	r, err = b.node.Documents.CreateRef(ctx, req(&documents.CreateRefRequest{Account: b.account, Path: "/doomed",
		SigningKeyName: "alice", Target: end}))
	ok(b, r, err)
	_, err = b.node.Documents.GetDocument(ctx, req(&documents.GetDocumentRequest{Account: b.account, Path: "/doomed"}))
	wantCode(b, err, connect.CodeNotFound)
	_, err = b.node.Documents.CreateRef(ctx, req(&documents.CreateRefRequest{Account: b.account, SigningKeyName: "alice", Target: end}))
	wantCode(b, err, connect.CodeInvalidArgument) // the home document stays
}
