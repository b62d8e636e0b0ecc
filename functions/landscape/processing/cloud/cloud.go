// Package cloud opens the function that steers the analysis of all KGs from its environment.
//
//	MAPPE_LEDGER            dynamodb://TABLE, sqlite:FILE   state, queue and what was made
//	MAPPE_OPERATOR_SECRETS  the operator's token; empty: nobody needs one
package cloud

import (
	"context"
	"fmt"
	"log/slog"
	"os"

	"mappe/artefacts/library"
	"mappe/functions/landscape/processing"
	"mappe/shared/cloud/admintoken"
	"mappe/shared/cloud/ledger/ledgerurl"
	"mappe/shared/web/endpoint"
)

// Service is the answering function.
func Service(ctx context.Context, lib *library.Library, log *slog.Logger) (*endpoint.Service, error) {
	l, err := ledgerurl.Open(ctx, os.Getenv("MAPPE_LEDGER"))
	if err != nil {
		return nil, fmt.Errorf("MAPPE_LEDGER: %w", err)
	}
	d := processing.Deps{Library: lib, Ledger: l, Log: log}
	tokens, err := admintoken.FromEnvironment(os.Getenv, log)
	if err != nil {
		return nil, err
	}
	if tokens != nil {
		d.Operator = tokens.Check
	}
	return processing.New(d), nil
}
