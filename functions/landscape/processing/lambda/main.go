// Command lambda serves the state and the queue of the analysis of all KGs from a Function URL; the worker's function does the work.
package main

import (
	"mappe/functions/landscape/processing"
	"mappe/functions/landscape/processing/cloud"
	"mappe/functions/serve"
)

func main() { serve.Opened(processing.Family, cloud.Service) }
