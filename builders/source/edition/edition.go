// Package edition finds files that bear a date in their names, as offices hand them out: KAT_DKM_GST_..._20261001.gpkg.
// Of several editions of one file in a folder the newest counts. It reads names only.
package edition

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"time"
)

// date is eight digits that stand alone.
var date = regexp.MustCompile(`(?:^|[^0-9])((?:19|20)[0-9]{6})(?:[^0-9]|$)`)

// Newest lists the files of a folder whose names match, in the order of their names: of those that differ in
// the date only the newest, and apart from them the older ones.
func Newest(dir string, name *regexp.Regexp) (files, older []string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, nil, err
	}
	newest := map[string]string{} // name without its date -> name
	for _, e := range entries {
		if e.IsDir() || !name.MatchString(e.Name()) {
			continue
		}
		file, theme := e.Name(), e.Name()
		if at := date.FindStringSubmatchIndex(file); at != nil {
			theme = file[:at[2]] + file[at[3]:]
		}
		if other, ok := newest[theme]; ok {
			if Date(other) > Date(file) {
				file, other = other, file
			}
			older = append(older, filepath.Join(dir, other))
		}
		newest[theme] = file
	}
	for _, file := range newest {
		files = append(files, filepath.Join(dir, file))
	}
	slices.Sort(files)
	slices.Sort(older)
	return files, older, nil
}

// Date is the date in a file's name as YYYY-MM-DD, "" if the name has no date.
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
