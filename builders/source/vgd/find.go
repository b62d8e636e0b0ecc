package vgd

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"mappe/builders/source/edition"
)

// nameOf is how the survey office names its files.
var nameOf = regexp.MustCompile(`(?i)^VGD[_-].*\.(zip|shz)$`)

// Find lists the files of boundaries in a folder and the older editions beside them. The first file is the one
// that is read: the edition generalised for 1:50,000 where there is one, which is as fine as outlines of KGs
// need; else the finest.
func Find(dir string) (files, older []string, err error) {
	files, older, err = edition.Newest(dir, nameOf)
	slices.SortStableFunc(files, func(a, b string) int { return cmp.Compare(rank(a), rank(b)) })
	return files, older, err
}

func rank(name string) int {
	switch name := strings.ToLower(name); {
	case strings.Contains(name, "gen_50_"):
		return 0
	case !strings.Contains(name, "gen_"):
		return 1
	}
	return 2
}
