package national

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"mappe/artefacts/register"
	"mappe/builders/kg"
	"mappe/builders/kgbuild"
	"mappe/builders/landscape"
	"mappe/builders/overlays"
	"mappe/builders/proximity"
	"mappe/builders/rasters"
	"mappe/builders/relief"
	"mappe/builders/source/addresses"
	"mappe/builders/source/dkm"
	"mappe/builders/source/epochs"
	"mappe/builders/source/legal"
	"mappe/builders/source/outlines"
	"mappe/builders/source/prices"
	"mappe/builders/source/registers"
	"mappe/builders/source/table"
	"mappe/builders/toponyms"
	"mappe/shared/austria"
	"mappe/shared/cloud/store"
	"mappe/shared/geo/geom"
)

// addressMarginE7 is how far around a KG's box address points are offered to its build, about 200 m:
// the outline of a source is coarser than the parcels.
const addressMarginE7 = 20_000

// shownProblems bounds how many bad rows of a source are named; all are counted.
const shownProblems = 5

// maxWarnings bounds what a broken source has to say.
const maxWarnings = 100

// SourceOptions say where the raw source is.
type SourceOptions struct {
	Dir    string        // the folder that builders/source/README.md draws
	Tiles  string        // URL template instead of the map in Dir: GeoPackages, or Dir/tiles
	Cache  string        // keeps tiles of the template
	Reader kg.TileReader // instead of both
	Epochs epochs.Reader // of the earlier snapshots, instead of Dir/epochs
	// Rasters are the files below rasters/, instead of those in Dir.
	Rasters fs.FS
}

// Source is an opened raw source.
type Source struct {
	Settings Settings
	KGs      []kgbuild.Facts // with an outline, rising
	Country  Country
	// Warnings are bad rows and missing files, for a person to read: at most maxWarnings and one line that
	// counts the others.
	Warnings []string

	epochs    epochs.Reader
	warned    int // all warnings
	tiles     kg.TileReader
	dkm       *dkm.Source         // nil when the parcels come from tiles
	addresses *addresses.Register // nil when the source has none
}

// OpenSource reads everything but the parcels. A missing register of addresses is a warning, missing KG
// outlines are an error.
func OpenSource(ctx context.Context, o SourceOptions) (*Source, error) {
	s := &Source{}
	handed, err := findHanded(o)
	if err != nil {
		return nil, err
	}
	if s.Settings, err = readSettings(o.Dir, handed); err != nil {
		return nil, err
	}
	files := os.DirFS(o.Dir)
	if s.epochs = o.Epochs; s.epochs == nil {
		if s.epochs, err = epochs.OpenFolder(files); err != nil {
			return nil, err
		}
	}
	open := beginAddresses(o.Dir, handed) // they take longer than all else
	given, err := s.registers(files, o.Dir, handed)
	if err != nil {
		return nil, err
	}
	s.facts(given.rows, given.kgs)
	s.country(given.rows, given.gemeinden)
	if err := s.layers(o, given); err != nil {
		return nil, err
	}
	if err := s.takeAddresses(<-open); err != nil {
		return nil, err
	}
	s.Country.PLZ = weigh(s.Country.PLZ, given.rows.KGs, s.addresses)
	return s, s.openParcels(ctx, o, handed)
}

// registers reads the registers and the outlines, or what is handed out in their place.
func (s *Source) registers(files fs.FS, dir string, handed handed) (*given, error) {
	rows, problems, err := registers.Read(files)
	if err != nil {
		return nil, err
	}
	s.problems(problems)
	kgs, gemeinden, problems, err := outlines.Read(files)
	if err != nil {
		return nil, err
	}
	s.problems(problems)
	g := &given{rows, kgs, gemeinden}
	if err := s.standIn(handed, g); err != nil {
		return nil, err
	}
	return g, g.check(dir)
}

// layers reads what the country has beside its registers: overlays, distances, names, heights, rasters, observations, prices.
func (s *Source) layers(o SourceOptions, given *given) (err error) {
	files := os.DirFS(o.Dir)
	if err := s.overlays(files, given.rows, given.gemeinden); err != nil {
		return err
	}
	if s.Country.Proximity, err = proximity.Open(files); err != nil {
		return err
	}
	if err := s.names(files); err != nil {
		return err
	}
	if s.Country.Terrain, err = relief.Read(files, s.Settings.Attribution); err != nil {
		return err
	}
	scans := o.Rasters
	if scans == nil {
		scans = files
	}
	if err := s.rasters(scans); err != nil {
		return err
	}
	if err := s.classifier(files); err != nil {
		return err
	}
	if err := s.observations(files, given.kgs); err != nil {
		return err
	}
	return s.prices(files)
}

// rasters finds the rasters, and names those that are passed over.
func (s *Source) rasters(files fs.FS) (err error) {
	if s.Country.Rasters, err = rasters.Read(files, s.Settings.Attribution); err != nil || s.Country.Rasters == nil {
		return err
	}
	for _, line := range s.Country.Rasters.Passed {
		s.warn(line)
	}
	return nil
}

