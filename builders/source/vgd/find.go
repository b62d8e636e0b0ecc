package vgd

import (
	"regexp"

	"mappe/builders/source/edition"
)

// nameOf is how the survey office names its files.
var nameOf = regexp.MustCompile(`(?i)^VGD_.*\.(zip|shz)$`)

// Find lists the files of boundaries in a folder, in the order of their names, and the older editions beside
// them. The first file is the one that is read: of gen_50 and gen_250 the finer one.
func Find(dir string) (files, older []string, err error) { return edition.Newest(dir, nameOf) }
