package recurrence

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"mappe/infra/oracles"
	"mappe/shared/recurrence/zones"
)

// compiled is a folder of compiled zones of our release: Debian's own, where the tzdata package of the machine
// has it, else compiled here from the source.
func compiled(t *testing.T) string {
	t.Helper()
	const system = "/usr/share/zoneinfo"
	if source, err := os.ReadFile(filepath.Join(system, "tzdata.zi")); err == nil &&
		bytes.HasPrefix(source, []byte("# version "+zones.Release()+"\n")) {
		return system
	}
	zic, folder := oracles.Program(t, "zic"), t.TempDir()
	if out, err := exec.Command(zic, "-b", "fat", "-d", folder, "zones/tzdata.zi").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return folder
}

// distinct are the zones of which no other has the same data: one of each.
func distinct(t *testing.T, folder string) (names []string) {
	t.Helper()
	seen := map[string]bool{}
	for _, name := range zones.Names() {
		file, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		if !seen[string(file)] {
			seen[string(file)], names = true, append(names, name)
		}
	}
	return names
}

func unix(year int) int64 { return time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC).Unix() }

// intervalsOf gives the intervals of a zone cut to [from, to), in instants.
func intervalsOf(name string, from, to int64) (list []zones.Interval) {
	z, _ := zones.Load(name)
	for at := from; at < to; {
		around, shift := z.Around(at, at)
		v := around[0]
		v.Start, v.End = max(v.Start+shift, from), min(v.End+shift, to)
		list, at = append(list, v), v.End
	}
	return list
}

// Every zone 1900-2100, and 2100-2500 of those whose clocks go on changing, as Python reads Debian's files: both
// ends of every interval and every few days within it, every day with MAPPE_SOAK.
func TestEveryZoneAsPythonReadsIt(t *testing.T) {
	python, folder := needPython(t), compiled(t)
	type asked struct {
		Step  int64               `json:"step"`
		Zones map[string][][4]any `json:"zones"`
	}
	q, changes := asked{53 * secondsPerDay, map[string][][4]any{}}, 0
	if oracles.Soak(t) > 0 {
		q.Step = 23 * 3600
	}
	add := func(name string, from, to int) {
		for _, v := range intervalsOf(name, unix(from), unix(to)) {
			q.Zones[name] = append(q.Zones[name], [4]any{v.Start, v.End, v.Offset, v.DST})
			changes++
		}
	}
	later := map[string]bool{}
	for _, name := range distinct(t, folder) {
		add(name, 1900, 2101)
		var key []zones.Interval
		if key = intervalsOf(name, unix(2100), unix(2102)); len(key) > 1 {
			text, _ := json.Marshal(key) // numbers marshal
			if !later[string(text)] {
				later[string(text)] = true
				add(name, 2101, 2501)
			}
		}
	}
	in, err := json.Marshal(q)
	if err != nil {
		t.Fatal(err)
	}
	if out := run(t, in, python, filepath.Join(peersFolder, "zones.py"), folder); len(out) > 0 {
		t.Errorf("%.4000s", out)
	}
	t.Logf("%d zones, %d intervals, %d rules to 2500", len(q.Zones), changes, len(later))
	if len(q.Zones) < 400 || changes < 40000 || len(later) < 20 {
		t.Errorf("only %d zones, %d intervals, %d rules", len(q.Zones), changes, len(later))
	}
}

// change is a change of a zone's offset or flag, as zdump prints it.
type change struct {
	zone          string
	at            int64
	before, after int64
	dst           bool // after
}

var zdumpLine = regexp.MustCompile(`^(\S+) +\w+ (\w+ +\d+ \S+ \d+) UT = .* isdst=([01]) gmtoff=(-?\d+)$`)

// zdump lists the changes of zones in the years [from, to): the C library reads them, no code of this repository.
func zdump(t *testing.T, folder, years string, names []string) (list []change) {
	program := oracles.Program(t, "zdump")
	args := []string{"-V", "-c", years}
	for _, name := range names {
		args = append(args, filepath.Join(folder, name))
	}
	out, err := exec.Command(program, args...).Output()
	if err != nil {
		t.Error(err)
		return nil
	}
	var last change
	for text := range strings.Lines(string(out)) {
		m := zdumpLine.FindStringSubmatch(strings.TrimSpace(text))
		if m == nil {
			t.Errorf("zdump: %s", text)
			return list
		}
		at, err := time.Parse("Jan _2 15:04:05 2006", m[2])
		offset, ok := digits(strings.TrimPrefix(m[4], "-"))
		if err != nil || !ok {
			t.Errorf("zdump: %s", text)
			return list
		}
		if m[4][0] == '-' {
			offset = -offset
		}
		c := change{zone: strings.TrimPrefix(m[1], folder+"/"), at: at.Unix(), after: offset, dst: m[3] == "1"}
		if last.zone == c.zone && last.at == c.at-1 && (last.after != offset || last.dst != c.dst) {
			c.before = last.after
			list = append(list, c)
		}
		last = c
	}
	return list
}

