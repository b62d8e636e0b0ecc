package view

import (
	"fmt"
	"slices"
	"testing"

	"mappe/artefacts/library"
	"mappe/shared/austria"
	"mappe/shared/web/reply"
)

// codesFrom are n codes by rising code.
func codesFrom(first, n int) []austria.KGCode {
	list := make([]austria.KGCode, n)
	for i := range list {
		list[i] = austria.KGCode(fmt.Sprintf("%05d", first+i))
	}
	return list
}

func member(m []reply.Member, name string) any {
	i := slices.IndexFunc(m, func(m reply.Member) bool { return m.Name == name })
	if i < 0 {
		return nil
	}
	return m[i].Value
}

// 20 KGs are named and no address stands beside them; of 21 the first 20 are named, the number is 21, and the address of
// the whole list stands beside it. The KGs of the country's list count as those that were read.
func TestListsAreCutBehindTwenty(t *testing.T) {
	for _, why := range []Absence{Cold, Unbuilt} {
		for _, n := range []int{1, 20, 21} {
			for _, fromList := range []int{0, 1, n} {
				var g Missing
				codes := codesFrom(50_000, n)
				if fromList > 0 { // the last ones
					u := &library.Unbuilt{Coming: codes[n-fromList:]}
					if why == Unbuilt {
						u = &library.Unbuilt{Staying: codes[n-fromList:]}
					}
					g.country(u)
				}
				for _, code := range codes[:n-fromList] {
					g.add(code, why)
				}
				name, other, all := "kgs_warming", "kgs_unavailable", g.Warming()
				if why == Unbuilt {
					name, other, all = other, name, g.Unavailable()
				}
				m := g.Meta()
				if got := member(m, name).([]austria.KGCode); !slices.Equal(got, codes[:min(n, 20)]) || member(m, name+"_count") != n ||
					!slices.Equal(all, codes) {
					t.Errorf("%s, %d of %d from the list: %v", why, fromList, n, m)
				}
				if len(member(m, other).([]austria.KGCode)) != 0 || member(m, other+"_count") != 0 {
					t.Errorf("%s, %d of %d from the list: the other list: %v", why, fromList, n, m)
				}
				if got := member(m, "missing_url") != nil; got != (n > 20) {
					t.Errorf("%s, %d of %d from the list: an address %v", why, fromList, n, got)
				}
				want := MissingReasons{Cold: n}
				if why == Unbuilt {
					want = MissingReasons{Unbuilt: n}
				}
				if got := *member(m, "missing_by_reason").(*MissingReasons); got != want {
					t.Errorf("%s, %d of %d from the list: %+v", why, fromList, n, got)
				}
			}
		}
	}
}

// Lists are never nil, so that JSON shows arrays, whichever of them the country's list fills.
func TestListsAreNeverNil(t *testing.T) {
	for _, u := range []*library.Unbuilt{nil, {Coming: codesFrom(1, 2)}, {Staying: codesFrom(1, 2)}} {
		for _, more := range []bool{false, true} {
			var g Missing
			if u != nil {
				g.country(u)
			}
			if more {
				g.add("50000", Unversioned)
			}
			if g.Warming() == nil || g.Unavailable() == nil {
				t.Errorf("%+v, more %v: %v, %v", u, more, g.Warming(), g.Unavailable())
			}
		}
	}
}

// One KG stands for all that are missing: one that never comes before one that comes.
func TestOne(t *testing.T) {
	for _, c := range []struct {
		name string
		add  map[austria.KGCode]Absence
		code austria.KGCode
		why  Absence
	}{
		{"none", nil, "", 0},
		{"of another date alone", map[austria.KGCode]Absence{"00001": Unversioned}, "", 0},
		{"comes", map[austria.KGCode]Absence{"00002": Cold, "00003": Evicted}, "00002", Cold},
		{"never comes", map[austria.KGCode]Absence{"00001": Cold, "00009": Damaged}, "00009", Damaged},
	} {
		var g Missing
		for code, why := range c.add {
			g.add(code, why)
		}
		if code, why := g.One(); code != c.code || why != c.why {
			t.Errorf("%s: want %s %d, got %s %d", c.name, c.code, c.why, code, why)
		}
	}
}

// The first reason that was noted of a KG holds, in one list and in several.
func TestTheFirstReasonHolds(t *testing.T) {
	var g Missing
	g.add("00001", Damaged)
	g.add("00001", Cold)
	if g.Why("00001") != Damaged || g.Why("00002") != 0 || !g.Has("00001") || g.Has("00002") {
		t.Errorf("got %v", g)
	}
	// what the country's list has is not noted a second time, whichever comes first
	list := &library.Unbuilt{Coming: []austria.KGCode{"00001"}, Staying: []austria.KGCode{"00003"}}
	g.country(list)
	g.add("00003", Lost)
	g.add("00004", Lost)
	if got := fmt.Sprint(g.Warming(), g.Unavailable()); got != "[00001] [00003 00004]" {
		t.Errorf("got %s", got)
	}
	if g.Why("00001") != Cold || g.Why("00003") != Unbuilt || g.Why("00004") != Lost {
		t.Errorf("got %d, %d, %d", g.Why("00001"), g.Why("00003"), g.Why("00004"))
	}
}

// Two lists of the country are one: each KG once, with the reason of the list that has it.
func TestTwoListsOfTheCountry(t *testing.T) {
	long := &library.Unbuilt{Coming: codesFrom(100, 3), Staying: codesFrom(200, 2)}
	short := &library.Unbuilt{Coming: []austria.KGCode{"00101", "00103"}, Staying: []austria.KGCode{"00201", "00202"}}
	for _, lists := range [][]*library.Unbuilt{{long, short}, {short, long}, {long, short, long}, {long, {}, short}} {
		var g Missing
		for _, u := range lists {
			g.country(u)
		}
		if got := fmt.Sprint(g.Warming(), g.Unavailable()); got != "[00100 00101 00102 00103] [00200 00201 00202]" {
			t.Errorf("got %s", got)
		}
		if got := *g.reasons(); got != (MissingReasons{Cold: 4, Unbuilt: 3}) {
			t.Errorf("got %+v", got)
		}
		if g.rest != long {
			t.Error("the longer list is kept as it is")
		}
	}
	var none Missing
	if none.country(&library.Unbuilt{}); !none.Ready() || none.Header() != nil {
		t.Error("of an empty list nothing is missing")
	}
}

// A KG without a snapshot of the date is listed, and the answer is complete and may be cached.
func TestADateWithoutSnapshotsIsComplete(t *testing.T) {
	var g Missing
	for _, code := range codesFrom(300, 21) {
		g.add(code, Unversioned)
	}
	m := g.Meta()
	if member(m, "ready") != true || g.Header() != nil || len(g.Warming())+len(g.Unavailable()) != 0 {
		t.Errorf("got %v, %v", m, g.Header())
	}
	if got := member(m, "kgs_without_version").([]austria.KGCode); !slices.Equal(got, codesFrom(300, 20)) || member(m,
		"kgs_without_version_count") != 21 {
		t.Errorf("got %v", m)
	}
	if g.add("00001", Lost); g.Ready() || member(g.Meta(), "kgs_without_version_count") != 21 || member(g.Meta(),
		"kgs_unavailable_count") != 1 {
		t.Errorf("with one that is lost: %v", g.Meta())
	}
}
