package press

import (
	"fmt"
	"slices"
	"strings"
)

// Edition says whether a book is for reading through or for the printer.
type Edition string

// The editions.
const (
	Proof Edition = "proof"
	Final Edition = "final"
)

// AllEditions are all editions.
func AllEditions() []Edition { return []Edition{Proof, Final} }

// Format says which files are made.
type Format string

// The formats.
const (
	Both Format = "both"
	PDF  Format = "pdf"
	EPUB Format = "epub"
)

// AllFormats are all formats.
func AllFormats() []Format { return []Format{Both, PDF, EPUB} }

// producer is what the files say made them.
const producer = "Mappe press"

// check refuses a job that says nothing the press knows: a fault of the program, not of the author.
func (j *Job) check() error {
	if !slices.Contains(AllEditions(), j.Edition) || !slices.Contains(AllFormats(), j.Format) {
		return internal("reading the order", "", fmt.Errorf("edition %q, format %q", j.Edition, j.Format))
	}
	if j.Format == EPUB {
		j.Edition = Proof // an e-book alone is always a proof
	}
	return nil
}

// proofLine stands on every page of a proof.
func (j *Job) proofLine() string {
	line := "PROOF"
	if !j.Created.IsZero() {
		line += " · " + strings.TrimLeft(j.Created.UTC().Format("2 January 2006"), " ")
	}
	return line + " · not for sale"
}
