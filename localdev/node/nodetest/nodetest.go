// Package nodetest runs nodes for tests: each in a folder of its own, at free ports of this machine.
package nodetest

import (
	"context"
	"io"
	"net/http"
	"testing"

	"connectrpc.com/connect"

	daemonpb "mappe/localdev/node/api/daemon/v1alpha"
	"mappe/localdev/node/api/daemon/v1alpha/daemonconnect"
	documents "mappe/localdev/node/api/documents/v3alpha"
	"mappe/localdev/node/api/documents/v3alpha/documentsconnect"
	"mappe/localdev/node/api/networking/v1alpha/networkingconnect"
	"mappe/localdev/node/daemon"
)

// Node is a node and its clients.
type Node struct {
	*daemon.Node
	Dir       string
	Keys      daemonconnect.DaemonClient
	Documents documentsconnect.DocumentsClient
	Resources documentsconnect.ResourcesClient
	Network   networkingconnect.NetworkingClient
}

// Config reads flags as the program does, at free ports.
func Config(t testing.TB, dir string, args ...string) *daemon.Config {
	t.Helper()
	c, err := daemon.ParseConfig(append([]string{"-data-dir", dir, "-http.port", "0", "-grpc.port", "0", "-p2p.port", "0"}, args...),
		func(string) string { return "" }, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Start runs a node for the test.
func Start(t testing.TB, args ...string) *Node { return StartIn(t, t.TempDir(), args...) }

// StartIn runs a node in a folder.
func StartIn(t testing.TB, dir string, args ...string) *Node {
	t.Helper()
	n, err := daemon.Start(Config(t, dir, args...))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := n.Close(); err != nil {
			t.Errorf("closing: %v", err)
		}
	})
	p := &http.Protocols{}
	p.SetUnencryptedHTTP2(true)
	c, url := &http.Client{Transport: &http.Transport{Protocols: p}}, "http://"+n.GRPC
	t.Cleanup(c.CloseIdleConnections)
	return &Node{Node: n, Dir: dir, Keys: daemonconnect.NewDaemonClient(c, url, connect.WithGRPC()),
		Documents: documentsconnect.NewDocumentsClient(c, url, connect.WithGRPC()),
		Resources: documentsconnect.NewResourcesClient(c, url, connect.WithGRPC()),
		Network:   networkingconnect.NewNetworkingClient(c, url, connect.WithGRPC())}
}

// Key makes a key and gives its account.
func (n *Node) Key(t testing.TB, name string) string {
	t.Helper()
	k, err := n.Keys.CreateKey(context.Background(), connect.NewRequest(&daemonpb.CreateKeyRequest{Name: name}))
	if err != nil {
		t.Fatal(err)
	}
	return k.Msg.AccountId
}

// Paragraph are the changes that put a paragraph at the end of a document; after is the block before it.
func Paragraph(id, text, after string) []*documents.DocumentChange {
	return []*documents.DocumentChange{
		{Op: &documents.DocumentChange_MoveBlock_{MoveBlock: &documents.DocumentChange_MoveBlock{BlockId: id, LeftSibling: after}}},
		{Op: &documents.DocumentChange_ReplaceBlock{ReplaceBlock: &documents.Block{Id: id, Type: "Paragraph", Text: text}}},
	}
}

// Named is the change that names a document.
func Named(name string) *documents.DocumentChange {
	return &documents.DocumentChange{
		Op: &documents.DocumentChange_SetMetadata_{SetMetadata: &documents.DocumentChange_SetMetadata{Key: "name", Value: name}}}
}

// Write writes a document with a key of the node.
func (n *Node) Write(t testing.TB, account, path, base string, changes ...*documents.DocumentChange) *documents.Document {
	t.Helper()
	d, err := n.Documents.CreateDocumentChange(context.Background(), connect.NewRequest(&documents.CreateDocumentChangeRequest{
		Account: account, Path: path, BaseVersion: base, SigningKeyName: account, Changes: changes}))
	if err != nil {
		t.Fatal(err)
	}
	return d.Msg
}

// Read reads a document.
func (n *Node) Read(t testing.TB, account, path, version string) *documents.Document {
	t.Helper()
	d, err := n.Documents.GetDocument(context.Background(), connect.NewRequest(&documents.GetDocumentRequest{Account: account,
		Path: path, Version: version}))
	if err != nil {
		t.Fatal(err)
	}
	return d.Msg
}
