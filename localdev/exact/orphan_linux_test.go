package exact

import (
	"bufio"
	"context"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestChildrenDieWithTheParent kills a program that runs functions, without giving it a chance to end them.
func TestChildrenDieWithTheParent(t *testing.T) {
	if dir := os.Getenv("MAPPE_TEST_PARENT"); dir != "" {
		edge, err := Start(context.Background(), Config{Template: filepath.Join("testdata", "template.yaml"), DataDir: dir,
			WorkDir: filepath.Join(dir, "bin")})
		if err != nil {
			t.Fatal(err)
		}
		c := &cloud{Server: httptest.NewServer(edge), edge: edge}
		_, pid, err := c.do(t, "GET", "/f/sleep?ms=0", nil)
		fmt.Println("child", strings.TrimSpace(pid), err)
		select {}
	}
	cmd := exec.Command(os.Args[0], "-test.run", "^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), "MAPPE_TEST_PARENT="+t.TempDir())
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	child := 0
	for lines := bufio.NewScanner(out); child == 0 && lines.Scan(); {
		if fields := strings.Fields(lines.Text()); len(fields) > 1 && fields[0] == "child" {
			if child, err = strconv.Atoi(fields[1]); err != nil {
				t.Fatalf("want the child's pid, got %q", lines.Text())
			}
		}
	}
	if child == 0 || syscall.Kill(child, 0) != nil {
		t.Fatalf("no child runs: %d", child)
	}
	cmd.Process.Kill()
	cmd.Wait()
	for deadline := time.Now().Add(time.Minute); running(child); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			syscall.Kill(child, syscall.SIGKILL)
			t.Fatalf("process %d outlives its parent", child)
		}
	}
}

// running: a zombie that nobody has waited for yet does not run.
func running(pid int) bool {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && !strings.Contains(string(raw), ") Z ")
}
