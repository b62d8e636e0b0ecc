package command

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
)

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
