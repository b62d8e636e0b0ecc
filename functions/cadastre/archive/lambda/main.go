// Command lambda serves processing and archive from a Function URL; the worker's function does the jobs.
package main

import (
	"mappe/functions/cadastre/archive"
	"mappe/functions/cadastre/archive/cloud"
	"mappe/functions/serve"
)

func main() { serve.Opened(archive.Family, cloud.Service) }
