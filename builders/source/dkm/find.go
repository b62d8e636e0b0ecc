package dkm

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"time"
)

// nameOf is how the survey office names its files; the date is in the middle or at the end.
var nameOf = regexp.MustCompile(`(?i)^KAT_DKM_.*\.gpkg$`)

// date is a date in a file's name: eight digits that stand alone.
var date = regexp.MustCompile(`(?:^|[^0-9])((?:19|20)[0-9]{6})(?:[^0-9]|$)`)

// Find lists the map's files in a folder, in the order of their names. Of files of one theme at several dates
// the newest is taken; older are the others.
func Find(dir string) (files, older []string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, nil, err
	}
	newest := map[string]string{} // name without its date -> name
	for _, e := range entries {
		name := e.Name()
		if e.IsDir() || !nameOf.MatchString(name) {
			continue
		}
		theme := name
		if at := date.FindStringSubmatchIndex(name); at != nil {
			theme = name[:at[2]] + name[at[3]:]
		}
		if before, ok := newest[theme]; ok {
			older = append(older, filepath.Join(dir, min(before, name)))
			name = max(before, name)
		}
		newest[theme] = name
	}
	for _, name := range newest {
		files = append(files, filepath.Join(dir, name))
	}
	slices.Sort(files)
	slices.Sort(older)
	return files, older, nil
}

// Date is the date in a file's name as YYYY-MM-DD, "" when there is none.
func Date(name string) string {
	m := date.FindStringSubmatch(filepath.Base(name))
	if m == nil {
		return ""
	}
	d, err := time.Parse("20060102", m[1])
	if err != nil {
		return ""
	}
	return d.Format(time.DateOnly)
}
