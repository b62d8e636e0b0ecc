// Package keystore keeps the signing keys of a node in a file that only its owner reads, in the form of the network's own daemon:
// FOLDER/account_keys.json is a JSON object from names to keys, each the base64 of libp2p's private key message
// (08 01 12 40, then the 32 bytes of the seed and the 32 of the public key). The device's key, which is the peer's id, is such a
// message in FOLDER/libp2p_id_ed25519. No key leaves the package but for signing. Several processes may use one folder: who writes locks
// FILE.lock and reads the file again before, and what another has written is read before a key is used.
package keystore

import (
	"bytes"
	"cmp"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sync"

	"mappe/localdev/node/ident"
	"mappe/localdev/node/safefile"
)

// Errors of the store; their texts name the key.
var (
	ErrNoKey  = errors.New("there is no such key")
	ErrTaken  = errors.New("the name is taken")
	ErrName   = errors.New("the name of a key has 1 to 128 letters of a-z, A-Z, 0-9, _ and -, and is no other account's id")
	errFormat = errors.New("a key is not in libp2p's form of Ed25519 keys")
)

var names = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,128}$`)

// prefix is the beginning of libp2p's message of an Ed25519 key: type 1, 64 bytes.
var prefix = []byte{8, 1, 18, 64}

// Key is the public part of a key and its name.
type Key struct {
	Name    string
	Account ident.Account
}

// Store is a file of keys. It may be used by many at once, in this process and in others.
type Store struct {
	file string

	mu   sync.Mutex
	keys map[string]ed25519.PrivateKey
	from fs.FileInfo // the file of which keys were read, nil for none
}

// Open reads the keys of a folder, which is made where it is not there. A folder or a file that others may read is an error.
func Open(folder string) (*Store, error) {
	if err := safefile.Folder(folder); err != nil {
		return nil, err
	}
	s := &Store{file: filepath.Join(folder, "account_keys.json"), keys: map[string]ed25519.PrivateKey{}}
	return s, s.refresh()
}

// refresh reads the file where it is another than that of which the keys are. The caller holds the lock, but in Open.
func (s *Store) refresh() error {
	info, err := os.Lstat(s.file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if info == nil && s.from == nil || info != nil && s.from != nil && os.SameFile(info, s.from) &&
		info.ModTime().Equal(s.from.ModTime()) && info.Size() == s.from.Size() {
		return nil
	}
	keys := map[string]ed25519.PrivateKey{}
	if info != nil {
		if keys, err = read(s.file); err != nil {
			return err
		}
	}
	s.keys, s.from = keys, info
	return nil
}

func read(file string) (map[string]ed25519.PrivateKey, error) {
	raw, err := safefile.Read(file)
	if err != nil {
		return nil, err
	}
	encoded := map[string]string{}
	if err := json.Unmarshal(raw, &encoded); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	keys := make(map[string]ed25519.PrivateKey, len(encoded))
	for name, text := range encoded {
		message, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			return nil, fmt.Errorf("%s: key %q: %w", file, name, errFormat)
		}
		if keys[name], err = parse(message); err != nil {
			return nil, fmt.Errorf("%s: key %q: %w", file, name, err)
		}
	}
	return keys, nil
}

func parse(message []byte) (ed25519.PrivateKey, error) {
	rest, ok := bytes.CutPrefix(message, prefix)
	if !ok || len(rest) != ed25519.PrivateKeySize {
		return nil, errFormat
	}
	key := ed25519.NewKeyFromSeed(rest[:ed25519.SeedSize])
	if !bytes.Equal(key, rest) { // the public half must be that of the seed
		return nil, errFormat
	}
	return key, nil
}

func message(key ed25519.PrivateKey) []byte { return append(slices.Clone(prefix), key...) }

// change edits the keys as they are in the file now, and writes them; an edit that gives an error changes nothing.
func (s *Store) change(edit func(keys map[string]ed25519.PrivateKey) error) (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	unlock, err := safefile.Lock(s.file + ".lock")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	if err := s.refresh(); err != nil {
		return err
	}
	keys := maps.Clone(s.keys)
	if err := edit(keys); err != nil {
		return err
	}
	encoded := make(map[string]string, len(keys))
	for name, key := range keys {
		encoded[name] = base64.StdEncoding.EncodeToString(message(key))
	}
	raw, err := json.MarshalIndent(encoded, "", "  ")
	if err != nil {
		return err
	}
	if err := safefile.Replace(s.file, append(raw, '\n')); err != nil {
		return err
	}
	return s.refresh()
}

func accountOf(key ed25519.PrivateKey) ident.Account {
	return ident.AccountOf(key.Public().(ed25519.PublicKey))
}

// List gives the keys in the order of their names. Where the file cannot be read any more, they are those that were read last.
func (s *Store) List() []Key {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.refresh(); err != nil {
		slog.Warn("the keys could not be read again", "error", err)
	}
	var out []Key
	for name, key := range s.keys {
		out = append(out, Key{name, accountOf(key)})
	}
	slices.SortFunc(out, func(a, b Key) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

// Add keeps a key under a name; an empty name is the account's id.
func (s *Store) Add(name string, key ed25519.PrivateKey) (Key, error) {
	account := accountOf(key)
	name = cmp.Or(name, account.String())
	if err := check(name, account); err != nil {
		return Key{}, err
	}
	return Key{name, account}, s.change(func(keys map[string]ed25519.PrivateKey) error {
		if _, taken := keys[name]; taken {
			return fmt.Errorf("key %q: %w", name, ErrTaken)
		}
		for other, k := range keys {
			if k.Equal(key) {
				return fmt.Errorf("key %q is kept as %q: %w", name, other, ErrTaken)
			}
		}
		keys[name] = key
		return nil
	})
}

// check refuses names that another account has as its id: keys are found by both.
func check(name string, account ident.Account) error {
	if !names.MatchString(name) {
		return fmt.Errorf("key %.128q: %w", name, ErrName)
	}
	if a, err := ident.ParseAccount(name); err == nil && a != account {
		return fmt.Errorf("key %q: %w", name, ErrName)
	}
	return nil
}

// find gives the name of a key by its name or its account's id.
func find(keys map[string]ed25519.PrivateKey, name string) (string, error) {
	if _, ok := keys[name]; ok {
		return name, nil
	}
	if a, err := ident.ParseAccount(name); err == nil {
		for n, key := range keys {
			if accountOf(key) == a {
				return n, nil
			}
		}
	}
	return "", fmt.Errorf("key %.128q: %w", name, ErrNoKey)
}

// use finds a key by its name or its account's id.
func (s *Store) use(name string) (string, ed25519.PrivateKey, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.refresh(); err != nil {
		return "", nil, err
	}
	n, err := find(s.keys, name)
	return n, s.keys[n], err
}

// Get finds a key by its name or its account's id.
func (s *Store) Get(name string) (Key, error) {
	n, key, err := s.use(name)
	if err != nil {
		return Key{}, err
	}
	return Key{n, accountOf(key)}, nil
}

// Sign signs data with a key, found by its name or its account's id.
func (s *Store) Sign(name string, data []byte) ([]byte, error) {
	_, key, err := s.use(name)
	if err != nil {
		return nil, err
	}
	return ed25519.Sign(key, data), nil
}

// Rename gives a key another name.
func (s *Store) Rename(from, to string) (Key, error) {
	var k Key
	err := s.change(func(keys map[string]ed25519.PrivateKey) error {
		name, err := find(keys, from)
		if err != nil {
			return err
		}
		key := keys[name]
		if err := check(to, accountOf(key)); err != nil {
			return err
		}
		if _, taken := keys[to]; taken && to != name {
			return fmt.Errorf("key %q: %w", to, ErrTaken)
		}
		delete(keys, name)
		keys[to], k = key, Key{to, accountOf(key)}
		return nil
	})
	return k, err
}

// Delete forgets a key.
func (s *Store) Delete(name string) error {
	return s.change(func(keys map[string]ed25519.PrivateKey) error {
		n, err := find(keys, name)
		delete(keys, n)
		return err
	})
}

// DeleteAll forgets every key.
func (s *Store) DeleteAll() error {
	return s.change(func(keys map[string]ed25519.PrivateKey) error { clear(keys); return nil })
}

// Device is the key of this machine among its peers, made when it is first asked for.
func Device(folder string) (ed25519.PrivateKey, error) {
	if err := safefile.Folder(folder); err != nil {
		return nil, err
	}
	file := filepath.Join(folder, "libp2p_id_ed25519")
	unlock, err := safefile.Lock(file + ".lock")
	if err != nil {
		return nil, err
	}
	key, err := device(file)
	return key, errors.Join(err, unlock())
}

func device(file string) (ed25519.PrivateKey, error) {
	raw, err := safefile.Read(file)
	if err == nil {
		key, err := parse(raw)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		return key, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	return key, safefile.Replace(file, message(key))
}
