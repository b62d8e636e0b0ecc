package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"mappe/artefacts/kgfile"
	"mappe/artefacts/kgfile/kgtest"
	"mappe/builders/national"
	"mappe/infra/bench/postgres"
	"mappe/localdev/server"
	"mappe/shared/cloud/store/dir"
)

// harness is the two servers with the same parcels.
type harness struct {
	snap  *kgfile.Snapshot
	pg    *postgres.Cluster
	host  string // address of the server
	child *exec.Cmd
}

func startHarness(ctx context.Context, tmp string, parcels int) (r *harness, err error) {
	kg := kgtest.Large
	kg.Parcels = parcels
	r = &harness{snap: kgtest.Snapshot(kg)}
	defer func() {
		if err != nil {
			r.stop()
		}
	}()
	if err := r.serve(ctx, filepath.Join(tmp, "artefacts")); err != nil {
		return r, err
	}
	r.pg, err = startPostgres(ctx, tmp, r.snap)
	return r, err
}

// serve publishes the snapshot in a directory and starts a server on it.
func (r *harness) serve(ctx context.Context, data string) error {
	st, err := dir.Open(data)
	if err != nil {
		return err
	}
	if _, err := national.PublishSnapshots(ctx, st, r.snap); err != nil {
		return err
	}
	return r.startServer(ctx, data)
}

// startServer runs this program again as the server, so that client and server do not share a
// scheduler or a heap.
func (r *harness) startServer(ctx context.Context, data string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, self, "--serve", data)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	r.child = cmd
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return fmt.Errorf("the server printed no address: %w", err)
	}
	r.host = strings.TrimPrefix(strings.TrimSpace(line), "http://")
	return nil
}

func (r *harness) stop() {
	if r.pg != nil {
		if err := r.pg.Close(); err != nil {
			fmt.Fprintln(os.Stderr, "cadastre:", err)
		}
	}
	if r.child != nil {
		_ = r.child.Process.Kill() // it may have ended already
		_ = r.child.Wait()
	}
}

// serveData serves a published directory until it is killed.
func serveData(ctx context.Context, data string) error {
	st, err := dir.Open(data)
	if err != nil {
		return err
	}
	h, err := server.New(ctx, server.Config{Store: st})
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println("http://" + l.Addr().String())
	srv := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second}
	go func() {
		<-ctx.Done()
		_ = srv.Close() // the process ends with it
	}()
	if err := srv.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
