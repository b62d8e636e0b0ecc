package daemon_test

import (
	"bufio"
	"crypto/ed25519"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ipfs/go-cid"

	"mappe/localdev/node/blob"
	"mappe/localdev/node/keystore"
	"mappe/localdev/node/oracles"
	"mappe/localdev/node/store"
)

// writing makes this test program a writer that is killed: it keeps blobs and renames a key in the folder, and prints the name of each
// blob that is kept and the number in the key's name.
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
	keys, err := keystore.Open(filepath.Join(folder, "keys"))
	if err != nil {
		return err
	}
	last, err := keyNumber(keys)
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
		if last == 0 {
			_, err = keys.Add("k-1", ed25519.NewKeyFromSeed([]byte(strings.Repeat("k", 32))))
		} else {
			_, err = keys.Rename(fmt.Sprint("k-", last), fmt.Sprint("k-", last+1))
		}
		if err != nil {
			return err
		}
		last++
		fmt.Println("key", last)
	}
}

// keyNumber is the number in the name of the only key, 0 without one.
func keyNumber(keys *keystore.Store) (int, error) {
	list := keys.List()
	if len(list) == 0 {
		return 0, nil
	}
	if len(list) > 1 {
		return 0, fmt.Errorf("%d keys", len(list))
	}
	return strconv.Atoi(strings.TrimPrefix(list[0].Name, "k-"))
}

// Processes that are killed while they write lose no blob and no key that they have promised, and leave none torn. NODE_KILLS is how
// many are killed at least; make soak kills as long as it is told.
func TestKilledWhileWriting(t *testing.T) {
	kills := 12
	if testing.Short() {
		kills = 2
	}
	if v, err := strconv.Atoi(os.Getenv("NODE_KILLS")); err == nil {
		kills = v
	}
	folder := t.TempDir()
	p := promises{blobs: map[string]bool{}}
	for i := range oracles.Rounds(t, kills) {
		p.killed(t, folder, int(i))
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
		delete(p.blobs, id.String())
		n++
		return true
	})
	if len(p.blobs) > 0 || n == 0 || n != s.Count() {
		t.Errorf("%d promised blobs are lost, %d are there, %d are counted", len(p.blobs), n, s.Count())
	}
	keys, err := keystore.Open(filepath.Join(folder, "keys"))
	if err != nil {
		t.Fatal(err)
	}
	if last, err := keyNumber(keys); err != nil || last < p.key || p.key == 0 {
		t.Errorf("the key has number %d, %d was promised, %v", last, p.key, err)
	}
	t.Logf("%d blobs, %d names of the key", n, p.key)
}

// promises are what writers have said.
type promises struct {
	blobs map[string]bool
	key   int
}

// killed runs a writer and kills it after some promises.
func (p *promises) killed(t *testing.T, folder string, i int) {
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
		if number, is := strings.CutPrefix(lines.Text(), "key "); !is {
			p.blobs[lines.Text()] = true
		} else if p.key, err = strconv.Atoi(number); err != nil {
			t.Fatal(err)
		}
		if n == 1+i%7 {
			// a write takes about as long
			time.AfterFunc(time.Duration(i%13)*time.Millisecond, func() { _ = cmd.Process.Kill() })
		}
	}
	_ = cmd.Wait() // it was killed
	if cmd.ProcessState.Exited() {
		t.Fatalf("the writer ended by itself: %v", cmd.ProcessState)
	}
}
