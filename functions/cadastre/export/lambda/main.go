// Command lambda serves the cadastre's exports from a Function URL; the worker's function writes the large ones.
package main

import (
	"mappe/functions/cadastre/export"
	"mappe/functions/cadastre/export/cloud"
	"mappe/functions/serve"
)

func main() { serve.Opened(export.Family, cloud.Service) }
