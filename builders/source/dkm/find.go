package dkm

import (
	"regexp"

	"mappe/builders/source/edition"
)

// nameOf is how the survey office names its files.
var nameOf = regexp.MustCompile(`(?i)^KAT_DKM_.*\.gpkg$`)

// Find lists the map's files in a folder, in the order of their names, and the older editions beside them,
// which are not read.
func Find(dir string) (files, older []string, err error) { return edition.Newest(dir, nameOf) }
