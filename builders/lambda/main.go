// Command lambda is the one program of the builders' functions: it lists KGs, builds one, publishes all, as
// the state machine asks (infra/rebuild.asl.json), and builds the KGs that requests have wished for.
package main

import (
	"context"
	"log"
	"os"
	"runtime/debug"
	"strconv"

	"github.com/aws/aws-lambda-go/lambda"

	"mappe/builders/national"
)

func main() {
	limitMemory(os.Getenv("AWS_LAMBDA_FUNCTION_MEMORY_SIZE"))
	cloud, err := national.OpenCloud(context.Background(), os.Getenv)
	if err != nil {
		log.Fatal(err)
	}
	lambda.Start(cloud.Do)
}

// limitMemory keeps the collector below nine tenths of the function's memory, given in MiB.
func limitMemory(mib string) {
	if n, err := strconv.ParseInt(mib, 10, 64); err == nil && n >= 128 && n <= 1<<20 {
		debug.SetMemoryLimit(n << 20 / 10 * 9)
	}
}
