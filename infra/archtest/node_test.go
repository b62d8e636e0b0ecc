package archtest

import (
	"strings"
	"testing"
)

// nodeAddresses are where the node may import a heavy dependency.
var nodeAddresses = map[string][]string{
	"connectrpc.com/connect": {"localdev/node/rpc", "localdev/node/peer", "localdev/node/client", "localdev/node/api",
		"localdev/node/nodetest"},
	"github.com/libp2p":        {"localdev/node/peer", "localdev/node/bitswap"},
	"github.com/tyler-smith":   {"localdev/node/ident"},
	"github.com/yuin/goldmark": {"localdev/node/blocks"},
	"go.etcd.io/bbolt":         {"localdev/node/store"},
	"google.golang.org/protobuf": {"localdev/node/api", "localdev/node/bitswap", "localdev/node/blocks", "localdev/node/media",
		"localdev/node/rpc", "localdev/node/web"},
}

// TestTheNodeStandsAlone: the node's module takes nothing from this one and gives nothing to it, and its heavy dependencies have their
// addresses too.
func TestTheNodeStandsAlone(t *testing.T) {
	packages := nodeList(t)
	if len(packages) < 10 {
		t.Fatalf("only %d packages were found", len(packages))
	}
	for _, p := range packages {
		for _, imported := range p.Imports {
			if strings.HasPrefix(imported, "mappe/") && !under(name(imported), "localdev/node") {
				t.Errorf("%s imports %s: the node stands alone", p.ImportPath, imported)
			}
			for dependency, rooms := range nodeAddresses {
				if (imported == dependency || strings.HasPrefix(imported, dependency+"/")) && !under(name(p.ImportPath), rooms...) {
					t.Errorf("%s imports %s: it may be imported in %s only", p.ImportPath, imported, strings.Join(rooms, ", "))
				}
			}
		}
	}
	mod := text(t, "go.mod")
	for _, foreign := range []string{"libp2p", "connectrpc.com", "bbolt", "localdev/node"} {
		if strings.Contains(mod, foreign) {
			t.Errorf("go.mod names %s: the node's dependencies are its own", foreign)
		}
	}
}
