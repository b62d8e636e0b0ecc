package state

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"testing"
)

// A server that is killed frees its directory.
func TestADeadServerHoldsNothing(t *testing.T) {
	if folder := os.Getenv("MAPPE_HOLD_CHILD"); folder != "" {
		if _, err := Hold(folder); err != nil {
			t.Fatal(err)
		}
		os.Stdout.WriteString("held\n")
		select {} // until it is killed
	}
	folder := t.TempDir()
	c := exec.Command(os.Args[0], "-test.run", "^"+t.Name()+"$")
	c.Env = append(os.Environ(), "MAPPE_HOLD_CHILD="+folder)
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if _, held := Hold(folder); err != nil || line != "held\n" || !errors.Is(held, ErrHeld) {
		t.Errorf("while the other lives: want %v, got %v (%q, %v)", ErrHeld, held, line, err)
	}
	c.Process.Kill() // SIGKILL
	c.Wait()         // its failure is the point
	release, err := Hold(folder)
	if err != nil {
		t.Fatalf("after its death: %v", err)
	}
	release()
}
