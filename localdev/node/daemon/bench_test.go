package daemon_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"mappe/localdev/node/blocks"
	"mappe/localdev/node/daemon"
	"mappe/localdev/node/nodetest"
)

// BenchmarkStart is from opening a folder with a thousand documents to answering; at most 300 ms.
func BenchmarkStart(b *testing.B) {
	dir := b.TempDir()
	n := nodetest.StartIn(b, dir)
	account := n.Key(b, "alice")
	for i := range 1000 {
		n.Write(b, account, fmt.Sprintf("/d%d", i), "", nodetest.Named("D"))
	}
	if err := n.Close(); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		m, err := daemon.Start(nodetest.Config(b, dir))
		if err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		if err := m.Close(); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
}

// BenchmarkThousandBlocks creates a document of 1,000 blocks and reads it; at most 100 ms.
func BenchmarkThousandBlocks(b *testing.B) {
	n := nodetest.Start(b)
	account := n.Key(b, "alice")
	draft, err := blocks.ParseMarkdown([]byte(strings.Repeat("A paragraph of *some* length that is not too short.\n\n", 1000)))
	if err != nil {
		b.Fatal(err)
	}
	changes, err := blocks.Changes(nil, draft)
	if err != nil {
		b.Fatal(err)
	}
	i := 0
	for b.Loop() {
		path := fmt.Sprintf("/d%d", i)
		i++
		n.Write(b, account, path, "", changes...)
		if d := n.Read(b, account, path, ""); len(d.Content) != 1000 {
			b.Fatalf("%d blocks", len(d.Content))
		}
	}
}

// BenchmarkPushThousandBlobs pushes 500 changes and their refs over loopback to an empty node; at most 2 s.
func BenchmarkPushThousandBlobs(b *testing.B) {
	n := nodetest.Start(b)
	account := n.Key(b, "alice")
	for i := range 500 {
		n.Write(b, account, fmt.Sprintf("/d%d", i), "", nodetest.Named("D"), nodetest.Paragraph("p", strings.Repeat("text ", 100), "")[0])
	}
	for b.Loop() {
		b.StopTimer()
		other, err := daemon.Start(nodetest.Config(b, b.TempDir()))
		if err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		all, err := push(b, n, other.Server.Peers.Addrs(), true, "hm://"+account)
		b.StopTimer()
		if err != nil || all[len(all)-1].BlobsProcessed != 1000 {
			b.Fatalf("%v, %v", all[len(all)-1], err)
		}
		if err := other.Close(); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
}

// BenchmarkProgram is the program: from its start to the line DaemonStarted, and its memory when it has done nothing for a second
// (at most 80 MB).
func BenchmarkProgram(b *testing.B) {
	if runtime.GOOS != "linux" {
		b.Fatal("the memory of a process is read on Linux only")
	}
	program := filepath.Join(b.TempDir(), "node")
	if out, err := exec.Command("go", "build", "-o", program, "..").CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	dir := b.TempDir()
	var resident, started float64
	for b.Loop() {
		ctx, cancel := context.WithCancel(context.Background())
		cmd := exec.CommandContext(ctx, program, "-data-dir", dir, "-http.port", "0", "-grpc.port", "0", "-p2p.port", "0")
		errs, err := cmd.StderrPipe()
		if err != nil {
			b.Fatal(err)
		}
		began := time.Now()
		if err := cmd.Start(); err != nil {
			b.Fatal(err)
		}
		line := make([]byte, 4096)
		k, err := errs.Read(line)
		started = float64(time.Since(began).Milliseconds())
		if err != nil || !bytes.Contains(line[:k], []byte("DaemonStarted")) {
			b.Fatalf("%s, %v", line[:k], err)
		}
		time.Sleep(time.Second)
		resident = rss(b, cmd.Process.Pid)
		cancel()
		_ = cmd.Wait()
	}
	b.ReportMetric(started, "ms-to-start")
	b.ReportMetric(resident, "MB-idle")
}

// rss is the memory of a process in MB.
func rss(b *testing.B, pid int) float64 {
	b.Helper()
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		b.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(raw), "VmRSS:")
	kb, err := strconv.ParseFloat(strings.Fields(rest)[0], 64)
	if err != nil {
		b.Fatal(err)
	}
	return kb / 1024
}
