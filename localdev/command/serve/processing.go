package serve

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"os"
	"sync"
	"time"

	"mappe/builders/archive"
	"mappe/builders/national"
	"mappe/builders/processing"
	standin "mappe/localdev/repository"
	"mappe/localdev/server"
	"mappe/localdev/state"
	"mappe/shared/austria"
	"mappe/shared/cloud/ledger/ledgerurl"
	"mappe/shared/cloud/repository"
)

// startProcessing does the work on KGs that requests order in this process, as the template's worker does, until stop is
// called; a job under way then goes back into the queue. It sets the queue of the server.
// Without a source (nil) nothing is built.
func (s *serving) startProcessing(ctx context.Context, source *national.Source, config *server.Config) (stop func(), err error) {
	l, err := ledgerurl.Open(ctx, state.Ledger(s.state))
	if err != nil {
		return nil, err
	}
	var used uses
	config.Used = used.note
	worker := &processing.Worker{Store: config.Store, Log: config.Log, Budget: s.budget, Used: used.last}
	if worker.Archive, err = s.repository(config); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	if source != nil {
		worker.Source = func(context.Context) (*national.Source, error) { return source, nil }
	}
	if config.Processing, err = worker.NewQueue(l); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	config.Ledger = l
	return work(ctx, config.Processing, 2, l, config.Log), nil
}

// repository is the research repository that the environment names, or else the stand-in on disk beside the data. It sets
// what the server shows of it.
func (s *serving) repository(config *server.Config) (*archive.Archive, error) {
	client, err := repository.FromEnvironment(os.Getenv)
	if err != nil {
		return nil, err
	}
	if client == nil {
		token, base := rand.Text(), "http://"+s.listener.Addr().String()+"/repository"
		if config.Repository, err = standin.New(standin.Options{Dir: state.Repository(s.state), Base: base, Token: token,
			PerMinute: localRequests}); err != nil {
			return nil, err
		}
		if client, err = repository.New(repository.Options{Base: base, Token: func(context.Context) (string, error) {
			return token,
				nil
		}}); err != nil {
			return nil, err
		}
	}
	config.Mirror = client
	a := &archive.Archive{Store: config.Store, Repository: client, Creator: cmp.Or(os.Getenv(repository.EnvCreator), "Mappe")}
	s.restore, s.archive = a.Back, a
	return a, nil
}

// localRequests a minute are more than a demonstration makes: whoever tries it should not wait for a limit.
const localRequests = 6000

// uses are when KGs were last read, of which the longest unread are evicted first. There are no more than the register has.
type uses struct {
	mu sync.Mutex
	at map[austria.KGCode]time.Time
}

func (u *uses) note(code austria.KGCode) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.at == nil {
		u.at = map[austria.KGCode]time.Time{}
	}
	u.at[code] = time.Now()
}

func (u *uses) last(code austria.KGCode) time.Time {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.at[code]
}
