// Command lambda is the rebuild's one function: it lists KGs, builds one, publishes all, as the state
// machine asks (infra/rebuild.asl.json).
package main

import (
	"context"
	"log"
	"os"

	"github.com/aws/aws-lambda-go/lambda"

	"mappe/builders/national"
)

func main() {
	cloud, err := national.OpenCloud(context.Background(), os.Getenv)
	if err != nil {
		log.Fatal(err)
	}
	lambda.Start(cloud.Do)
}
