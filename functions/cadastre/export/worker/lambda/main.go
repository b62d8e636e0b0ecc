// Command lambda writes the exports that are too large for one answer: one job an invocation, or those that nobody does.
package main

import (
	"context"
	"log"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-lambda-go/lambdacontext"

	"mappe/functions/cadastre/export/cloud"
)

func main() {
	work, err := cloud.Worker(context.Background(), lambdacontext.NewLogger())
	if err != nil {
		log.Fatal(err)
	}
	lambda.Start(work)
}
