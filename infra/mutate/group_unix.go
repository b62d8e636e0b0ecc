//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// grouped puts a command and what it starts into a process group of its own, which ends as a whole: a mutant may
// leave processes behind that its test would have ended.
func grouped(cmd *exec.Cmd) (end func()) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	end = func() {
		if cmd.Process != nil {
			syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		}
	}
	cmd.Cancel = func() error { end(); return nil }
	return end
}
