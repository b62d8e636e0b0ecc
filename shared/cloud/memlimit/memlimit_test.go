package memlimit

import (
	"math"
	"runtime/debug"
	"strings"
	"testing"
	"testing/fstest"
)

const gib = 1 << 30

func TestTheLimitOfAMachine(t *testing.T) {
	for _, c := range []struct {
		name         string
		most, memory int64
		set          string
		want         int64
	}{
		{"a large machine", 3 * gib / 2, 64 * gib, "", 3 * gib / 2},
		{"two GiB: three quarters are just it", 3 * gib / 2, 2 * gib, "", 3 * gib / 2},
		{"a small machine", 3 * gib / 2, gib, "", 3 * gib / 4},
		{"the system does not tell", 3 * gib / 2, 0, "", 3 * gib / 2},
		{"the user has said", 3 * gib / 2, 64 * gib, "4GiB", -1},
		{"the user wants none", 3 * gib / 2, gib, "off", -1},
	} {
		if got := choose(c.most, c.memory, c.set); got != c.want {
			t.Errorf("%s: want %d, got %d", c.name, c.want, got)
		}
	}
}

func TestTheMemoryOfAMachine(t *testing.T) {
	const total, v2, v1 = "proc/meminfo", "sys/fs/cgroup/memory.max", "sys/fs/cgroup/memory/memory.limit_in_bytes"
	for name, c := range map[string]struct {
		files map[string]string
		want  int64
	}{
		"a machine":                     {map[string]string{total: "MemTotal:       16384000 kB\nMemFree:  1 kB\n"}, 16384000 << 10},
		"a machine that limits nothing": {map[string]string{total: "MemTotal: 16384000 kB\n", v2: "max\n"}, 16384000 << 10},
		"a container":                   {map[string]string{total: "MemTotal: 16384000 kB\n", v2: "1073741824\n"}, gib},
		"a container of before":         {map[string]string{total: "MemTotal: 16384000 kB\n", v1: "1073741824\n"}, gib},
		"a container without a limit": {map[string]string{total: "MemTotal: 16384000 kB\n", v1: "9223372036854771712\n"},
			16384000 << 10},
		"a container alone":               {map[string]string{v2: "1073741824\n"}, gib},
		"another system":                  {nil, 0},
		"a file that is not as it should": {map[string]string{total: "MemTotal: many kB\n", v2: "-1"}, 0},
	} {
		files := fstest.MapFS{}
		for file, text := range c.files {
			files[file] = &fstest.MapFile{Data: []byte(text)}
		}
		if got := memory(files); got != c.want {
			t.Errorf("%s: want %d, got %d", name, c.want, got)
		}
	}
}

// What is limited is the runtime, and only for as long as it is wanted.
func TestTheRuntimeIsLimited(t *testing.T) {
	before := debug.SetMemoryLimit(-1)
	t.Cleanup(func() { debug.SetMemoryLimit(before) })

	percent := debug.SetGCPercent(70)
	t.Cleanup(func() { debug.SetGCPercent(percent) })
	collects := func(at int, when string) {
		t.Helper()
		got := debug.SetGCPercent(50)
		if debug.SetGCPercent(got); got != at {
			t.Errorf("%s: the collector works at %d %%, want %d", when, got, at)
		}
	}
	t.Setenv(variable, "")
	t.Setenv(percentVariable, "")
	undo := Machine(100 << 20)
	if got := debug.SetMemoryLimit(-1); got != 100<<20 {
		t.Errorf("want 100 MiB, got %d", got)
	}
	collects(buildPercent, "with a limit")
	undo()
	collects(70, "afterwards")
	t.Setenv(percentVariable, "70")
	undo = Machine(100 << 20)
	collects(70, "where the user has said")
	undo()
	t.Setenv(percentVariable, "")
	t.Setenv(variable, "off")
	debug.SetMemoryLimit(math.MaxInt64)
	undo = Machine(100 << 20)
	collects(70, "without a limit")
	undo()
	debug.SetMemoryLimit(before)
	t.Setenv(variable, "")
	if got := debug.SetMemoryLimit(-1); got != before {
		t.Errorf("afterwards: want %d, got %d", before, got)
	}
	if got := Function("1024"); got != gib || debug.SetMemoryLimit(-1) != gib/10*9 {
		t.Errorf("a function of 1 GiB: %d, limited to %d", got, debug.SetMemoryLimit(-1))
	}
	debug.SetMemoryLimit(math.MaxInt64)
	for _, mib := range []string{"", "63", "-1", "much", "9999999", strings.Repeat("9", 30)} {
		if got := Function(mib); got != 0 || debug.SetMemoryLimit(-1) != math.MaxInt64 {
			t.Errorf("%q: %d, limited to %d", mib, got, debug.SetMemoryLimit(-1))
		}
	}

	t.Setenv(variable, "off")
	Machine(100 << 20)()
	if got := Function("1024"); got != gib || debug.SetMemoryLimit(-1) != math.MaxInt64 {
		t.Errorf("the user has said: %d, limited to %d", got, debug.SetMemoryLimit(-1))
	}
}

// A server and a function that serves collect more rarely than the runtime does by itself, within a limit; the user's settings stand.
func TestServersCollectRarely(t *testing.T) {
	limit, percent := debug.SetMemoryLimit(math.MaxInt64), debug.SetGCPercent(100)
	t.Cleanup(func() { debug.SetMemoryLimit(limit); debug.SetGCPercent(percent) })
	now := func() (int64, int) {
		p := debug.SetGCPercent(100)
		debug.SetGCPercent(p)
		return debug.SetMemoryLimit(-1), p
	}
	t.Setenv(variable, "")
	t.Setenv(percentVariable, "")
	undo := Server()
	if n, p := now(); Memory() > 0 && (n != Memory()/10*9 || p != serverPercent) {
		t.Errorf("a server: limited to %d, collects at %d", n, p)
	}
	undo()
	if n, p := now(); n != math.MaxInt64 || p != 100 {
		t.Errorf("afterwards: limited to %d, collects at %d", n, p)
	}
	if Serving("much"); debug.SetGCPercent(100) != 100 {
		t.Error("a function of unknown memory has no limit, and collects rarely")
	}
	if got := Serving("1024"); got != gib || debug.SetGCPercent(100) != functionPercent {
		t.Errorf("a function of %d bytes does not collect rarely", got)
	}
	t.Setenv(percentVariable, "50")
	if Server()(); Serving("1024") != gib || debug.SetGCPercent(100) != 100 {
		t.Error("GOGC does not stand")
	}
}

func FuzzMemory(f *testing.F) {
	f.Add("MemTotal: 16384000 kB\n", "max\n")
	f.Fuzz(func(t *testing.T, meminfo, group string) {
		if n := memory(fstest.MapFS{"proc/meminfo": {Data: []byte(meminfo)}, "sys/fs/cgroup/memory.max": {Data: []byte(group)}}); n < 0 {
			t.Errorf("%d bytes", n)
		}
	})
}
