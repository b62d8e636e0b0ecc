package exact

import (
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"
)

func TestParseFaults(t *testing.T) {
	for text, want := range map[string]Faults{
		"store=0.1,ledger=0.25,lost=0.05": {Store: 0.1, Ledger: 0.25, Lost: 0.05},
		"kill=1,killwork=0,twice,cold":    {Kill: 1, Twice: true, Cold: true},
		"timeout=1500ms,memory=256":       {Timeout: 1500 * time.Millisecond, MemoryMB: 256},
	} {
		if got, err := ParseFaults(text); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: want %+v, got %+v, %v", text, want, got, err)
		}
	}
	for _, text := range []string{"", "store", "store=", "store=1.1", "store=-1", "ledger=NaN", "kill=x", "twice=yes", "timeout", "timeout=0s",
		"timeout=5", "memory=0", "memory=1.5", "fire=1", "cold,,twice"} {
		if got, err := ParseFaults(text); err == nil || !strings.Contains(err.Error(), "want store=") {
			t.Errorf("%q: want an error that says what is allowed, got %+v, %v", text, got, err)
		}
	}
}

// TestFaultsOfFunctions: each fault ends or slows what it names, the client is told as in the cloud, and without faults all is well.
func TestFaultsOfFunctions(t *testing.T) {
	c := start(t)
	_, warm, err := c.do(t, "GET", "/f/sleep?ms=0", nil)
	if err != nil {
		t.Fatal(err)
	}
	c.edge.SetFaults(Faults{Cold: true})
	seen := map[string]bool{warm: true}
	for range 3 {
		_, pid, err := c.do(t, "GET", "/f/sleep?ms=0", nil)
		if err != nil || seen[pid] {
			t.Errorf("want a process of its own for each invocation, got %q again, %v", pid, err)
		}
		seen[pid] = true
	}
	c.edge.SetFaults(Faults{Kill: 1})
	for deadline := time.Now().Add(time.Minute); c.edge.Injected().Killed == 0 && time.Now().Before(deadline); {
		c.do(t, "GET", "/f/sleep?ms=900", nil)
	}
	if c.edge.Injected().Killed == 0 || !strings.Contains(c.logs.String(), "Runtime exited with error: signal: killed Runtime.ExitError") {
		t.Errorf("want a killed invocation, which the log says as Lambda does, got %+v", c.edge.Injected())
	}
	c.edge.SetFaults(Faults{Timeout: 50 * time.Millisecond})
	c.want(t, "GET", "/f/sleep?ms=900", nil, 502, "Internal Server Error")
	if s := c.stats(t, "EchoFunction"); s.TimedOut == 0 || !strings.Contains(c.logs.String(), "Task timed out after 0.05 seconds") {
		t.Errorf("want an invocation that took too long, got %+v", s)
	}
	if runtime.GOOS == "linux" {
		c.edge.SetFaults(Faults{MemoryMB: 1})
		c.want(t, "GET", "/f/sleep?ms=900", nil, 502, "Internal Server Error")
		if s := c.stats(t, "EchoFunction"); s.OutOfMemory == 0 {
			t.Errorf("want a process out of memory, got %+v", s)
		}
	}
	c.edge.SetFaults(Faults{})
	c.want(t, "GET", "/f/sleep?ms=100", nil, 200, "")
}

// TestServersAreGivenBothOrNone: half of the cloud is no cloud.
func TestServersAreGivenBothOrNone(t *testing.T) {
	_, err := Start(t.Context(), Config{Template: "testdata/template.yaml", DataDir: t.TempDir(),
		Servers: Servers{S3: "http://127.0.0.1:1"}})
	if err == nil || !strings.Contains(err.Error(), "DynamoDB") {
		t.Errorf("want an error that names the other server, got %v", err)
	}
}
