package records

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"path"
	"strings"
	"time"

	"mappe/shared/cloud/ledger"
)

// Book is an uploaded manuscript.
type Book struct {
	ID       int64     `json:"id"`
	Project  int64     `json:"project"`
	Title    string    `json:"title"`
	Author   string    `json:"author"`
	Filename string    `json:"filename"` // as uploaded, for people
	Size     int64     `json:"size"`
	SHA256   string    `json:"sha256,omitempty"`
	Created  time.Time `json:"created"`
	Updated  time.Time `json:"updated"`
	Status   Status    `json:"status"`
	Error    string    `json:"error,omitempty"` // of the last build
	Last     string    `json:"last,omitempty"`  // the build that Status and Error tell of
	Outputs  []Output  `json:"outputs,omitempty"`
	Hold     Hold      `json:"hold,omitzero"` // the newest: who holds an older one decides nothing
}

// Hold is the right of a worker to say how a build ended: the build's number in its project and the fence
// of the lease that the worker has its job by. A later build, and a later lease of the same, comes after.
type Hold struct {
	Number int64 `json:"number"`
	Fence  int64 `json:"fence"`
}

// Before says whether another hold came later.
func (h Hold) Before(other Hold) bool {
	return h.Number < other.Number || h.Number == other.Number && h.Fence < other.Fence
}

// Status is where a book stands. Converting is not kept: the project's account knows the running build.
type Status string

// The states.
const (
	Awaiting   Status = "awaiting_file" // its file is being uploaded to the object store
	Uploaded   Status = "uploaded"
	Converting Status = "converting"
	Ready      Status = "ready"
	Failed     Status = "error"
)

// Output is a file that was made of a book.
type Output struct {
	ID      int64     `json:"id"`
	Build   string    `json:"build"`
	Format  string    `json:"format"` // pdf, epub
	Edition string    `json:"kind"`   // proof, final
	Size    int64     `json:"size"`
	Pages   int       `json:"pages,omitempty"`
	Key     string    `json:"key"`
	Created time.Time `json:"created"`
}

// Stem is the name that what belongs to the file has in the store.
func (o Output) Stem() string {
	name := path.Base(o.Key)
	return strings.TrimSuffix(name, path.Ext(name))
}

func bookKey(id int64) ledger.Key { return ledger.Key{Partition: bookPartition(id), Sort: "book"} }

// SourceKey is where the manuscript stands in the store.
func (b Book) SourceKey() string {
	return fmt.Sprintf("projects/%d/books/%d/source", b.Project, b.ID)
}

// Key is a key of the store for something made of the book.
func (b Book) Key(name string) string {
	return fmt.Sprintf("projects/%d/books/%d/%s", b.Project, b.ID, name)
}

// NewBookID draws the number of a book: nine digits that nobody can guess from another's.
func NewBookID() int64 {
	var raw [8]byte
	rand.Read(raw[:]) // never fails
	return 100_000_000 + int64(binary.BigEndian.Uint64(raw[:])%900_000_000)
}

// AddBook notes a book whose ID was drawn, after its file is in the store (or Awaiting). ErrExists: draw
// another.
func (s *Records) AddBook(ctx context.Context, b Book) (Book, error) {
	b.Created = s.Now()
	b.Updated = b.Created
	if err := create(ctx, s, bookKey(b.ID), b); err != nil {
		return Book{}, err
	}
	// Finer than Created: two books of one second have an order too.
	sort := fmt.Sprintf("book/%s/%d", s.now().UTC().Format("20060102T150405.000000"), b.ID)
	return b, put(ctx, s, ledger.Key{Partition: projectPartition(b.Project), Sort: sort}, b.ID)
}

// Book reads a book; ErrNotFound.
func (s *Records) Book(ctx context.Context, id int64) (Book, error) {
	return read[Book](ctx, s, bookKey(id))
}

// Books lists the books of a project, newest first, at most so many.
func (s *Records) Books(ctx context.Context, project int64, most int) ([]Book, error) {
	ids, err := list[int64](ctx, s, scan{projectPartition(project), "book/", true, most})
	if err != nil {
		return nil, err
	}
	all := []Book{}
	for _, id := range ids {
		b, err := s.Book(ctx, id)
		if errors.Is(err, ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		all = append(all, b)
	}
	return all, nil
}

// Arrived notes that the file of an Awaiting book is in the store.
func (s *Records) Arrived(ctx context.Context, id, size int64, sha string) (Book, error) {
	return change(ctx, s, bookKey(id), func(b *Book) (bool, error) {
		if b.Status != Awaiting {
			return false, nil
		}
		b.Status, b.Size, b.SHA256, b.Updated = Uploaded, size, sha, s.Now()
		return true, nil
	})
}

// AddOutput notes a file; the same once more changes nothing.
func (s *Records) AddOutput(ctx context.Context, book int64, o Output) error {
	return put(ctx, s, ledger.Key{Partition: bookPartition(book), Sort: outputSort(o.ID)}, o)
}

func outputSort(id int64) string { return fmt.Sprintf("output/%012d", id) }

// Output reads a file's row; ErrNotFound.
func (s *Records) Output(ctx context.Context, book, id int64) (Output, error) {
	if id < 1 || id > 999_999_999_999 {
		return Output{}, ErrNotFound
	}
	return read[Output](ctx, s, ledger.Key{Partition: bookPartition(book), Sort: outputSort(id)})
}

// Outputs lists the files of a book, newest first.
func (s *Records) Outputs(ctx context.Context, book int64, most int) ([]Output, error) {
	return list[Output](ctx, s, scan{bookPartition(book), "output/", true, most})
}

// Claim notes that a worker begins a build, so that those which held it before decide nothing any more;
// ErrHeld where a later one has claimed it. A book that says already how the build ended stays as it is.
func (s *Records) Claim(ctx context.Context, book int64, build string, h Hold) (Book, error) {
	return change(ctx, s, bookKey(book), func(b *Book) (bool, error) {
		switch {
		case b.Last == build:
			return false, nil
		case h.Before(b.Hold):
			return false, ErrHeld
		}
		b.Hold = h
		return true, nil
	})
}

// Outcome is how a build ended.
type Outcome struct {
	Build   string
	Hold    Hold
	Error   string // "" where it is well
	Outputs []Output
}

// Decide writes down how a build ended, once: the first that says it is right, and the book that says it
// is given back. Whoever acts on the outcome acts on that book. ErrHeld where a later worker has the build.
func (s *Records) Decide(ctx context.Context, book int64, o Outcome) (Book, error) {
	return change(ctx, s, bookKey(book), func(b *Book) (bool, error) {
		if b.Last == o.Build {
			return false, nil
		}
		if o.Hold.Before(b.Hold) {
			return false, ErrHeld
		}
		b.Hold = o.Hold
		b.Last, b.Updated, b.Error, b.Outputs, b.Status = o.Build, s.Now(), o.Error, o.Outputs, Ready
		if o.Error != "" {
			b.Status, b.Outputs = Failed, nil
		}
		return true, nil
	})
}

// ClaimCallback says whether the one message of a build is the caller's to send: true once.
func (s *Records) ClaimCallback(ctx context.Context, b Build) (bool, error) {
	err := create(ctx, s, ledger.Key{Partition: bookPartition(b.Book), Sort: "callback/" + b.ID}, s.Now())
	if errors.Is(err, ErrExists) {
		return false, nil
	}
	return err == nil, err
}
