package daemon_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ipfs/go-cid"

	"mappe/localdev/node/blob"
	"mappe/localdev/node/store"
)

// writing makes this test program a writer that is killed: it keeps blobs in the folder and prints the name of each that is kept.
const writing = "NODE_TEST_WRITES"

func TestMain(m *testing.M) {
	if folder := os.Getenv(writing); folder != "" {
		if err := write(folder); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	os.Exit(m.Run())
}

func write(folder string) error {
	s, err := store.Open(folder, time.Now)
	if err != nil {
		return err
	}
	for i := 0; ; i++ {
		data := []byte(strings.Repeat(strconv.FormatInt(time.Now().UnixNano(), 36)+" ", 1+i%500))
		ids, err := s.Put(store.Item{ID: blob.SumRaw(data), Data: data}, store.Item{ID: blob.SumRaw(data[:5]), Data: data[:5]})
		if err != nil {
			return err
		}
		fmt.Println(ids[0]) // it is promised from here on
	}
}

// Processes that are killed while they write lose no blob that they have promised, and leave none torn. NODE_KILLS is how many are
// killed in all; make soak repeats the short form.
func TestKilledWhileWriting(t *testing.T) {
	kills := 12
	if testing.Short() {
		kills = 2
	}
	if v, err := strconv.Atoi(os.Getenv("NODE_KILLS")); err == nil {
		kills = v
	}
	folder := t.TempDir()
	promised := map[string]bool{}
	for i := range kills {
		killed(t, folder, i, promised)
	}
	s, err := store.Open(folder, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	n := 0
	s.Each(func(id cid.Cid, data []byte) bool {
		if err := blob.Matches(id, data); err != nil {
			t.Error(err)
		}
		delete(promised, id.String())
		n++
		return true
	})
	if len(promised) > 0 || n == 0 {
		t.Errorf("%d promised blobs are lost, %d are there", len(promised), n)
	}
	t.Logf("%d kills, %d blobs", kills, n)
}

// killed runs a writer and kills it after some blobs.
func killed(t *testing.T, folder string, i int, promised map[string]bool) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), writing+"="+folder)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for n := 0; lines.Scan(); n++ {
		promised[lines.Text()] = true
		if n == 1+i%7 {
			time.AfterFunc(time.Duration(i%13)*time.Millisecond/4, func() { _ = cmd.Process.Kill() })
		}
	}
	_ = cmd.Wait() // it was killed
	if cmd.ProcessState.Exited() {
		t.Fatalf("the writer ended by itself: %v", cmd.ProcessState)
	}
}
