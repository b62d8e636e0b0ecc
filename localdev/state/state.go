// Package state is where the services of one machine keep what they write: the ledger and the books' files beside
// published artefacts, or a directory of their own. It chooses, checks and holds directories and opens the ledger for
// the services; what the records mean is the services' own. The commands call it.
package state

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"mappe/functions/books/records"
	"mappe/functions/workfeed/worklog"
	"mappe/shared/cloud/ledger/ledgerurl"
)

// beside is the directory beside published artefacts; an object store has .localdev.
func beside(data string) string {
	if strings.Contains(data, "://") {
		return ".localdev"
	}
	return data
}

// Ledger is the address of the ledger beside published artefacts: the file that stands for the template's table,
// so that records are the same in one process and with --exact.
func Ledger(data string) string {
	return "sqlite:" + filepath.ToSlash(filepath.Join(beside(data), ".exact", "ledger.db"))
}

// BookFiles is the folder of manuscripts and books beside published artefacts: the one that stands for the
// template's bucket with --exact.
func BookFiles(data string) string { return filepath.Join(beside(data), ".exact", "books") }

// Shares is the folder of the results of tasks beside published artefacts: the one that stands for the bucket's folder with
// --exact.
func Shares(data string) string { return filepath.Join(beside(data), ".exact", "shares") }

// Repository is the folder of the stand-in for the research repository beside published artefacts.
func Repository(data string) string { return filepath.Join(beside(data), ".exact", "repository") }

// WorkLog is the work feed's log in a ledger that has to be closed.
type WorkLog struct {
	*worklog.Log
	ledgerurl.Ledger
}

// OpenWorkLog opens the log in the ledger at an address, see ledgerurl.
func OpenWorkLog(ctx context.Context, address string) (WorkLog, error) {
	l, err := ledgerurl.Open(ctx, address)
	if err != nil {
		return WorkLog{}, fmt.Errorf("ledger of the work feed: %w", err)
	}
	return WorkLog{worklog.New(l, nil), l}, nil
}

// BookRecords are the book service's records in a ledger that has to be closed.
type BookRecords struct {
	*records.Records
	ledgerurl.Ledger
}

// OpenBookRecords opens the records in the ledger at an address, see ledgerurl.
func OpenBookRecords(ctx context.Context, address string) (BookRecords, error) {
	l, err := ledgerurl.Open(ctx, address)
	if err != nil {
		return BookRecords{}, fmt.Errorf("ledger of the book service: %w", err)
	}
	return BookRecords{records.New(l, nil), l}, nil
}
