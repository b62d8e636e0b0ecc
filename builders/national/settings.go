package national

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"mappe/builders/kgbuild"
	"mappe/shared/austria"
)

// Settings are what source.json says of a raw source directory.
type Settings struct {
	kgbuild.Settings
	// Without are KGs of which the source has an outline and no parcels: they are listed and stay cold, and that they are
	// not built is no failure.
	Without []austria.KGCode `json:"without_parcels,omitempty"`
	// OnDemand are KGs that a build leaves out unless it is told to build them: they are listed and cold, and built when a
	// request touches them.
	OnDemand []austria.KGCode `json:"on_demand,omitempty"`
}

// readSettings reads source.json. Where it says no date, that of the files' names counts, and the attribution is
// the one their publisher asks for; the zooms are those of tiles.
func readSettings(dir string, handed handed) (Settings, error) {
	var s Settings
	file := filepath.Join(dir, "source.json")
	b, err := os.ReadFile(file)
	switch {
	case errors.Is(err, fs.ErrNotExist) && handed.date() == "":
		return s, fmt.Errorf("%s is missing: it names the stichtag (YYYY-MM-DD) and the attribution of the source; without it a file of the survey office must have the date in its name, as KAT_DKM_GST_epsg31287_YYYYMMDD.gpkg", file)
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return s, err
	default:
		if err := json.Unmarshal(b, &s); err != nil {
			return s, fmt.Errorf("%s: %w", file, err)
		}
	}
	if date := handed.date(); date != "" {
		s.Stichtag = cmp.Or(s.Stichtag, date)
		if len(s.Stichtag) >= 4 {
			s.Attribution = cmp.Or(s.Attribution, "© BEV, "+s.Stichtag[:4])
		}
	}
	s.ParcelZoom, s.LandUseZoom = cmp.Or(s.ParcelZoom, 15), cmp.Or(s.LandUseZoom, 16)
	return s, s.check(file)
}

// check refuses what no build can work with; file is named in the error.
func (s Settings) check(file string) error {
	if _, err := time.Parse(time.DateOnly, s.Stichtag); err != nil {
		return fmt.Errorf("%s: stichtag %q is not a date YYYY-MM-DD", file, s.Stichtag)
	}
	if strings.TrimSpace(s.Attribution) == "" {
		return fmt.Errorf("%s: attribution is missing: the licence asks for one, for example © BEV, 2026", file)
	}
	for name, list := range map[string][]austria.KGCode{"without_parcels": s.Without, "on_demand": s.OnDemand} {
		for _, code := range list {
			if c, err := austria.ParseKGCode(string(code)); err != nil || c != code {
				return fmt.Errorf("%s: %s: %.40q is no KG code of five digits", file, name, code)
			}
		}
	}
	for _, z := range []struct {
		name  string
		value int
	}{{"parcel_zoom", s.ParcelZoom}, {"landuse_zoom", s.LandUseZoom}} {
		if z.value < 10 || z.value > 18 {
			return fmt.Errorf("%s: %s %d is not a zoom from 10 to 18", file, z.name, z.value)
		}
	}
	return nil
}
