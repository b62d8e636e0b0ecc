package archtest

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// exactPackages compute what ids, labels and kept digests hang on.
var exactPackages = []string{"./shared/geo/raster", "./shared/landscape/segment", "./shared/landscape/change", "./shared/landscape/canopy",
	"./shared/landscape/forest"}

var fusedOp = regexp.MustCompile(`\((\S+:\d+)\)\s+(FN?M(?:ADD|SUB)[SD])\b`)

// The functions run on arm64, where the compiler may make one operation of a product and a sum, which rounds once: a value
// then differs in its last bit from that of another processor, and beyond a threshold the id of an object too. An explicit
// conversion, float64(a*b)+c, keeps them apart (specification of Go, floating-point operators).
func TestNoArithmeticIsFused(t *testing.T) {
	cmd := exec.Command("go", append([]string{"build", "-trimpath", "-gcflags=-S"}, exactPackages...)...)
	cmd.Dir, cmd.Env = root, append(os.Environ(), "GOARCH=arm64", "GOOS=linux", "CGO_ENABLED=0")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %.2000s", err, out)
	}
	for _, p := range exactPackages {
		if !strings.Contains(string(out), "mappe"+p[1:]+"/") {
			t.Errorf("nothing was compiled of %s", p)
		}
	}
	seen := map[string]bool{}
	for _, m := range fusedOp.FindAllStringSubmatch(string(out), -1) {
		if !seen[m[1]] {
			seen[m[1]] = true
			t.Errorf("%s: %s: write the product as float64(a*b)", m[1], m[2])
		}
	}
}
