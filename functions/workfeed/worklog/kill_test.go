package worklog

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"mappe/shared/cloud/ledger/sqlite"
)

// The writer of TestKilledWriters is this test program again, told so by its environment.
const writerFile, writerTasks = "WORKLOG_WRITER_FILE", "WORKLOG_WRITER_TASKS"

func TestMain(m *testing.M) {
	if file := os.Getenv(writerFile); file != "" {
		if err := write(file, strings.Fields(os.Getenv(writerTasks))); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	code := m.Run()
	if bench.dir != "" {
		_ = os.RemoveAll(bench.dir) // made by the benchmarks
	}
	os.Exit(code)
}

// write records tasks, eight at a time, and prints each one that is recorded.
func write(file string, tasks []string) error {
	l, err := sqlite.Open(context.Background(), file, sqlite.Options{})
	if err != nil {
		return err
	}
	log := New(l, nil)
	work := make(chan string)
	failed := make(chan error, 8)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for id := range work {
				if _, _, err := log.Complete(context.Background(), task(id)); err != nil {
					failed <- err
					return
				}
				fmt.Println(id)
			}
		})
	}
	for _, id := range tasks {
		select {
		case work <- id:
		case err := <-failed:
			return err
		}
	}
	close(work)
	group.Wait()
	return l.Close()
}

// TestKilledWriters has 32 writers in four processes on one file, which are killed at random and start
// again with what they were not told is recorded. A poller follows: nothing is lost, doubled or missed.
func TestKilledWriters(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: -short leaves out the processes that are killed")
	}
	const processes, perProcess, shared = 4, 60, 30
	file := filepath.Join(t.TempDir(), "ledger.db")
	l, err := sqlite.Open(context.Background(), file, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	log := New(l, nil)
	polled := map[string]int{}
	var place Cursor
	follow := func() {
		for more := true; more; {
			p, err := poll(log, place)
			if err != nil {
				t.Error(err)
				return
			}
			for _, e := range p.Entries {
				polled[e.TaskID]++
			}
			place, more = p.After, p.More
		}
	}
	place = Beginning
	var group sync.WaitGroup
	var mu sync.Mutex
	kills := 0
	for w := range processes {
		var tasks []string
		for i := range perProcess {
			tasks = append(tasks, fmt.Sprintf("p%d-%d", w, i))
		}
		for i := range shared {
			tasks = append(tasks, fmt.Sprintf("shared-%d", i))
		}
		random := rand.New(rand.NewPCG(uint64(w), 7))
		group.Go(func() {
			for round := 0; len(tasks) > 0; round++ {
				random.Shuffle(len(tasks), func(i, j int) { tasks[i], tasks[j] = tasks[j], tasks[i] })
				patience := time.Duration(20+random.IntN(150)) * time.Millisecond
				if round >= 12 {
					patience = time.Minute // the last one may finish
				}
				done, killed, err := runWriter(file, tasks, patience)
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				kills += killed
				mu.Unlock()
				left := tasks[:0]
				for _, id := range tasks {
					if !done[id] {
						left = append(left, id)
					}
				}
				tasks = left
			}
		})
	}
	ended := make(chan struct{})
	go func() { group.Wait(); close(ended) }()
	for running := true; running; {
		select {
		case <-ended:
			running = false
		case <-time.After(5 * time.Millisecond):
		}
		follow()
	}
	follow()
	want := processes*perProcess + shared
	if len(polled) != want {
		t.Errorf("want %d tasks, the poller met %d", want, len(polled))
	}
	for id, n := range polled {
		if n != 1 {
			t.Errorf("%s: met %d times", id, n)
		}
	}
	mark, err := log.Settle(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if p, err := log.Newest(context.Background(), Query{Mark: mark, Filter: Filter{Tag: "t", Board: "B"}, Limit: 2 * want}); err != nil ||
		len(p.Entries) != want {
		t.Errorf("want %d entries in the feed, got %d, %v", want, len(p.Entries), err)
	}
	if kills < processes {
		t.Errorf("only %d processes were killed", kills)
	}
	t.Logf("%d tasks, %d processes killed", want, kills)
}

// runWriter runs one process, kills it when it takes longer than patience, and gives the tasks it was
// told are recorded.
func runWriter(file string, tasks []string, patience time.Duration) (done map[string]bool, killed int, err error) {
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), writerFile+"="+file, writerTasks+"="+strings.Join(tasks, " "))
	c.Stderr = os.Stderr
	out, err := c.StdoutPipe()
	if err != nil {
		return nil, 0, err
	}
	if err := c.Start(); err != nil {
		return nil, 0, err
	}
	timer := time.AfterFunc(patience, func() { _ = c.Process.Kill() }) // SIGKILL; it may have ended
	done = map[string]bool{}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		done[lines.Text()] = true
	}
	err = c.Wait()
	if !timer.Stop() {
		return done, 1, nil
	}
	return done, 0, err
}
