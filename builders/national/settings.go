package national

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Settings are what source.json says of a raw source directory.
type Settings struct {
	Stichtag    string `json:"stichtag"`     // YYYY-MM-DD: the date of the data, and of the snapshots built from it
	Attribution string `json:"attribution"`  // "© BEV, 2026"
	ParcelZoom  int    `json:"parcel_zoom"`  // zoom the parcels are read at, 15
	LandUseZoom int    `json:"landuse_zoom"` // zoom the land use is read at, 16
}

// undated are the settings without the date, and the attribution without its year where it names that of the
// date: two sources that differ in nothing else hold the same data.
func (s Settings) undated() Settings {
	s.Attribution = strings.ReplaceAll(s.Attribution, s.Stichtag[:min(4, len(s.Stichtag))], "YYYY")
	s.Stichtag = ""
	return s
}

func readSettings(dir string) (Settings, error) {
	s := Settings{ParcelZoom: 15, LandUseZoom: 16}
	file := filepath.Join(dir, "source.json")
	b, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return s, fmt.Errorf("%s is missing: it names the stichtag (YYYY-MM-DD) and the attribution of the source", file)
	}
	if err != nil {
		return s, err
	}
	if err := json.Unmarshal(b, &s); err != nil {
		return s, fmt.Errorf("%s: %w", file, err)
	}
	if _, err := time.Parse(time.DateOnly, s.Stichtag); err != nil {
		return s, fmt.Errorf("%s: stichtag %q is not a date YYYY-MM-DD", file, s.Stichtag)
	}
	if strings.TrimSpace(s.Attribution) == "" {
		return s, fmt.Errorf("%s: attribution is missing: the licence asks for one, for example © BEV, 2026", file)
	}
	for _, z := range []struct {
		name  string
		value int
	}{{"parcel_zoom", s.ParcelZoom}, {"landuse_zoom", s.LandUseZoom}} {
		if z.value < 10 || z.value > 18 {
			return s, fmt.Errorf("%s: %s %d is not a zoom from 10 to 18", file, z.name, z.value)
		}
	}
	return s, nil
}
