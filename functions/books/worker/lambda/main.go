// Command lambda makes the books that were ordered: one job an invocation, or those that nobody does.
package main

import (
	"context"
	"log"
	"os"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-lambda-go/lambdacontext"

	"mappe/functions/books/cloud"
)

func main() {
	work, err := cloud.Worker(context.Background(), os.Getenv, lambdacontext.NewLogger())
	if err != nil {
		log.Fatal(err)
	}
	lambda.Start(work)
}
