// Command landscape analyses the KG whose turn it is: a schedule invokes it once a minute.
package main

import (
	"context"
	"log"
	"os"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-lambda-go/lambdacontext"

	"mappe/builders/landscape/process"
	"mappe/shared/cloud/memlimit"
)

func main() {
	memlimit.Function(os.Getenv("AWS_LAMBDA_FUNCTION_MEMORY_SIZE"))
	work, err := process.Handler(context.Background(), os.Getenv, lambdacontext.NewLogger())
	if err != nil {
		log.Fatal(err)
	}
	lambda.Start(work)
}
