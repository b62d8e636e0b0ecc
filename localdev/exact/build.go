package exact

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// BuildFlags make a bootstrap small, reproducible and able to stream. The build ID stays: it follows from
// the sources, and validators are made of it.
var BuildFlags = []string{"-trimpath", "-ldflags", "-s -w", "-tags", "lambda.norpc"}

// build makes a bootstrap for this machine.
func build(ctx context.Context, dir, binary string) error {
	if _, err := os.Stat(dir); err != nil {
		return fmt.Errorf("the function's program: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(binary), 0o755); err != nil {
		return err
	}
	fresh := fmt.Sprintf("%s-%d", binary, os.Getpid()) // the old one may be running
	args := append([]string{"build", "-o", fresh}, BuildFlags...)
	cmd := exec.CommandContext(ctx, "go", append(args, ".")...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go build %s: %w\n%s", dir, err, out)
	}
	return os.Rename(fresh, binary)
}
