package daemon_test

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"testing"

	"mappe/localdev/node/nodetest"
	"mappe/localdev/node/oracles"
)

// The network's own client library verifies what the node signs, and the node takes and shows what the library signs, over another gRPC.
func TestTheNetworksClientLibrary(t *testing.T) {
	program, folder := oracles.Node(t), oracles.Folder(t, "infra/oracles/hypermedia", "@seed-hypermedia/client", "../../..")
	n := nodetest.Start(t)
	account := n.Key(t, "alice")
	d := n.Write(t, account, "/oracle", "", append(nodetest.Paragraph("b1", "Größe 中", ""), nodetest.Named("Oracle"))...)
	n.Write(t, account, "/oracle", d.Version, nodetest.Paragraph("b2", "second", "b1")...)
	api, err := filepath.Abs("../api")
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(program, filepath.Join(folder, "oracle.mjs"), api, n.GRPC, n.HTTP, account).Output()
	if exit, is := err.(*exec.ExitError); is {
		t.Fatalf("%s", exit.Stderr)
	}
	var found struct{ Verified int }
	if err := json.Unmarshal(out, &found); err != nil || found.Verified != 4 {
		t.Errorf("want 4 blobs verified, got %s, %v", out, err)
	}
}
