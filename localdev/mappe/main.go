// Command mappe is Mappe on one machine, as it is installed: go install ./localdev/mappe.
package main

import "mappe/localdev/command"

func main() { command.Main() }
