// Package inventory says what a raw source directory holds: which files are read, what each adds, what is missing
// and who publishes it. It reads directories and heads of large files and whole small ones; it builds nothing and
// writes nothing. Which of two files wins is builders/national's rule, told here in words.
package inventory

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// State is what becomes of a file.
type State string

// The states.
const (
	Read       State = "read"
	NotRead    State = "not read"   // another file wins
	Unreadable State = "unreadable" // it stops the build
	Missing    State = "missing"
)

// Published is where a file comes from.
type Published struct {
	Publisher string `json:"publisher"`
	Entry     string `json:"entry"` // in the publisher's data catalogue
	File      string `json:"file"`  // the name it is handed out with
	Licence   string `json:"licence"`
}

// Item is a file, or one that is missing.
type Item struct {
	Topic     string     `json:"topic"`              // parcels, boundaries, ...
	Path      string     `json:"path,omitempty"`     // in the folder
	Expected  string     `json:"expected,omitempty"` // the name of one that is missing
	State     State      `json:"state"`
	Needed    bool       `json:"needed"` // no build without it
	Date      string     `json:"date,omitempty"`
	Holds     []string   `json:"holds,omitempty"`
	Adds      string     `json:"adds"`
	Notes     []string   `json:"notes,omitempty"`
	Published *Published `json:"published,omitempty"`
}

// Inventory is a directory as a build sees it.
type Inventory struct {
	Dir      string   `json:"dir"`
	Stichtag string   `json:"stichtag,omitempty"` // the date of the data, "" when nothing says it
	Ready    bool     `json:"ready"`              // a build can begin
	Lacks    []string `json:"lacks,omitempty"`    // what a build needs and does not find
	Items    []Item   `json:"items"`
}

// Take looks into a directory. An error is about the directory; what is wrong with a file is its item's.
func Take(ctx context.Context, dir string) (Inventory, error) {
	if _, err := os.ReadDir(dir); err != nil {
		return Inventory{}, err
	}
	t := &taker{dir: dir, v: Inventory{Dir: dir}}
	for _, look := range []func(context.Context) error{t.parcels, t.boundaries, t.outlines, t.registers, t.addresses, t.overlays,
		t.folders} {
		if err := look(ctx); err != nil {
			return Inventory{}, err
		}
	}
	t.settle()
	t.settings()
	t.dates()
	t.v.Ready = len(t.v.Lacks) == 0
	return t.v, nil
}

// taker looks at one topic after another.
type taker struct {
	dir string
	v   Inventory

	drawn, listed bool // outlines and a list of KGs are there
	municipal     bool // outlines of municipalities are there
	boundary      bool // boundaries can stand in for both
}

func (t *taker) path(name string) string { return filepath.Join(t.dir, filepath.FromSlash(name)) }

func (t *taker) has(name string) bool {
	_, err := os.Stat(t.path(name))
	return err == nil
}

func (t *taker) add(i Item) { t.v.Items = append(t.v.Items, i) }

func (t *taker) lack(format string, args ...any) {
	t.v.Lacks = append(t.v.Lacks, fmt.Sprintf(format, args...))
}

// settings reads the date of the data: that of source.json, else of the map, else of the boundaries.
func (t *taker) settings() {
	item := Item{Topic: "settings", Path: "source.json", State: Read, Adds: "the date of the data and the attribution"}
	b, err := os.ReadFile(t.path("source.json"))
	switch {
	case err == nil:
		var s struct {
			Stichtag    string `json:"stichtag"`
			Attribution string `json:"attribution"`
		}
		if err := json.Unmarshal(b, &s); err != nil {
			item.State, item.Notes = Unreadable, []string{err.Error()}
			t.lack("source.json is no JSON")
		} else {
			item.Date, item.Holds = s.Stichtag, []string{"attribution " + s.Attribution}
		}
	default:
		item.Path, item.Expected, item.State = "", "source.json", Missing
		item.Notes = []string{"not needed while the file of parcels or boundaries has a date in its name"}
	}
	t.v.Stichtag = cmp.Or(item.Date, t.dateOf("parcels"), t.dateOf("boundaries"))
	if _, err := time.Parse(time.DateOnly, t.v.Stichtag); err != nil && item.State != Unreadable {
		t.lack("no file says the date of the data: source.json with stichtag and attribution")
	}
	t.add(item)
}

// settle says what becomes of the boundaries: they are read when the folder does not say all of it itself.
func (t *taker) settle() {
	all := t.drawn && t.listed && t.municipal
	t.v.Items = slices.DeleteFunc(t.v.Items, func(i Item) bool { return all && i.Topic == "boundaries" && i.State == Missing })
	for n := range t.v.Items {
		switch i := &t.v.Items[n]; {
		case i.Topic != "boundaries":
		case i.State == Missing:
			i.Needed = !t.drawn || !t.listed
		case all && i.State == Read:
			i.State, i.Notes = NotRead, append(i.Notes, "kg.geojson, gemeinden.geojson and registers/kg.csv say all of it")
		case !all && i.State == Unreadable:
			t.lack("boundaries that can be read: %s", i.Path)
		}
	}
}

func (t *taker) dateOf(topic string) (newest string) {
	for _, i := range t.v.Items {
		if i.Topic == topic && i.State == Read {
			newest = max(newest, i.Date)
		}
	}
	return newest
}

// dates notes which files are of another date than the data.
func (t *taker) dates() {
	for i := range t.v.Items {
		if x := &t.v.Items[i]; x.State == Read && x.Date != "" && t.v.Stichtag != "" && x.Date != t.v.Stichtag {
			x.Notes = append(x.Notes, fmt.Sprintf("of another date than the data (%s)", t.v.Stichtag))
		}
	}
}
