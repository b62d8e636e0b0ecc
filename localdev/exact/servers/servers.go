// Package servers starts independent servers of S3 and DynamoDB for the exact mode: versitygw over a directory and dynalite in
// memory, which `make tools packages` installs. They listen on 127.0.0.1 and end with the program.
package servers

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

	"mappe/localdev/child"
	"mappe/localdev/exact"
	"mappe/shared/cloud/awsenv"
	"mappe/shared/cloud/pause"
	"mappe/shared/cloud/stack"
)

// Programs are where the servers are installed.
type Programs struct {
	Gateway  string // versitygw
	Node     string
	Dynalite string // its program
}

// Find looks for the programs in a checkout; the error says what is missing.
func Find(checkout string) (Programs, error) {
	p := Programs{Gateway: filepath.Join(checkout, ".cache", "bin", "versitygw"),
		Dynalite: filepath.Join(checkout, "infra", "oracles", "dynalite", "node_modules", "dynalite", "cli.js")}
	for _, file := range []string{p.Gateway, p.Dynalite} {
		if _, err := os.Stat(file); err != nil {
			return p, fmt.Errorf("the servers of S3 and DynamoDB are not installed, make tools packages does it: %w", err)
		}
	}
	var err error
	if p.Node, err = exec.LookPath("node"); err != nil {
		return p, fmt.Errorf("dynalite needs Node.js: %w", err)
	}
	return p, nil
}

// beginWithin is how long a server may take to listen.
const beginWithin = time.Minute

// Start runs both with empty memory; the S3 server keeps its files in a directory that is emptied first. stop ends them and
// removes the directory.
func Start(ctx context.Context, p Programs, dir string) (s exact.Servers, stop func() error, err error) {
	if err := errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o700)); err != nil {
		return s, nil, err
	}
	var running []*server
	stop = sync.OnceValue(func() error {
		for _, one := range running {
			one.end()
		}
		return os.RemoveAll(dir)
	})
	key, secret := awsenv.OrLocal()
	for _, one := range []struct {
		address *string
		command func(host, port string) *exec.Cmd
	}{
		{&s.S3, func(host, port string) *exec.Cmd {
			c := exec.Command(p.Gateway, "--quiet", "--port", net.JoinHostPort(host, port), "--region", stack.Region,
				"--cors-allow-origin", "*", "posix", dir)
			c.Env = append(os.Environ(), "ROOT_ACCESS_KEY_ID="+key, "ROOT_SECRET_ACCESS_KEY="+secret)
			return c
		}},
		{&s.DynamoDB, func(host, port string) *exec.Cmd {
			return exec.Command(p.Node, p.Dynalite, "--host", host, "--port", port, "--createTableMs", "0")
		}},
	} {
		r, err := begin(ctx, one.command)
		if err != nil {
			return s, nil, errors.Join(err, stop())
		}
		running, *one.address = append(running, r), "http://"+r.address
	}
	return s, stop, nil
}

// server is one that runs.
type server struct {
	address string
	cmd     *exec.Cmd
	ended   chan struct{}
	said    bytes.Buffer
}

// begin starts a server on a free port and waits until it listens.
func begin(ctx context.Context, command func(host, port string) *exec.Cmd) (*server, error) {
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	r := &server{address: free.Addr().String(), ended: make(chan struct{})}
	free.Close()
	host, port, err := net.SplitHostPort(r.address)
	if err != nil {
		return nil, err
	}
	r.cmd = command(host, port)
	r.cmd.Stdout, r.cmd.Stderr = &r.said, &r.said
	if err := child.Start(r.cmd); err != nil {
		return nil, fmt.Errorf("start %s: %w", r.cmd.Path, err)
	}
	go func() {
		_ = r.cmd.Wait() // whoever ends it knows; whoever waits is told by what it said
		close(r.ended)
	}()
	ctx, cancel := context.WithTimeout(ctx, beginWithin)
	defer cancel()
	for {
		conn, err := net.DialTimeout("tcp", r.address, time.Second)
		if err == nil {
			_ = conn.Close() // nothing was sent
			return r, nil
		}
		select {
		case <-r.ended:
			return nil, fmt.Errorf("%s ended: %s", r.cmd.Path, bytes.TrimSpace(r.said.Bytes()))
		default:
		}
		if pause.For(ctx, 20*time.Millisecond) != nil {
			r.end()
			return nil, fmt.Errorf("%s does not listen: %w", r.cmd.Path, err)
		}
	}
}

func (r *server) end() {
	_ = r.cmd.Process.Kill() // it may have ended
	<-r.ended
}
