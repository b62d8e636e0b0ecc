// Command pmtiles verifies archives with protomaps/go-pmtiles, the reference implementation in Go. It is a module
// of its own: the library has 400 modules in its build list, which no product build is to resolve.
//
//	go run . FILE...
package main

import (
	"fmt"
	"log"
	"os"

	"github.com/protomaps/go-pmtiles/pmtiles"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: pmtiles FILE...")
		os.Exit(2)
	}
	for _, file := range os.Args[1:] {
		if err := pmtiles.Verify(log.New(os.Stderr, "", 0), file); err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", file, err)
			os.Exit(1)
		}
		fmt.Println(file, "is verified")
	}
}
