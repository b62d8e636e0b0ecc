package inventory

import (
	"archive/zip"
	"context"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"mappe/builders/source/addresses"
	"mappe/builders/source/dkm"
	"mappe/builders/source/edition"
	"mappe/builders/source/vgd"
)

// older lists the older editions of a topic: there, and not read.
func (t *taker) older(topic, adds string, files []string) {
	for _, f := range files {
		t.add(Item{Topic: topic, Path: filepath.Base(f), State: NotRead, Date: edition.Date(f), Adds: adds,
			Notes: []string{"a newer edition is read"}})
	}
}

func (t *taker) parcels(ctx context.Context) error {
	const adds = "parcels, land use and building footprints: all that is drawn"
	files, older, err := dkm.Find(t.dir)
	if err != nil {
		return err
	}
	tiles := t.has("tiles")
	if len(files) == 0 && !tiles {
		t.lack("no parcels: %s, or a folder tiles", publishedMap.File)
		t.add(Item{Topic: "parcels", State: Missing, Needed: true, Adds: adds, Published: &publishedMap, Expected: publishedMap.File})
	}
	if len(files) > 0 {
		t.maps(ctx, files, adds)
	}
	t.older("parcels", adds, older)
	if tiles {
		i := Item{Topic: "parcels", Path: "tiles", State: Read, Needed: true, Adds: adds, Holds: []string{"vector tiles"}}
		if len(files) > 0 {
			i.State, i.Needed, i.Notes = NotRead, false, []string{"the GeoPackage is read instead: it is exact to a centimetre"}
		}
		t.add(i)
	}
	return nil
}

// maps describes the GeoPackages, which are one map together.
func (t *taker) maps(ctx context.Context, files []string, adds string) {
	d, err := dkm.Describe(ctx, files...)
	for n, f := range files {
		i := Item{Topic: "parcels", Path: filepath.Base(f), State: Read, Needed: true, Date: edition.Date(f), Adds: adds,
			Published: &publishedMap}
		for _, h := range d.Held {
			if h.File != i.Path {
				continue
			}
			i.Holds = append(i.Holds, fmt.Sprintf("%s: %s (table %s, %s)", h.Role, counted(h.Rows, "row"), h.Table, h.System))
			if h.Bare {
				i.Notes = append(i.Notes, fmt.Sprintf("table %s has no spatial index: the first build makes one beside the file", h.Table))
			}
		}
		if n == 0 {
			i.Notes = append(i.Notes, d.Missing...)
		}
		if err != nil {
			i.State, i.Notes = Unreadable, []string{err.Error()}
		}
		t.add(i)
	}
	if err != nil {
		t.lack("parcels that can be read: %v", err)
	}
}

func (t *taker) boundaries(context.Context) error {
	const adds = "outlines of KGs and municipalities, and the names of KGs, municipalities, districts and states"
	files, older, err := vgd.Find(t.dir)
	if err != nil {
		return err
	}
	if len(files) == 0 {
		t.add(Item{Topic: "boundaries", State: Missing, Adds: adds, Published: &publishedBoundaries, Expected: publishedBoundaries.File})
		return nil
	}
	i := Item{Topic: "boundaries", Path: filepath.Base(files[0]), State: Read, Date: edition.Date(files[0]), Adds: adds,
		Published: &publishedBoundaries}
	if b, err := vgd.Open(files[0]); err != nil {
		i.State, i.Notes = Unreadable, []string{err.Error()}
	} else {
		r := b.Registers()
		i.Holds = []string{strings.Join([]string{counted(int64(len(r.KGs)), "KG"), counted(int64(len(r.Gemeinden)), "municipality"),
			counted(int64(len(r.Districts)), "district")}, ", ")}
		i.Notes = problems(b.Problems)
		t.boundary = len(b.KGs) > 0
	}
	t.add(i)
	for _, f := range files[1:] {
		t.add(Item{Topic: "boundaries", Path: filepath.Base(f), State: NotRead, Date: edition.Date(f), Adds: adds,
			Notes: []string{i.Path + " is read"}})
	}
	t.older("boundaries", adds, older)
	return nil
}

func (t *taker) addresses(context.Context) error {
	const adds = "addresses, buildings and search by address"
	found, older, err := addresses.Find(t.dir)
	if err != nil {
		return err
	}
	var names []string
	for _, n := range []string{"addresses.zip", "addresses"} {
		if t.has(n) {
			names = append(names, n)
		}
	}
	for _, f := range found {
		names = append(names, filepath.Base(f))
	}
	if len(names) == 0 {
		t.add(Item{Topic: "addresses", State: Missing, Adds: adds, Published: &publishedAddresses, Expected: publishedAddresses.File})
	}
	for n, name := range names {
		i := Item{Topic: "addresses", Path: name, State: Read, Date: edition.Date(name), Adds: adds, Published: &publishedAddresses}
		if n > 0 {
			i.State, i.Notes = NotRead, []string{names[0] + " is read"}
		} else if strings.HasSuffix(strings.ToLower(name), ".zip") {
			t.register(&i)
		}
		t.add(i)
	}
	t.older("addresses", adds, older)
	return nil
}

// register looks for the tables of the address register in an archive; it does not read them.
func (t *taker) register(i *Item) {
	z, err := zip.OpenReader(t.path(i.Path))
	if err != nil {
		i.State, i.Notes = Unreadable, []string{"no zip archive that can be read: " + err.Error()}
		t.lack("addresses that can be read: %s", i.Path)
		return
	}
	defer z.Close() // read only
	there := map[string]bool{}
	for _, f := range z.File {
		there[strings.ToUpper(path.Base(f.Name))] = true
	}
	for _, table := range []string{"ADRESSE", "GEBAEUDE", "STRASSE", "ORTSCHAFT", "GEMEINDE", "ADRESSE_GST"} {
		switch {
		case there[table+".CSV"]:
			i.Holds = append(i.Holds, "table "+table)
		case table == "ADRESSE" || table == "GEBAEUDE":
			i.State = Unreadable
			i.Notes = append(i.Notes, "table "+table+" is not in the archive")
			t.lack("addresses that can be read: table %s is not in %s", table, i.Path)
		default:
			i.Notes = append(i.Notes, "table "+table+" is not in the archive")
		}
	}
}
