// Package dynalite starts an independent server of DynamoDB's protocol (npm package dynalite, which
// `make test` installs into this folder). It is imported by tests only; they are skipped, saying so, where
// Node.js or the package is absent.
package dynalite

import (
	"bytes"
	"net"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"mappe/infra/oracles"
)

// Installed skips a test where Node.js or the package is absent.
func Installed(t testing.TB) {
	t.Helper()
	oracles.Program(t, "node")
	oracles.Folder(t, "infra/oracles/dynalite", "dynalite")
}

// Start runs a server with empty memory until the test ends and gives its address.
func Start(t testing.TB) string {
	t.Helper()
	node := oracles.Program(t, "node")
	program := filepath.Join(oracles.Folder(t, "infra/oracles/dynalite", "dynalite"), "node_modules", "dynalite", "cli.js")
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := free.Addr().String()
	free.Close()
	_, port, _ := net.SplitHostPort(address)
	var log bytes.Buffer
	cmd := exec.Command(node, program, "--host", "127.0.0.1", "--port", port, "--createTableMs", "0")
	cmd.Stdout, cmd.Stderr = &log, &log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
		if t.Failed() {
			t.Log("dynalite:", log.String())
		}
	})
	for deadline := time.Now().Add(2 * time.Minute); ; time.Sleep(20 * time.Millisecond) {
		conn, err := net.DialTimeout("tcp", address, time.Second)
		if err == nil {
			conn.Close()
			return "http://" + address
		}
		if time.Now().After(deadline) {
			t.Fatal(err)
		}
	}
}
