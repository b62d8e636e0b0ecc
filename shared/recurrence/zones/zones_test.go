package zones

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mappe/infra/judges"
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

// What is an alias is read here from zone.tab itself: the names of places, UTC, GMT and Etc/* are none.
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
		isPresent := places[name] || name == "UTC" || name == "GMT" || strings.HasPrefix(name, "Etc/")
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
	if present != 455 || old != 142 { // docs/recurrence.md names them
		t.Errorf("%d present names, %d aliases", present, old)
	}
}

func TestNames(t *testing.T) {
	for name, want := range map[string]string{"US/Eastern": "America/New_York", "Europe/Vienna": "Europe/Vienna", "UTC": "UTC", "GMT": "GMT", "Etc/GMT+5": "Etc/GMT+5",
		"Europe/Kiev": "Europe/Kyiv", "Asia/Calcutta": "Asia/Kolkata", "EST5EDT": "America/New_York", "Europe/Stockholm": "Europe/Stockholm",
		"Europe/Amsterdam": "Europe/Amsterdam", "Europe/Oslo": "Europe/Oslo", "Iceland": "Atlantic/Reykjavik", "America/Kralendijk": "America/Kralendijk", "Zulu": "UTC"} {
		if got := load(t, name).Canonical; want != got {
			t.Errorf("%s: want %s, got %s", name, want, got)
		}
	}
	for _, name := range []string{"", "Local", "europe/vienna", "Factory", "posix/Europe/Vienna", "../UTC", "EST5EDT4", "localtime"} {
		if _, ok := Load(name); ok {
			t.Errorf("%q is taken for a zone", name)
		}
	}
	for name, want := range map[string]string{"europe/vienna": "Europe/Vienna", "Vienna": "Europe/Vienna", "America/New York": "America/New_York", "Mars/Base": "",
		"Europe/Viena": "Europe/Vienna", "Europe/Wien": "", "Europ/Vienna": "Europe/Vienna", "us/eastern": "America/New_York", "Kiev": "Europe/Kyiv", "Amercia/Chicago": "America/Chicago",
		"Germany/Berln": "Europe/Berlin", "utc": "UTC", "PST": "", "CEST": "", "\xff\xfe": "", "Europe/" + strings.Repeat("x", 64): ""} {
		if got := Nearest(name); want != got {
			t.Errorf("nearest to %q: want %q, got %q", name, want, got)
		}
	}
}

// The table, its 400-year cycle included, says of every zone what time.Location says.
func TestTableIsTheLocation(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, name := range Names() {
		z := load(t, name)
		for range 60 {
			u := random.Int64N(253402300800) // to the year 10000
			if random.IntN(2) == 0 {
				u = random.Int64N(nearEnd)
			}
			list, shift := z.Around(u, u)
			if len(list) != 1 {
				t.Fatalf("%s at %d: %d intervals", name, u, len(list))
			}
			at := time.Unix(u, 0).In(z.location)
			_, offset := at.Zone()
			if v := list[0]; int(v.Offset) != offset || v.DST != at.IsDST() || v.Start+shift > u || v.End+shift <= u {
				t.Fatalf("%s at %d: want %d %v, got %+v with shift %d", name, u, offset, at.IsDST(), v, shift)
			}
		}
	}
}

func TestIntervalsMeet(t *testing.T) {
	for _, name := range Names() {
		z := load(t, name)
		list, _ := z.Around(0, nearEnd-1)
		for i := 1; i < len(list); i++ {
			if list[i].Start != list[i-1].End || list[i].Start >= list[i].End {
				t.Errorf("%s: %+v then %+v", name, list[i-1], list[i])
			}
			_, before := time.Unix(list[i].Start-1, 0).In(z.location).Zone()
			if int(list[i-1].Offset) != before {
				t.Errorf("%s: %d before %+v, want %d", name, list[i-1].Offset, list[i], before)
			}
		}
	}
}

// The compiled zones are those of the source beside them.
func TestBlobIsCompiledFromTheSource(t *testing.T) {
	zic, dir := judges.Program(t, "zic"), t.TempDir()
	if out, err := exec.Command(zic, "-b", "slim", "-d", dir, "tzdata.zi").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, name := range Names() {
		want, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(want, []byte(open().entries[name].data)) {
			t.Errorf("%s differs", name)
		}
	}
}
