package postgres

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// CPU is the processor time that the server has taken, with that of the connections that have ended. Linux tells it.
func (c *Cluster) CPU() (time.Duration, error) {
	b, err := os.ReadFile(filepath.Join(c.dir, "data", "postmaster.pid"))
	if err != nil {
		return 0, err
	}
	pid, _, _ := strings.Cut(string(b), "\n")
	n, err := strconv.Atoi(pid)
	if err != nil {
		return 0, err
	}
	return ProcessCPU(n)
}

// ProcessCPU is the processor time of a process and of its children that have ended.
func ProcessCPU(pid int) (time.Duration, error) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	_, after, _ := strings.Cut(string(b), ") ") // the name before may hold anything
	fields := strings.Fields(after)
	if len(fields) < 15 {
		return 0, fmt.Errorf("/proc/%d/stat has %d fields", pid, len(fields))
	}
	const perTick = 10 * time.Millisecond
	var sum time.Duration
	for _, f := range fields[11:15] { // user and system, its own and its children's
		n, err := strconv.Atoi(f)
		if err != nil {
			return 0, err
		}
		sum += time.Duration(n) * perTick
	}
	return sum, nil
}
