package pay_test

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// child is a process that is killed and started again on the same address and file.
type child struct {
	role, address, file string
	env                 []string
	mu                  sync.Mutex
	cmd                 *exec.Cmd
	kills               int
}

func (c *child) start() error {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "PAY_TEST_ROLE="+c.role, "PAY_TEST_ADDRESS="+c.address, "PAY_TEST_LEDGER="+c.file)
	cmd.Env = append(cmd.Env, c.env...)
	cmd.Stderr = os.Stderr
	c.cmd = cmd
	return cmd.Start()
}

func (c *child) kill() {
	c.cmd.Process.Kill() // SIGKILL
	c.cmd.Wait()         // its failure is the point
}

// restart kills, starts and waits until the process answers: on a busy machine it would else never live.
func (c *child) restart() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.kill()
	c.kills++
	if err := c.start(); err != nil {
		return err
	}
	for until := time.Now().Add(patience); ; time.Sleep(5 * time.Millisecond) {
		conn, err := net.Dial("tcp", c.address)
		if err == nil {
			return conn.Close()
		}
		if time.Now().After(until) {
			return fmt.Errorf("%s does not answer: %w", c.role, err)
		}
	}
}

func newChild(t *testing.T, role string, env ...string) *child {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c := &child{role: role, address: l.Addr().String(), file: filepath.Join(t.TempDir(), role+".db"), env: env}
	l.Close()
	if err := c.start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.kill)
	return c
}