// classifier reads the model of segments; one that cannot be used is named, and the rules decide without it.
func (s *Source) classifier(files fs.FS) (err error) {
	s.Country.Classifier, err = landscape.Read(files)
	if errors.Is(err, landscape.ErrModel) {
		s.warn(err.Error())
		return nil
	}
	return err
}

// overlays reads what lies over the parcels.
func (s *Source) overlays(files fs.FS, rows registers.Registers, gemeinden []outlines.Gemeinde) (err error) {
	kgs := make([]legal.KG, len(rows.KGs))
	for i, k := range rows.KGs {
		kgs[i] = legal.KG{Code: k.Code, Name: k.Name, GemeindeCode: k.GemeindeCode, GemeindeName: k.GemeindeName}
	}
	var problems table.Problems
	s.Country.Overlays, err = overlays.Read(files, kgs, gemeinden, &problems)
	s.problems(problems)
	return err
}

func (s *Source) problems(p table.Problems) {
	for _, q := range p.First[:min(len(p.First), shownProblems)] {
		s.warn(q.Error())
	}
	if more := p.Total - shownProblems; more > 0 {
		s.warn(fmt.Sprintf("and %d more rows like these were passed over", more))
	}
}

func (s *Source) warn(line string) {
	if s.warned++; s.warned <= maxWarnings {
		s.Warnings = append(s.Warnings, line)
		return
	}
	s.Warnings = append(s.Warnings[:maxWarnings], fmt.Sprintf("and %d more warnings", s.warned-maxWarnings))
}

// names reads the geographical names of the source, if it has any.
func (s *Source) names(files fs.FS) (err error) {
	var problems table.Problems
	s.Country.Toponyms, err = toponyms.Read(files, s.Settings.Stichtag, s.Settings.Attribution, &problems)
	s.problems(problems)
	return err
}

// prices reads the price series of the source, if it has any.
func (s *Source) prices(files fs.FS) error {
	series, problems, err := prices.Read(files)
	s.problems(problems)
	s.Country.Prices.Attribution, s.Country.Prices.Rows = series.Attribution, series.Rows
	return err
}

// openedAddresses are the addresses of a source.
type openedAddresses struct {
	register *addresses.Register // nil: the source has none
	problems table.Problems
	err      error
}

// beginAddresses opens addresses.zip, addresses/ or the register under the name it is handed out with, beside its caller.
func beginAddresses(dir string, h handed) <-chan openedAddresses {
	done := make(chan openedAddresses, 1)
	name := filepath.Join(dir, "addresses")
	switch zip := name + ".zip"; {
	case exists(zip):
		name = zip
	case exists(name):
	case h.addresses != "":
		name = h.addresses
	default:
		done <- openedAddresses{}
		return done
	}
	go func() {
		r, problems, err := addresses.Open(name)
		done <- openedAddresses{r, problems, err}
	}()
	return done
}

// takeAddresses takes what was opened.
func (s *Source) takeAddresses(o openedAddresses) error {
	if o.err != nil {
		return o.err
	}
	if o.register == nil {
		s.warn("no addresses: neither addresses/ nor addresses.zip is in the source")
		return nil
	}
	s.problems(o.problems)
	s.addresses = o.register
	return nil
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return !errors.Is(err, fs.ErrNotExist)
}

// facts joins outlines and register: the register's names count, the outline file's stand in.
func (s *Source) facts(rows registers.Registers, kgs []outlines.KG) {
	areas := map[austria.KGCode]float64{}
	for _, a := range rows.Areas {
		areas[a.KG] = a.Sqm
	}
	named := map[austria.KGCode]registers.KG{}
	for _, r := range rows.KGs {
		named[r.Code] = r
	}
	drawn := map[austria.KGCode]bool{}
	for _, k := range kgs {
		drawn[k.Code] = true
		f := kgbuild.Facts{Code: k.Code, Name: k.Name, GemeindeCode: k.GemeindeCode, GemeindeName: k.GemeindeName,
			DistrictName: k.DistrictName, Outline: k.Geometry, RegisterSqm: k.AreaSqm}
		if r, ok := named[k.Code]; ok {
			f.Name, f.GemeindeCode, f.GemeindeName = r.Name, r.GemeindeCode, r.GemeindeName
			f.DistrictName = cmp.Or(r.DistrictName, f.DistrictName)
		} else {
			s.warn(fmt.Sprintf("KG %s %s is drawn and not in registers/kg.csv", k.Code, k.Name))
		}
		if a := areas[k.Code]; a > 0 {
			f.RegisterSqm = a
		}
		s.KGs = append(s.KGs, f)
	}
	for _, r := range rows.KGs {
		if !drawn[r.Code] {
			s.Country.Known = append(s.Country.Known, kgbuild.Facts{Code: r.Code, Name: r.Name, GemeindeCode: r.GemeindeCode,
				GemeindeName: r.GemeindeName, DistrictName: r.DistrictName})
		}
	}
	slices.SortFunc(s.KGs, func(a, b kgbuild.Facts) int { return cmp.Compare(a.Code, b.Code) })
	s.Country.Known = append(s.Country.Known, s.KGs...) // one without a snapshot is listed, cold
	s.Country.Attribution = s.Settings.Attribution
}

