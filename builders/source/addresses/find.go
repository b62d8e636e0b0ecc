package addresses

import (
	"regexp"

	"mappe/builders/source/edition"
)

// nameOf is how the survey office names the register: Adresse_Relationale_Tabellen_Stichtagsdaten_YYYYMMDD.zip.
var nameOf = regexp.MustCompile(`(?i)^Adresse_Relationale_Tabellen.*\.zip$`)

// Find lists the registers in a folder under the names they are handed out with, in the order of the names, and
// the older editions beside them. The first is the one that is read.
func Find(dir string) (files, older []string, err error) { return edition.Newest(dir, nameOf) }
