package zones

import (
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"mappe/infra/oracles"
)

func load(t testing.TB, name string) *Zone {
	t.Helper()
	z, ok := Load(name)
	if !ok {
		t.Fatalf("%s is not known", name)
	}
	return z
}

func TestReleaseIsThatOfTheSource(t *testing.T) {
	source, err := os.ReadFile("tzdata.zi")
	if err != nil {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(string(source), "\n")
	if want, got := "# version "+Release(), first; want != got {
		t.Errorf("want %s, got %s", want, got)
	}
}

// Manitoba stays on summer time from 2026 on: releases before 2026 put the clock back on 2026-11-01.
func TestAFactThatOnlyThisReleaseKnows(t *testing.T) {
	z := load(t, "America/Winnipeg")
	january := time.Date(2027, 1, 15, 12, 0, 0, 0, time.UTC).Unix()
	list, shift := z.Around(january, january)
	if len(list) != 1 || list[0].Offset != -5*3600 || shift != 0 {
		t.Errorf("want UTC-5 in January 2027, got %v", list)
	}
	if z.Changes(time.Date(2026, 10, 1, 0, 0, 0, 0, time.UTC).Unix(), january) {
		t.Error("the offset changes between October 2026 and January 2027")
	}
}

// What is an alias is read here from zone.tab itself: the names of places, UTC, GMT and Etc/* are not aliases.
func TestAliases(t *testing.T) {
	tab, err := os.ReadFile("zone.tab")
	if err != nil {
		t.Fatal(err)
	}
	places := map[string]bool{}
	for line := range strings.Lines(string(tab)) {
		if cells := strings.Split(strings.TrimSpace(line), "\t"); line[0] != '#' {
			places[cells[2]] = true
		}
	}
	present, old := 0, 0
	for _, name := range Names() {
		z := load(t, name)
		isPresent := places[name] || name == "UTC" || name == "GMT" || strings.HasPrefix(name, "Etc/") || name == "Factory"
		if isPresent != (z.Canonical == name) {
			t.Errorf("%s: present %v, canonical %s", name, isPresent, z.Canonical)
		}
		if isPresent {
			present++
			delete(places, name)
			continue
		}
		old++
		// The present name keeps the same time, at least since Portugal left CET.
		from := time.Date(1997, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
		present := load(t, z.Canonical)
		for u := from; u < nearEnd; u += 86400 {
			a, _ := z.Around(u, u)
			if b, _ := present.Around(u, u); a[0].Offset != b[0].Offset {
				t.Errorf("%s is not %s at %s", name, z.Canonical, time.Unix(u, 0).UTC())
				break
			}
		}
	}
	if len(places) > 0 {
		t.Errorf("places without a zone: %v", places)
	}
	if present != 456 || old != 142 { // docs/recurrence.md names them
		t.Errorf("%d present names, %d aliases", present, old)
	}
}

func TestNames(t *testing.T) {
	for name, want := range map[string]string{"US/Eastern": "America/New_York", "Europe/Vienna": "Europe/Vienna", "UTC": "UTC",
		"GMT": "GMT", "Etc/GMT+5": "Etc/GMT+5",
		"Europe/Kiev": "Europe/Kyiv", "Asia/Calcutta": "Asia/Kolkata", "EST5EDT": "America/New_York",
		"Europe/Stockholm": "Europe/Stockholm",
		"Europe/Amsterdam": "Europe/Amsterdam", "Europe/Oslo": "Europe/Oslo", "Iceland": "Atlantic/Reykjavik",
		"America/Kralendijk": "America/Kralendijk", "Zulu": "UTC"} {
		if got := load(t, name).Canonical; want != got {
			t.Errorf("%s: want %s, got %s", name, want, got)
		}
	}
	for _, name := range []string{"", "Local", "europe/vienna", "posix/Europe/Vienna", "../UTC", "EST5EDT4", "localtime"} {
		if _, ok := Load(name); ok {
			t.Errorf("%q is taken for a zone", name)
		}
	}
	for name, want := range map[string]string{"europe/vienna": "Europe/Vienna", "Vienna": "Europe/Vienna",
		"America/New York": "America/New_York", "Mars/Base": "",
		"Europe/Viena": "Europe/Vienna", "Europe/Wien": "", "Europ/Vienna": "Europe/Vienna", "us/eastern": "America/New_York",
		"Kiev": "Europe/Kyiv", "Amercia/Chicago": "America/Chicago",
		"Germany/Berln": "Europe/Berlin", "utc": "UTC", "PST": "", "CEST": "", "\xff\xfe": "", "Europe/" + strings.Repeat("x", 64): ""} {
		if got := Nearest(name); want != got {
			t.Errorf("nearest to %q: want %q, got %q", name, want, got)
		}
	}
}

// The intervals of a zone follow one another without a hole, no two neighbours alike, and those of the 400-year
// cycle are those of the years before it.
func TestIntervalsMeet(t *testing.T) {
	for _, name := range Names() {
		z := load(t, name)
		list, _ := z.Around(-never, nearEnd-1)
		if list[0].Start != -never {
			t.Errorf("%s begins at %d", name, list[0].Start)
		}
		for i := 1; i < len(list); i++ {
			a, b := list[i-1], list[i]
			if b.Start != a.End || b.Start >= b.End || a.Offset == b.Offset && a.DST == b.DST {
				t.Errorf("%s: %+v then %+v", name, a, b)
			}
		}
		for year := int64(2501); year < 9990; year += 37 {
			at := yearStart(year) * 86400
			here, shift := z.Around(at, at+twoYears)
			before, shifted := z.Around(at-cycleSeconds, at-cycleSeconds+twoYears)
			if len(here) != len(before) || here[0].Offset != before[0].Offset ||
				z.last.changes && here[0].End+shift != before[0].End+shifted+cycleSeconds {
				t.Fatalf("%s in %d: %+v, four hundred years before %+v", name, year, here, before)
			}
		}
	}
}

// The compiled zones are those of the source beside them.
func TestBlobIsCompiledFromTheSource(t *testing.T) {
	zic, dir := oracles.Program(t, "zic"), t.TempDir()
	if out, err := exec.Command(zic, "-b", "fat", "-d", dir, "tzdata.zi").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	out, err := exec.Command("go", "run", "generate.go", "tzdata.zi", "zone.tab", dir).Output()
	if err != nil {
		t.Fatal(err)
	}
	if string(out) != blob {
		t.Error("zones.bin differs from what make tzdata writes")
	}
}

func TestRulesThatAreNone(t *testing.T) {
	for _, text := range []string{"", "CE", "CET", "CET-1CEST", "CET-1CEST,M3.5.0", "CET-1CEST,M13.5.0,M10.5.0", "CET-1CEST,M3.5,M10.5.0",
		"CET-168", "<+01-1", "CET-1CEST,J366,J1",
		"CET-1CEST,M3.5.0/,M10.5.0", "CET-1:60"} {
		if r, err := parseRule(text); err == nil {
			t.Errorf("%q is read as %+v", text, r)
		}
	}
}

// FuzzDecode: broken data is an error, whatever it is.
func FuzzDecode(f *testing.F) {
	for _, name := range []string{"UTC", "Europe/Dublin", "Asia/Gaza", "America/Nuuk", "Africa/Casablanca"} {
		f.Add(open().entries[name].data)
	}
	f.Add("\x01\x00\x00\x00\x00EST5EDT4,0/0,J365/23")
	f.Fuzz(func(t *testing.T, data string) {
		if list, _, err := decode(data); err == nil && len(list) == 0 {
			t.Error("no interval")
		}
	})
}
