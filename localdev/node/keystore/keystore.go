// Package keystore keeps the signing keys of a node in a file that only its owner reads, in the form of the network's own daemon:
// FOLDER/account_keys.json is a JSON object from names to keys, each the base64 of libp2p's private key message
// (08 01 12 40, then the 32 bytes of the seed and the 32 of the public key). The device's key, which is the peer's id, is such a
// message in FOLDER/libp2p_id_ed25519. No key leaves the package but for signing.
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
	"maps"
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

// Store is a file of keys. It may be used by many at once.
type Store struct {
	file string

	mu   sync.Mutex
	keys map[string]ed25519.PrivateKey
}

// Open reads the keys of a folder, which is made where it is not there. A folder or a file that others may read is an error.
func Open(folder string) (*Store, error) {
	if err := safefile.Folder(folder); err != nil {
		return nil, err
	}
	s := &Store{file: filepath.Join(folder, "account_keys.json"), keys: map[string]ed25519.PrivateKey{}}
	raw, err := safefile.Read(s.file)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err != nil {
		return nil, err
	}
	encoded := map[string]string{}
	if err := json.Unmarshal(raw, &encoded); err != nil {
		return nil, fmt.Errorf("%s: %w", s.file, err)
	}
	for name, text := range encoded {
		message, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			return nil, fmt.Errorf("%s: key %q: %w", s.file, name, errFormat)
		}
		if s.keys[name], err = parse(message); err != nil {
			return nil, fmt.Errorf("%s: key %q: %w", s.file, name, err)
		}
	}
	return s, nil
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

// save writes the keys. The caller holds the lock.
func (s *Store) save(keys map[string]ed25519.PrivateKey) error {
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
	s.keys = keys
	return nil
}

func accountOf(key ed25519.PrivateKey) ident.Account {
	return ident.AccountOf(key.Public().(ed25519.PublicKey))
}

// List gives the keys in the order of their names.
func (s *Store) List() []Key {
	s.mu.Lock()
	defer s.mu.Unlock()
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
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, taken := s.keys[name]; taken {
		return Key{}, fmt.Errorf("key %q: %w", name, ErrTaken)
	}
	for other, k := range s.keys {
		if k.Equal(key) {
			return Key{}, fmt.Errorf("key %q is kept as %q: %w", name, other, ErrTaken)
		}
	}
	keys := maps.Clone(s.keys)
	keys[name] = key
	return Key{name, account}, s.save(keys)
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

// find gives the name of a key by its name or its account's id. The caller holds the lock.
func (s *Store) find(name string) (string, error) {
	if _, ok := s.keys[name]; ok {
		return name, nil
	}
	if a, err := ident.ParseAccount(name); err == nil {
		for n, key := range s.keys {
			if accountOf(key) == a {
				return n, nil
			}
		}
	}
	return "", fmt.Errorf("key %.128q: %w", name, ErrNoKey)
}

// Get finds a key by its name or its account's id.
func (s *Store) Get(name string) (Key, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n, err := s.find(name)
	if err != nil {
		return Key{}, err
	}
	return Key{n, accountOf(s.keys[n])}, nil
}

// Sign signs data with a key, found by its name or its account's id.
func (s *Store) Sign(name string, data []byte) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n, err := s.find(name)
	if err != nil {
		return nil, err
	}
	return ed25519.Sign(s.keys[n], data), nil
}

// Rename gives a key another name.
func (s *Store) Rename(from, to string) (Key, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	name, err := s.find(from)
	if err != nil {
		return Key{}, err
	}
	key := s.keys[name]
	if err := check(to, accountOf(key)); err != nil {
		return Key{}, err
	}
	if _, taken := s.keys[to]; taken && to != name {
		return Key{}, fmt.Errorf("key %q: %w", to, ErrTaken)
	}
	keys := maps.Clone(s.keys)
	delete(keys, name)
	keys[to] = key
	return Key{to, accountOf(key)}, s.save(keys)
}

// Delete forgets a key.
func (s *Store) Delete(name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	n, err := s.find(name)
	if err != nil {
		return err
	}
	keys := maps.Clone(s.keys)
	delete(keys, n)
	return s.save(keys)
}

// DeleteAll forgets every key.
func (s *Store) DeleteAll() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.save(map[string]ed25519.PrivateKey{})
}

// Device is the key of this machine among its peers, made when it is first asked for.
func Device(folder string) (ed25519.PrivateKey, error) {
	if err := safefile.Folder(folder); err != nil {
		return nil, err
	}
	file := filepath.Join(folder, "libp2p_id_ed25519")
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
