package records

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"time"

	"mappe/shared/cloud/ledger"
)

// Client is who orders books.
type Client struct {
	Slug    string    `json:"slug"`
	Name    string    `json:"name"`
	Created time.Time `json:"created"`
}

// Project is a book project of a client.
type Project struct {
	ID      int64     `json:"id"`
	Client  string    `json:"client"`
	Slug    string    `json:"slug"`
	Title   string    `json:"title"`
	Created time.Time `json:"created"`
	Tokens  []string  `json:"tokens,omitempty"` // ids of those that open it
}

var slugs = regexp.MustCompile(`^[a-z0-9](-?[a-z0-9]){0,62}$`)

// CheckSlug says whether a text can be a slug.
func CheckSlug(slug string) error {
	if !slugs.MatchString(slug) {
		return fmt.Errorf("slug %.80q: want 1 to 63 of a-z, 0-9 and single dashes between them", slug)
	}
	return nil
}

const clientPartition = "books/clients"

// AddClient makes a client; ErrExists.
func (s *Records) AddClient(ctx context.Context, slug, name string) (Client, error) {
	if err := CheckSlug(slug); err != nil {
		return Client{}, err
	}
	c := Client{slug, name, s.Now()}
	return c, create(ctx, s, ledger.Key{Partition: clientPartition, Sort: slug}, c)
}

// Clients lists the clients by slug.
func (s *Records) Clients(ctx context.Context) ([]Client, error) {
	return list[Client](ctx, s, scan{clientPartition, "", false, 10_000})
}

// AddProject makes a project of a client, with an empty account; ErrNotFound, ErrExists.
func (s *Records) AddProject(ctx context.Context, client, slug, title string) (Project, error) {
	if err := CheckSlug(slug); err != nil {
		return Project{}, err
	}
	if _, err := read[Client](ctx, s, ledger.Key{Partition: clientPartition, Sort: client}); err != nil {
		return Project{}, fmt.Errorf("client %q: %w", client, err)
	}
	id, err := s.nextProject(ctx)
	if err != nil {
		return Project{}, err
	}
	p := Project{ID: id, Client: client, Slug: slug, Title: title, Created: s.Now()}
	if err := create(ctx, s, projectKey(id), p); err != nil {
		return Project{}, err
	}
	if err := create(ctx, s, accountKey(id), Account{}); err != nil {
		return Project{}, err
	}
	// The name comes last: a project without one is not reached by anybody.
	return p, create(ctx, s, ledger.Key{Partition: "books/client/" + client, Sort: slug}, id)
}

// projectCounter holds the last project number.
var projectCounter = ledger.Key{Partition: "books/counter", Sort: "project"}

func (s *Records) nextProject(ctx context.Context) (int64, error) {
	r, err := ledger.Update(ctx, s.ledger, projectCounter, func(r *ledger.Record) (bool, error) {
		n, err := strconv.ParseInt(string(r.Value), 10, 64)
		if r.Version == ledger.Absent {
			n, err = 0, nil
		}
		r.Value = strconv.AppendInt(nil, n+1, 10)
		return true, err
	})
	if err != nil {
		return 0, err
	}
	return strconv.ParseInt(string(r.Value), 10, 64)
}

// PassOver says that numbers up to one are taken: projects get greater ones. It is for a ledger that was put back to a time at which
// they had not been given yet.
func (s *Records) PassOver(ctx context.Context, number int64) error {
	_, err := ledger.Update(ctx, s.ledger, projectCounter, func(r *ledger.Record) (bool, error) {
		n, err := strconv.ParseInt(string(r.Value), 10, 64)
		if r.Version == ledger.Absent {
			n, err = 0, nil
		}
		r.Value = strconv.AppendInt(nil, max(n, number), 10)
		return n < number, err
	})
	return err
}

func projectKey(id int64) ledger.Key {
	return ledger.Key{Partition: projectPartition(id), Sort: "project"}
}

// Project reads a project; ErrNotFound.
func (s *Records) Project(ctx context.Context, id int64) (Project, error) {
	return read[Project](ctx, s, projectKey(id))
}

// FindProject finds a project by its slugs; ErrNotFound.
func (s *Records) FindProject(ctx context.Context, client, slug string) (Project, error) {
	if CheckSlug(client) != nil || CheckSlug(slug) != nil {
		return Project{}, ErrNotFound
	}
	id, err := read[int64](ctx, s, ledger.Key{Partition: "books/client/" + client, Sort: slug})
	if err != nil {
		return Project{}, err
	}
	return s.Project(ctx, id)
}

// Projects lists the projects of a client by slug.
func (s *Records) Projects(ctx context.Context, client string) ([]Project, error) {
	if CheckSlug(client) != nil {
		return nil, nil
	}
	ids, err := list[int64](ctx, s, scan{"books/client/" + client, "", false, 10_000})
	if err != nil {
		return nil, err
	}
	all := []Project{}
	for _, id := range ids {
		p, err := s.Project(ctx, id)
		if errors.Is(err, ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}
