package exact

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os/exec"
	"sync"
	"sync/atomic"
	"time"

	"mappe/localdev/child"
)

// process is one running bootstrap with the Runtime API that only it speaks to.
type process struct {
	runner  *runner
	cmd     *exec.Cmd
	jobs    chan *invocation // taken by the bootstrap's GET next
	dead    chan struct{}
	cause   atomic.Value // string: why it ended
	current atomic.Pointer[invocation]
	started time.Time
	first   atomic.Int64 // nanoseconds from start to the first answer, -1 once told
}

// initTimeout is how long Lambda lets a bootstrap take to ask for its first invocation.
const initTimeout = 10 * time.Second

func (r *runner) startProcess() (*process, error) {
	if err := r.ctx.Err(); err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("runtime API: %w", err)
	}
	p := &process{runner: r, jobs: make(chan *invocation), dead: make(chan struct{}), started: time.Now()}
	server := &http.Server{Handler: p.runtimeAPI()}
	go server.Serve(listener)
	p.cmd = exec.Command(r.binary)
	p.cmd.Env = append(r.env[:len(r.env):len(r.env)], "AWS_LAMBDA_RUNTIME_API="+listener.Addr().String())
	out := r.lines.named(r.Name)
	p.cmd.Stdout, p.cmd.Stderr = out, out
	if err := child.Start(p.cmd); err != nil {
		server.Close()
		return nil, fmt.Errorf("start %s: %w", r.binary, err)
	}
	r.tally(func(s *Stats) { s.Processes++ })
	stop := context.AfterFunc(r.ctx, func() { p.kill("shut down") })
	r.all.Go(func() {
		err := p.cmd.Wait()
		stop()
		p.cause.CompareAndSwap(nil, fmt.Sprintf("the process ended: %v", err))
		close(p.dead)
		server.Close()
		out.flush()
	})
	return p, nil
}

func (p *process) alive() bool {
	select {
	case <-p.dead:
		return false
	default:
		return true
	}
}

// kill ends the process; an invocation under way fails with the reason.
func (p *process) kill(reason string) {
	p.cause.CompareAndSwap(nil, reason)
	p.cmd.Process.Kill()
}

// afterDeath calls f when the process has ended, unless stop is called before.
func (p *process) afterDeath(f func()) (stop func()) {
	stopped := make(chan struct{})
	go func() {
		select {
		case <-p.dead:
			f()
		case <-stopped:
		}
	}()
	return sync.OnceFunc(func() { close(stopped) })
}

func (p *process) ended() error {
	reason, _ := p.cause.Load().(string)
	return errors.New(reason)
}

// invoke hands the invocation over and returns when its answer begins or it has failed.
func (p *process) invoke(inv *invocation) outcome {
	patience := time.After(initTimeout)
	for {
		select {
		case p.jobs <- inv:
		case <-p.dead:
			return outcome{err: p.ended()}
		case <-patience:
			p.kill("did not ask for an invocation within " + initTimeout.String())
			patience = nil
			continue
		}
		break
	}
	select {
	case o := <-inv.outcome:
		return p.begun(o)
	case <-p.dead:
	}
	select { // it may have answered with its last breath
	case o := <-inv.outcome:
		return p.begun(o)
	default:
		return outcome{err: p.ended()}
	}
}

func (p *process) begun(o outcome) outcome {
	p.first.CompareAndSwap(0, int64(time.Since(p.started)))
	return o
}

// firstAnswer tells once how long the process took from its start to its first answer.
func (p *process) firstAnswer() time.Duration {
	d := p.first.Swap(-1)
	if d < 0 {
		return 0
	}
	return time.Duration(d)
}
