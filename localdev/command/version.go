package command

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

// programName is what the command was started as, so that help and completion speak of the program that a
// person has: mappe where it was installed by that name.
func programName() string {
	name := strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe")
	if strings.HasSuffix(name, ".test") {
		return "localdev"
	}
	return name
}

// commandLine is how a message names the program.
func commandLine() string {
	if name := programName(); name != "localdev" {
		return name
	}
	return checkoutLine
}

// speakOf puts the program's name into the texts of a command and those below it, which are written for the
// checkout.
func speakOf(c *cobra.Command, name string) {
	c.Long = strings.ReplaceAll(c.Long, checkoutLine, name)
	c.Example = strings.ReplaceAll(c.Example, checkoutLine, name)
	for _, sub := range c.Commands() {
		speakOf(sub, name)
	}
}

// checkoutLine starts the program in the checkout.
const checkoutLine = "go run ./localdev"

// version is what the build knows of itself: the module's version or the revision, Go and the platform.
func version() string {
	own := "unknown version"
	if info, ok := debug.ReadBuildInfo(); ok {
		own = info.Main.Version
		var revision, changed string
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				revision = s.Value[:min(12, len(s.Value))]
			case "vcs.modified":
				if s.Value == "true" {
					changed = ", changed"
				}
			}
		}
		if own == "" || own == "(devel)" {
			own = "development version"
		}
		if revision != "" && !strings.Contains(own, revision) {
			own += ", revision " + revision + changed
		}
	}
	return fmt.Sprintf("%s, %s, %s/%s", own, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
