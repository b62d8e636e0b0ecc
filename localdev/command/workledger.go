package command

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"mappe/functions/workfeed/worklog"
	"mappe/shared/cloud/ledger/ledgerurl"
)

// openLog is the work feed's log in a ledger that has to be closed.
type openLog struct {
	*worklog.Log
	ledgerurl.Ledger
}

// workLedger is the ledger beside published artefacts: the file that stands for the template's table, so
// that the feed and its tokens are the same in one process and with --exact.
func workLedger(data string) string {
	if strings.Contains(data, "://") {
		data = ".localdev"
	}
	return "sqlite:" + filepath.ToSlash(filepath.Join(data, ".exact", "ledger.db"))
}

func openWork(ctx context.Context, data string) (openLog, error) {
	return openWorkAt(ctx, workLedger(data))
}

func openWorkAt(ctx context.Context, address string) (openLog, error) {
	l, err := ledgerurl.Open(ctx, address)
	if err != nil {
		return openLog{}, fmt.Errorf("ledger of the work feed: %w", err)
	}
	return openLog{worklog.New(l, nil), l}, nil
}
