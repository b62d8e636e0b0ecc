package exact

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"mappe/shared/cloud/ledger"
	"mappe/shared/cloud/ledger/dynamo"
	"mappe/shared/cloud/ledger/sqlite"
	"mappe/shared/cloud/stack"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/dir"
	"mappe/shared/cloud/store/s3"
)

// Servers are an S3 server and a DynamoDB server, http://host:port each. With them functions have the addresses of the
// template, and their clients ask as in the cloud; without them folders stand for buckets and SQLite files for tables.
type Servers struct{ S3, DynamoDB string }

func (s Servers) given() bool { return s != Servers{} }

func (s Servers) check() error {
	if s.given() && (s.S3 == "" || s.DynamoDB == "") {
		return errors.New("servers: want the address of an S3 server and of a DynamoDB server, or none of both")
	}
	return nil
}

// at is the address of a bucket's folder, or a table, for programs that do not run as functions.
func (s Servers) at(address string) string {
	endpoint := s.S3
	if strings.HasPrefix(address, "dynamodb:") {
		endpoint = s.DynamoDB
	}
	return address + "?" + url.Values{"region": {stack.Region}, "endpoint": {endpoint}}.Encode()
}

// Filling is the data on their way into the servers.
type Filling struct {
	Into  string // a bucket's folder or a table
	N, Of int    // objects or records; Of is 0 where nobody has counted
	Done  bool
	Took  time.Duration
}

// The widths of what is sent at once.
const (
	objectsWide = 8
	recordsWide = 16
)

// fill makes the template's buckets and tables in the servers and brings what stands for them in the directories: objects that
// a bucket lacks or has otherwise, records into a table that was not there.
func (s Servers) fill(ctx context.Context, declared *stack.Stack, c Config) error {
	for _, name := range declared.Buckets {
		b, err := s3.Open(s.at("s3://" + name))
		if err != nil {
			return err
		}
		if err := b.CreateBucket(ctx); err != nil {
			return fmt.Errorf("%s: %w", s.S3, err)
		}
	}
	filled := map[string]bool{}
	for _, f := range declared.Functions {
		for _, address := range f.Environment {
			folder, local := folderOf(address, c)
			if !local || filled[address] {
				continue
			}
			filled[address] = true
			if err := s.upload(ctx, address, folder, c.Filling); err != nil {
				return err
			}
		}
	}
	for _, t := range declared.Tables {
		if err := s.table(ctx, t, c); err != nil {
			return err
		}
	}
	return nil
}

// folderOf is the directory that stands for a bucket's folder.
func folderOf(address string, c Config) (string, bool) {
	bucket, ok := strings.CutPrefix(address, "s3://local-")
	_, key, _ := strings.Cut(bucket, "/")
	switch {
	case !ok:
		return "", false
	case key == "artefacts":
		return c.DataDir, true
	}
	return path.Join(c.StateDir, ".exact", key), true
}

// ledgerOf is the file that stands for a table.
func ledgerOf(table string, c Config) string {
	return path.Join(c.StateDir, ".exact", strings.TrimPrefix(table, "local-")+".db")
}

// upload brings the files of a folder into a bucket. What no client may keep for ever is sent again.
func (s Servers) upload(ctx context.Context, address, folder string, tell func(Filling)) error {
	if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	from, err := dir.Open(folder)
	if err != nil {
		return err
	}
	to, err := s3.Open(s.at(address))
	if err != nil {
		return err
	}
	there := map[string]int64{}
	for o, err := range to.List(ctx, "") {
		if err != nil {
			return err
		}
		there[o.Key] = o.Size
	}
	var files []store.Info
	for o, err := range from.List(ctx, "") {
		if err != nil {
			return err
		}
		files = append(files, o)
	}
	began, told := time.Now(), Filling{Into: address, Of: len(files)}
	tell(told)
	var sent atomic.Int64
	g, sending := errgroup.WithContext(ctx)
	g.SetLimit(objectsWide)
	last := began
	for _, o := range files {
		if now := time.Now(); now.Sub(last) > time.Second {
			last, told.N, told.Took = now, int(sent.Load()), now.Sub(began)
			tell(told)
		}
		g.Go(func() error {
			size, found := there[o.Key]
			err := uploadOne(sending, from, to, o, found && size == o.Size)
			sent.Add(1)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return fmt.Errorf("%s: %w", address, err)
	}
	told.N, told.Took, told.Done = len(files), time.Since(began), true
	tell(told)
	return nil
}

func uploadOne(ctx context.Context, from *dir.Store, to *s3.Store, o store.Info, there bool) error {
	info, err := from.Head(ctx, o.Key)
	if err != nil || there && strings.Contains(info.Headers.CacheControl, "immutable") {
		return err
	}
	f, err := os.Open(filepath.Join(from.Root(), filepath.FromSlash(o.Key)))
	if err != nil {
		return err
	}
	defer f.Close() // read only
	_, err = to.PutFrom(ctx, o.Key, f, info.Size, store.PutOptions{Headers: info.Headers})
	return err
}

// table makes a table and brings the records of the file that stands for it, unless it was there.
func (s Servers) table(ctx context.Context, t stack.Table, c Config) (err error) {
	to, err := dynamo.Open(t.Name, dynamo.Options{Region: stack.Region, Endpoint: s.DynamoDB})
	if err != nil {
		return err
	}
	made, err := to.Declare(ctx, dynamo.Table{Partition: dynamo.Attribute(t.Partition), Sort: dynamo.Attribute(t.Sort),
		TimeToLive: t.TimeToLive})
	if err != nil || !made {
		return err
	}
	file := ledgerOf(t.Name, c)
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	from, err := sqlite.Open(ctx, file, sqlite.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	began, n := time.Now(), 0
	told := Filling{Into: "dynamodb://" + t.Name}
	c.Filling(told)
	g, sending := errgroup.WithContext(ctx)
	g.SetLimit(recordsWide)
	for r, err := range from.All(ctx) {
		if err != nil {
			return errors.Join(err, g.Wait())
		}
		n++
		g.Go(func() error {
			_, err := to.Put(sending, r, ledger.Absent)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return fmt.Errorf("%s: %w", told.Into, err)
	}
	told.N, told.Of, told.Done, told.Took = n, n, true, time.Since(began)
	c.Filling(told)
	return nil
}
