// Command lambda finishes settlements whose outcome was unknown; a schedule calls it.
package main

import (
	"context"
	"log"
	"log/slog"
	"os"

	"github.com/aws/aws-lambda-go/lambda"

	"mappe/functions/expander/paygate"
)

func main() {
	settings, err := paygate.FromEnvironment(os.Getenv)
	if err != nil {
		log.Fatal(err)
	}
	t, err := paygate.Open(context.Background(), settings, slog.Default())
	if err != nil {
		log.Fatal(err)
	}
	lambda.Start(func(ctx context.Context) error { return t.Once(ctx, slog.Default()) })
}