// uncommon are zones whose clocks do what few do; MAPPE_SOAK asks for all.
var uncommon = []string{"America/Ojinaga", "Asia/Gaza", "Asia/Hebron", "Africa/Casablanca", "Europe/Dublin", "America/Nuuk",
	"Australia/Lord_Howe",
	"Pacific/Apia", "Africa/Monrovia", "America/Godthab", "Europe/Vienna", "America/New_York", "Antarctica/Troll", "America/Santiago",
	"Asia/Tehran", "EST5EDT"}

// Every change of offset or flag 1900-2100, and no other, as zdump prints it.
func TestEveryChange1900To2100(t *testing.T) {
	folder := compiled(t)
	names := uncommon
	if oracles.Soak(t) > 0 {
		names = distinct(t, folder)
	}
	var wait sync.WaitGroup
	var half [2][]change
	for i := range half {
		wait.Go(func() { half[i] = zdump(t, folder, "1900,2101", names[i*len(names)/2:(i+1)*len(names)/2]) })
	}
	wait.Wait()
	theirs := map[string][]zones.Interval{}
	for _, c := range append(half[0], half[1]...) {
		theirs[c.zone] = append(theirs[c.zone], zones.Interval{Start: c.at, Offset: int32(c.after), DST: c.dst})
	}
	total := 0
	for _, name := range names {
		ours := intervalsOf(name, unix(1900), unix(2101))[1:]
		for i := range ours {
			ours[i].End = 0
		}
		if total += len(ours); !slices.Equal(ours, theirs[name]) {
			t.Errorf("%s: %d changes, zdump prints %d", name, len(ours), len(theirs[name]))
			for i := range min(len(ours), len(theirs[name])) {
				if ours[i] != theirs[name][i] {
					t.Logf("%+v, zdump %+v", ours[i], theirs[name][i])
					break
				}
			}
		}
	}
	t.Logf("%d changes of %d zones", total, len(names))
}

// Every change of every zone, through Expand: what RFC 5545 3.3.5 says of the wall times in it and beside it.
func TestEveryChangeAsZdumpSays(t *testing.T) {
	folder := compiled(t)
	changes := zdump(t, folder, "2024,2032", distinct(t, folder))
	gaps, overlaps := 0, 0
	for _, c := range changes {
		if c.before == c.after {
			continue
		}
		low, high := c.at+min(c.before, c.after), c.at+max(c.before, c.after)
		for _, l := range []int64{low - 1, low, (low + high) / 2, high - 1, high} {
			first, second, flag := l-c.before, l-c.after, Flag("")
			switch {
			case l < low:
				second = first
			case l >= high:
				first = second
			case c.after > c.before:
				gaps++
				flag = NonexistentShifted
			default:
				overlaps++
				flag = AmbiguousEarlier
			}
			checkWall(t, c, l, map[string]int64{"": first, "compatible": first, "later": max(first, second), "earlier": min(first, second)},
				flag)
		}
	}
	t.Logf("%d changes: %d points in gaps, %d in overlaps", len(changes), gaps, overlaps)
	if gaps < 2500 || overlaps < 2500 {
		t.Errorf("only %d points in gaps and %d in overlaps", gaps, overlaps)
	}
}

// checkWall expands a wall time, met by a daily rule from the day before and as a start under each policy.
func checkWall(t *testing.T, c change, l int64, want map[string]int64, flag Flag) {
	t.Helper()
	for policy, utc := range want {
		r := Rule{RRule: "FREQ=DAILY;COUNT=1", TZ: c.zone, Start: Wall(l).String(), Disambiguation: policy}
		if policy == "" {
			r.RRule, r.Start = "FREQ=DAILY;COUNT=2", Wall(l-secondsPerDay).String()
		}
		list := expandOne(t, r).Occurrences
		o := list[len(list)-1]
		if int64(o.UTC) != utc || int64(o.Local)-int64(o.UTCOffset) != utc || utc < c.at && int64(o.UTCOffset) != c.before ||
			utc >= c.at && int64(o.UTCOffset) != c.after {
			t.Errorf("%s %s %s: want %s, got %+v", c.zone, Wall(l), policy, Instant(utc), o)
		}
		wanted := flag
		if policy == "later" && flag == AmbiguousEarlier {
			wanted = AmbiguousLater
		}
		if (wanted != "") != slices.Contains(o.Flags, wanted) || wanted == "" && len(o.Flags) > 0 {
			t.Errorf("%s %s %s: want the flag %q, got %v", c.zone, Wall(l), policy, wanted, o.Flags)
		}
	}
	if flag == NonexistentShifted {
		r := Rule{RRule: "FREQ=DAILY", TZ: c.zone, Start: Wall(l).String(), Disambiguation: "reject"}
		if _, err := Expand(Request{Rules: []Rule{r}}, Full); err == nil {
			t.Errorf("%s: a start of %s is taken although gaps are to be rejected", c.zone, Wall(l))
		}
	}
}
