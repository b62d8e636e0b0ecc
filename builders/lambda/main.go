// Command lambda is the one program of the builders' functions: it lists KGs, builds one, publishes all, as
// the state machine asks (infra/rebuild.asl.json), and builds the KGs whose warm-up was requested.
package main

import (
	"context"
	"log"
	"os"

	"github.com/aws/aws-lambda-go/lambda"

	"mappe/builders/national"
	"mappe/shared/cloud/memlimit"
)

func main() {
	memlimit.Function(os.Getenv("AWS_LAMBDA_FUNCTION_MEMORY_SIZE"))
	cloud, err := national.OpenCloud(context.Background(), os.Getenv)
	if err != nil {
		log.Fatal(err)
	}
	lambda.Start(cloud.Do)
}
