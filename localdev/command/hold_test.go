package command

import (
	"bufio"
	"errors"
	"log/slog"
	"os"
	"os/exec"
	"strings"
	"testing"
)

func TestOneServerADirectory(t *testing.T) {
	data, quiet := t.TempDir(), slog.New(slog.DiscardHandler)
	first, err := startPayments(t.Context(), data, quiet)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := startPayments(t.Context(), data, quiet); !errors.Is(err, errHeld) || !strings.Contains(err.Error(), data) {
		t.Errorf("a second server: want %v with the directory, got %v", errHeld, err)
	}
	other, err := startPayments(t.Context(), t.TempDir(), quiet)
	if err != nil {
		t.Errorf("another directory: %v", err)
	}
	other.close()
	first.close()
	again, err := startPayments(t.Context(), data, quiet)
	if err != nil {
		t.Errorf("after the first has ended: %v", err)
	}
	again.close()
}

// A server that is killed frees its directory.
func TestADeadServerHoldsNothing(t *testing.T) {
	if folder := os.Getenv("MAPPE_HOLD_CHILD"); folder != "" {
		if _, err := hold(folder); err != nil {
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
	if _, held := hold(folder); err != nil || line != "held\n" || !errors.Is(held, errHeld) {
		t.Errorf("while the other lives: want %v, got %v (%q, %v)", errHeld, held, line, err)
	}
	c.Process.Kill() // SIGKILL
	c.Wait()         // its failure is the point
	release, err := hold(folder)
	if err != nil {
		t.Fatalf("after its death: %v", err)
	}
	release()
}
