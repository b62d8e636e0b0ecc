package exact

import (
	"fmt"
	"os"
	"strings"
)

// peakRSS is the most memory the process has had, in bytes.
func (p *process) peakRSS() int64 { return p.status("VmHWM:") }

// memory is what the process has now, in bytes, without the pages of files, which the system takes back when it needs them.
func (p *process) memory() int64 { return p.status("RssAnon:") + p.status("RssShmem:") }

// status reads a number of bytes that the system has of the process.
func (p *process) status(name string) int64 {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(raw), name)
	var kilobytes int64
	if _, err := fmt.Sscan(rest, &kilobytes); err != nil {
		return 0
	}
	return kilobytes << 10
}
