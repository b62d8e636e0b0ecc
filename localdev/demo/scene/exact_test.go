package scene

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// On arm64 the compiler makes one instruction of a product and a sum, which rounds once instead of twice: no such
// instruction may be in what values hang on, nor in what it takes from other packages as a part of itself.
func TestNoFusedMultiplyAdd(t *testing.T) {
	c := exec.Command("go", "build", "-trimpath", "-a=false", "-gcflags=-S", "-o", os.DevNull, ".")
	c.Env = append(os.Environ(), "GOARCH=arm64", "CGO_ENABLED=0")
	b, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %.2000s", err, b)
	}
	listing := string(b)
	if !strings.Contains(listing, "FMULD") {
		t.Fatal("the listing holds no multiplication")
	}
	for _, m := range regexp.MustCompile(`(\w+\.go):(\d+)\)\s+(FN?M(?:ADD|SUB)[DS])`).FindAllStringSubmatch(listing, -1) {
		if m[1] != "picture.go" { // is for looking at
			t.Errorf("%s:%s: %s", m[1], m[2], m[3])
		}
	}
}
