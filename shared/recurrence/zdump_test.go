package recurrence

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"mappe/infra/judges"
	"mappe/shared/recurrence/zones"
)

// change is a change of a zone's offset, as zdump prints it.
type change struct {
	zone          string
	at            int64
	before, after int64
}

// zdump lists the changes 2024-2031 of every present zone: the source compiled by zic and read by the C
// library, so by no code of this repository.
func zdump(t *testing.T) []change {
	t.Helper()
	program, zic, folder := judges.Program(t, "zdump"), judges.Program(t, "zic"), t.TempDir()
	if out, err := exec.Command(zic, "-d", folder, "zones/tzdata.zi").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	args := []string{"-V", "-c", "2024,2032"}
	for _, name := range zones.Names() {
		if z, _ := zones.Load(name); z.Canonical == name {
			args = append(args, filepath.Join(folder, name))
		}
	}
	out, err := exec.Command(program, args...).Output()
	if err != nil {
		t.Fatal(err)
	}
	var list []change
	var last change
	line := regexp.MustCompile(`^(\S+) +\w+ (\w+ +\d+ \S+ \d+) UT = .* gmtoff=(-?\d+)$`)
	for text := range strings.Lines(string(out)) {
		m := line.FindStringSubmatch(strings.TrimSpace(text))
		if m == nil {
			t.Fatalf("zdump: %s", text)
		}
		at, err := time.Parse("Jan _2 15:04:05 2006", m[2])
		offset, ok := digits(strings.TrimPrefix(m[3], "-"))
		if err != nil || !ok {
			t.Fatalf("zdump: %s", text)
		}
		if m[3][0] == '-' {
			offset = -offset
		}
		name := strings.TrimPrefix(m[1], folder+"/")
		if last.zone == name && last.at == at.Unix()-1 && last.after != offset {
			list = append(list, change{name, at.Unix(), last.after, offset})
		}
		last = change{zone: name, at: at.Unix(), after: offset}
	}
	return list
}

// Every change of every zone, through Expand: what RFC 5545 3.3.5 says of the wall times in it and beside it.
func TestEveryChangeAsZdumpSays(t *testing.T) {
	changes := zdump(t)
	gaps, overlaps, perZone := 0, 0, map[string]int{}
	for _, c := range changes {
		perZone[c.zone]++
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
			checkWall(t, c, l, map[string]int64{"": first, "compatible": first, "later": max(first, second), "earlier": min(first, second)}, flag)
		}
	}
	t.Logf("%d changes of %d zones: %d points in gaps, %d in overlaps", len(changes), len(perZone), gaps, overlaps)
	if gaps < 3000 || overlaps < 3000 {
		t.Errorf("only %d points in gaps and %d in overlaps", gaps, overlaps)
	}
	// And the other way round: no change that zdump does not know.
	from, to := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC).Unix(), time.Date(2032, 1, 1, 0, 0, 0, 0, time.UTC).Unix()-1
	for _, name := range zones.Names() {
		z, _ := zones.Load(name)
		list, _ := z.Around(from, to)
		n := 0
		for i := 1; i < len(list); i++ {
			if list[i].Offset != list[i-1].Offset {
				n++
			}
		}
		if z.Canonical == name && n != perZone[name] {
			t.Errorf("%s: %d changes, zdump knows %d", name, n, perZone[name])
		}
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
		if int64(o.UTC) != utc || int64(o.Local)-int64(o.UTCOffset) != utc || utc < c.at && int64(o.UTCOffset) != c.before || utc >= c.at && int64(o.UTCOffset) != c.after {
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
		if _, err := Expand(Request{Rules: []Rule{{RRule: "FREQ=DAILY", TZ: c.zone, Start: Wall(l).String()}}}, Full); err == nil {
			t.Errorf("%s: a start of %s is taken", c.zone, Wall(l))
		}
	}
}