// country turns the registers into the rows of the national register, in its orders.
func (s *Source) country(rows registers.Registers, drawn []outlines.Gemeinde) {
	outline := map[austria.GemeindeCode]geom.MultiPolygon{}
	for _, g := range drawn {
		outline[g.Code] = append(outline[g.Code], g.Geometry...)
	}
	c := &s.Country
	for _, g := range rows.Gemeinden {
		m := register.Municipality{Code: g.Code, Name: g.Name, DistrictCode: g.DistrictCode, DistrictName: g.DistrictName, At: g.At,
			Outline: register.Simplify(outline[g.Code], kgbuild.OutlineToleranceM)}
		if !g.HasAt {
			m.At, _ = m.Outline.Centroid()
		}
		c.Municipalities = append(c.Municipalities, m)
	}
	s.drawnOnly(rows, drawn, outline)
	for _, d := range rows.Districts {
		c.Districts = append(c.Districts, register.District{Code: d.Code, Name: d.Name, State: d.StateCode})
	}
	for _, l := range rows.Localities {
		c.Localities = append(c.Localities, register.Locality{OKZ: l.OKZ, Name: l.Name, GemeindeCode: l.GemeindeCode,
			GemeindeName: l.GemeindeName, KG: l.KG, PLZ: l.PLZ, At: l.At})
	}
	for _, p := range rows.Postal {
		c.PLZ = append(c.PLZ, register.PostalPlace{PLZ: p.PLZ, Place: p.Place, GemeindeCode: p.GemeindeCode})
	}
	slices.SortFunc(c.Municipalities, func(a, b register.Municipality) int { return cmp.Compare(a.Code, b.Code) })
	slices.SortFunc(c.Districts, func(a, b register.District) int { return cmp.Compare(a.Code, b.Code) })
	slices.SortFunc(c.Localities, func(a, b register.Locality) int { return cmp.Compare(a.OKZ, b.OKZ) })
	slices.SortFunc(c.PLZ, func(a, b register.PostalPlace) int {
		return cmp.Or(cmp.Compare(a.PLZ, b.PLZ), cmp.Compare(a.Place, b.Place), cmp.Compare(a.GemeindeCode, b.GemeindeCode))
	})
}

// drawnOnly adds the municipalities that are drawn and that gemeinden.csv does not list, or all where there is no such
// file. Their names are those of the KG register where it has them, else those of the outlines.
func (s *Source) drawnOnly(rows registers.Registers, drawn []outlines.Gemeinde, outline map[austria.GemeindeCode]geom.MultiPolygon) {
	c := &s.Country
	known := map[austria.GemeindeCode]bool{}
	for i := range c.Municipalities {
		known[c.Municipalities[i].Code] = true
	}
	named := map[austria.GemeindeCode]*registers.KG{}
	for i := range rows.KGs {
		named[rows.KGs[i].GemeindeCode] = &rows.KGs[i]
	}
	for _, g := range drawn {
		if known[g.Code] {
			continue
		}
		known[g.Code] = true
		m := register.Municipality{Code: g.Code, Name: g.Name, DistrictCode: g.Code.District(),
			Outline: register.Simplify(outline[g.Code], kgbuild.OutlineToleranceM)}
		if k := named[g.Code]; k != nil {
			m.Name, m.DistrictName = cmp.Or(k.GemeindeName, m.Name), k.DistrictName
		}
		m.At, _ = m.Outline.Centroid()
		c.Municipalities = append(c.Municipalities, m)
	}
}

// Facts are those of a KG that the source draws.
func (s *Source) Facts(code austria.KGCode) (kgbuild.Facts, error) {
	i := slices.IndexFunc(s.KGs, func(f kgbuild.Facts) bool { return f.Code == code })
	if i < 0 {
		return kgbuild.Facts{}, fmt.Errorf("KG %s is not in the source's kg.geojson", code)
	}
	return s.KGs[i], nil
}

// Task is the build of one KG of this source.
func (s *Source) Task(f kgbuild.Facts, st store.Store) (kgbuild.Task, error) {
	t := kgbuild.Task{Facts: f, Settings: s.Settings.Settings, Tiles: s.tiles, Store: st, Workers: 2}
	if f.Outline.Bounds().Empty() {
		return t, fmt.Errorf("KG %s %s has no outline", f.Code, f.Name)
	}
	if s.addresses != nil {
		b := f.Outline.Bounds()
		b = geom.Box{MinX: b.MinX - addressMarginE7, MinY: b.MinY - addressMarginE7, MaxX: b.MaxX + addressMarginE7,
			MaxY: b.MaxY + addressMarginE7}
		for _, a := range s.addresses.In(b) {
			t.Addresses = append(t.Addresses, kg.Address(a))
		}
	}
	return t, nil
}
