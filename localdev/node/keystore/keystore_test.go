package keystore

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"mappe/localdev/node/ident"
)

func key(n byte) ed25519.PrivateKey {
	return ed25519.NewKeyFromSeed([]byte(strings.Repeat(string(rune(n)), 32)))
}

func TestKeysAreKept(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "data", "keys")
	s, err := Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	alice, err := s.Add("alice", key('a'))
	if err != nil {
		t.Fatal(err)
	}
	bob, err := s.Add("", key('b'))
	if err != nil || bob.Name != bob.Account.String() {
		t.Fatalf("got %v, %v", bob, err)
	}
	for _, file := range []string{folder, filepath.Join(folder, "account_keys.json")} {
		if info, err := os.Stat(file); err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: %v, %v", file, info.Mode(), err)
		}
	}
	again, err := Open(folder)
	if err != nil || !slices.Equal(again.List(), s.List()) || len(again.List()) != 2 {
		t.Fatalf("got %v, %v", again.List(), err)
	}
	for _, name := range []string{"alice", alice.Account.String()} {
		sig, err := again.Sign(name, []byte("data"))
		if err != nil || !ed25519.Verify(alice.Account.Key(), []byte("data"), sig) {
			t.Errorf("signed as %s: %v", name, err)
		}
	}
	if k, err := again.Rename("alice", "carol"); err != nil || k.Account != alice.Account {
		t.Errorf("renamed: %v, %v", k, err)
	}
	if err := again.Delete("carol"); err != nil {
		t.Error(err)
	}
	if err := again.DeleteAll(); err != nil || len(again.List()) != 0 {
		t.Errorf("left: %v, %v", again.List(), err)
	}
}

// The file is that of the network's daemon: libp2p's message of the key, in base64.
func TestTheForm(t *testing.T) {
	folder := t.TempDir()
	os.Chmod(folder, 0o700)
	s, _ := Open(folder)
	if _, err := s.Add("alice", key('a')); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(filepath.Join(folder, "account_keys.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file map[string]string
	if err := json.Unmarshal(raw, &file); err != nil {
		t.Fatal(err)
	}
	want := append([]byte{8, 1, 18, 64}, key('a')...)
	if got, err := base64.StdEncoding.DecodeString(file["alice"]); err != nil || !slices.Equal(got, want) {
		t.Errorf("want %x, got %x, %v", want, got, err)
	}
}

func TestNamesRefused(t *testing.T) {
	s, err := Open(filepath.Join(t.TempDir(), "keys"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Add("alice", key('a')); err != nil {
		t.Fatal(err)
	}
	other := ident.AccountOf(key('x').Public().(ed25519.PublicKey)).String()
	for name, want := range map[string]error{"alice": ErrTaken, "a b": ErrName, "../x": ErrName, "ü": ErrName, other: ErrName,
		strings.Repeat("a", 129): ErrName} {
		if _, err := s.Add(name, key('b')); !errors.Is(err, want) {
			t.Errorf("%q: want %v, got %v", name, want, err)
		}
	}
	if _, err := s.Add("again", key('a')); !errors.Is(err, ErrTaken) {
		t.Errorf("one key under two names: %v", err)
	}
	if _, err := s.Rename("nobody", "x"); !errors.Is(err, ErrNoKey) {
		t.Errorf("got %v", err)
	}
	if _, err := s.Sign("nobody", nil); !errors.Is(err, ErrNoKey) {
		t.Errorf("got %v", err)
	}
}

// Keys that others may read, or that cannot be read, stop the start.
func TestOpenKeysAreRefused(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "keys")
	s, _ := Open(folder)
	if _, err := s.Add("alice", key('a')); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(folder, "account_keys.json")
	refused := func(want string) {
		t.Helper()
		if _, err := Open(folder); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want an error with %q, got %v", want, err)
		}
	}
	os.Chmod(file, 0o640)
	refused("may be used by others")
	os.Chmod(file, 0o600)
	os.Chmod(folder, 0o755)
	refused("may be used by others")
	os.Chmod(folder, 0o700)
	for text, want := range map[string]string{"{": "unexpected end", `{"a":"?"}`: "libp2p", `{"a":"AAAA"}`: "libp2p",
		`{"a":"` + base64.StdEncoding.EncodeToString(append([]byte{8, 1, 18, 64}, make([]byte, 64)...)) + `"}`: "libp2p"} {
		os.WriteFile(file, []byte(text), 0o600)
		refused(want)
	}
	os.Remove(file)
	os.Symlink("/dev/null", file)
	refused("symbolic link")
}

func TestTheDeviceKeyStays(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "keys")
	a, err := Device(folder)
	if err != nil {
		t.Fatal(err)
	}
	b, err := Device(folder)
	if err != nil || !a.Equal(b) {
		t.Errorf("%v", err)
	}
	info, err := os.Stat(filepath.Join(folder, "libp2p_id_ed25519"))
	if err != nil || info.Size() != 68 || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
}

// Two processes with one folder lose none of each other's keys, and do not use what the other has deleted.
func TestTwoProcessesAtOnce(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "keys")
	var stores [2]*Store
	for i := range stores {
		var err error
		if stores[i], err = Open(folder); err != nil {
			t.Fatal(err)
		}
	}
	var all sync.WaitGroup
	for i := range byte(8) {
		all.Go(func() {
			if _, err := stores[i%2].Add("", key('a'+i)); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	for i, s := range stores {
		if n := len(s.List()); n != 8 {
			t.Errorf("store %d has %d keys of 8", i, n)
		}
	}
	name := stores[0].List()[0].Name
	if err := stores[0].Delete(name); err != nil {
		t.Fatal(err)
	}
	if _, err := stores[1].Sign(name, nil); !errors.Is(err, ErrNoKey) {
		t.Errorf("a key that was deleted signs: %v", err)
	}
	if err := stores[1].Delete(name); !errors.Is(err, ErrNoKey) {
		t.Errorf("got %v", err)
	}
	devices := make([]ed25519.PrivateKey, 8)
	for i := range devices {
		all.Go(func() {
			var err error
			if devices[i], err = Device(folder); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	for _, d := range devices {
		if !d.Equal(devices[0]) {
			t.Error("two device keys were made")
		}
	}
}
