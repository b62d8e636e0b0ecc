package postgres

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// CPU is the processor time that the server and its present connections have taken. Linux tells it.
func (c *Cluster) CPU() (time.Duration, error) {
	b, err := os.ReadFile(filepath.Join(c.dir, "data", "postmaster.pid"))
	if err != nil {
		return 0, err
	}
	server, _, _ := strings.Cut(string(b), "\n")
	list, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return 0, err
	}
	var sum time.Duration
	for _, file := range list {
		b, err := os.ReadFile(file)
		if err != nil {
			continue // it has ended
		}
		s, err := statOf(string(b))
		if err == nil && (s.parent == server || filepath.Dir(file) == "/proc/"+server) {
			sum += s.cpu
		}
	}
	return sum, nil
}

// ProcessCPU is the processor time of a process.
func ProcessCPU(pid int) (time.Duration, error) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	s, err := statOf(string(b))
	return s.cpu, err
}

// stat is what is read of a process.
type stat struct {
	parent string
	cpu    time.Duration // in the program and in the system
}

func statOf(line string) (s stat, err error) {
	_, after, _ := strings.Cut(line, ") ") // the name before may hold anything
	fields := strings.Fields(after)
	if len(fields) < 13 {
		return s, fmt.Errorf("a process has %d fields", len(fields))
	}
	const perTick = 10 * time.Millisecond
	for _, f := range fields[11:13] {
		n, err := strconv.Atoi(f)
		if err != nil {
			return s, err
		}
		s.cpu += time.Duration(n) * perTick
	}
	s.parent = fields[1]
	return s, nil
}
