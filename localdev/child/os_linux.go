package child

import (
	"os/exec"
	"syscall"
)

// endWithParent has the system kill the process when this program ends, however it ends.
func endWithParent(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}
