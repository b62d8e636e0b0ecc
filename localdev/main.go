// Command localdev is Mappe on one machine, as it is run in the checkout: go run ./localdev.
package main

import "mappe/localdev/command"

func main() { command.Main() }
