// Command lambda serves the book service from a Function URL; the worker's function makes the books.
package main

import (
	"context"
	"log/slog"
	"os"

	"mappe/functions/books"
	"mappe/functions/books/cloud"
	"mappe/functions/serve/plain"
	"mappe/shared/web/endpoint"
)

func main() {
	plain.Service(books.Family.Prefix, func(ctx context.Context, log *slog.Logger) (*endpoint.Service, error) {
		return cloud.Service(ctx, os.Getenv, log)
	})
}
