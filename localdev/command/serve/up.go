// Package serve is the commands that serve: up, start, the map page for the CDN, and the list of what is served.
package serve

import (
	"cmp"
	"context"
	"fmt"
	"net"

	"github.com/spf13/cobra"

	"mappe/artefacts/manifest"
	"mappe/builders/archive"
	"mappe/shared/cloud/admintoken"
)

// Commands are the commands of the family.
func Commands() []*cobra.Command {
	return []*cobra.Command{upCommand(), startCommand(), siteCommand(), coverageCommand()}
}

// serving is what up and start need to serve.
type serving struct {
	data, addr string
	source     string
	state      string // where payments, work feed and books are kept; "": beside the data
	exact      bool
	servers    bool   // with exact: S3 and DynamoDB are servers that are started
	s3         string // with exact: addresses of servers that run
	dynamodb   string
	faults     string // with exact: what goes wrong
	limits     bool
	budget     int64 // bytes of the served snapshots
	verbose    bool
	operator   string                                      // token; "": $MAPPE_OPERATOR
	restore    func(context.Context, manifest.Entry) error // copies evicted snapshots back; nil: nobody does
	archive    *archive.Archive                            // the research repository; nil without one
	listener   net.Listener                                // nil: run makes it
	expander   string                                      // address of the expander alone; "": none
	chosen     background                                  // of the map
	ready      func(ctx context.Context, base string)      // called once requests are taken; nil: nothing
}

func upCommand() *cobra.Command {
	var s serving
	c := &cobra.Command{
		Use:   "up --data DIR",
		Short: "Serve every service, the artefacts and the map page on one address",
		Long: `Serve every service under its prefix, the artefacts under /artefacts with the CDN's headers, and the map page.

The pages are those that the program was compiled with; in the checkout, those on the disk, bundled anew where their sources changed.

With --exact the functions of template.yaml run as they run in the cloud: their real bootstrap binaries,
each one invocation at a time through the Lambda Runtime API, behind the template's limits. With --servers too
they ask an S3 server and a DynamoDB server, as in the cloud, instead of the directories; the servers are filled
with the data and the state, and what is written there ends with the command. --s3 and --dynamodb name servers
that run already, where it stays. --faults has something go wrong.

With --source a KG that is known and not built yet is built when a request touches it: the answer says that
it is warming, and some seconds later the same request has its rows.

$MAPPE_GEOCODER, the address of a search of Nominatim's form, and $MAPPE_GEOCODER_CONTACT, whom its operator may write
to, have addresses looked up there that this service does not know; without them nobody else is asked.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return s.run(c.Context(), c.OutOrStdout()) },
	}
	s.flags(c)
	c.Flags().StringVar(&s.data, "data", "", "published artefacts: a directory, or s3://bucket/prefix")
	_ = c.MarkFlagRequired("data") // the flag exists: it is declared one line above
	_ = c.MarkFlagDirname("data")
	c.Flags().StringVar(&s.source, "source", "", "directory of raw sources: build the KGs that requests ask for")
	_ = c.MarkFlagDirname("source")
	c.Flags().BoolVar(&s.servers, "servers", false,
		"with --exact: copy data and state into an S3 server and a DynamoDB server, which are started (make tools packages installs them)")
	c.Flags().StringVar(&s.s3, "s3", "", "with --exact: address of an S3 server that runs, http://127.0.0.1:PORT")
	c.Flags().StringVar(&s.dynamodb, "dynamodb", "", "with --exact: address of a DynamoDB server that runs, http://127.0.0.1:PORT")
	c.Flags().StringVar(&s.faults, "faults", "", "with --exact: what goes wrong, store=0.1,ledger=0.1,lost=0.05 of what servers are asked, "+
		"kill=0.1,killwork=0.1 of the invocations, twice (events), cold, timeout=5s, memory=256 (MB)")
	return c
}

func (s *serving) flags(c *cobra.Command) {
	c.Flags().StringVar(&s.addr, "addr", "127.0.0.1:8080", "address to listen on")
	c.Flags().BoolVar(&s.exact, "exact", false, "run the real bootstraps of template.yaml through the Lambda Runtime API")
	c.Flags().BoolVar(&s.limits, "limits", false,
		"hold each client address to 20 requests a second, of the place context to 5, as the cloud does")
	c.Flags().StringVar(&s.state, "state", "", "directory for payments, work feed and books (default: --data)")
	c.Flags().StringVar(&s.expander, "expander", "",
		"serve the expander alone on this address too, as payment catalogues want it: 127.0.0.1:8402")
	c.Flags().StringVar(&s.operator, "operator", "", "token of at least 16 bytes that starting work then asks for (default: $"+
		admintoken.Token+"; without one processing, repairs and loading ahead are open)")
	c.Flags().Int64Var(&s.budget, "budget", archive.Budget,
		"bytes that the served snapshots may take; beyond it archived KGs that were not used for longest leave the store; 0: no limit")
	s.chosen.flags(c)
	c.Flags().BoolVar(&s.verbose, "verbose", false, "log every request")
	_ = c.MarkFlagDirname("state") // the flag exists: it is declared above
}

// operators gives the tokens of the flag or the environment; nil where neither has one.
func (s *serving) operators(getenv func(string) string) (*admintoken.Tokens, error) {
	token := cmp.Or(s.operator, getenv(admintoken.Token))
	if token == "" {
		return nil, nil
	}
	t, err := admintoken.New(token)
	if err != nil {
		return nil, fmt.Errorf("--operator, $%s: %w", admintoken.Token, err)
	}
	return t, nil
}

// listen takes the address, unless it is taken already.
func (s *serving) listen() (err error) {
	if s.listener == nil {
		if s.listener, err = net.Listen("tcp", s.addr); err != nil {
			return fmt.Errorf("cannot listen on %s: %w (another address: --addr 127.0.0.1:PORT)", s.addr, err)
		}
	}
	return nil
}
