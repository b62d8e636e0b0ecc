// Command process does the work on KGs that requests order: one job an invocation, or those that nobody does.
package main

import (
	"context"
	"log"
	"os"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-lambda-go/lambdacontext"

	"mappe/builders/processing"
	"mappe/shared/cloud/memlimit"
)

func main() {
	memlimit.Function(os.Getenv("AWS_LAMBDA_FUNCTION_MEMORY_SIZE"))
	work, err := processing.Handler(context.Background(), os.Getenv, lambdacontext.NewLogger())
	if err != nil {
		log.Fatal(err)
	}
	lambda.Start(work)
}
