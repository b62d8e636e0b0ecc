// Package client is the command line: the daemon, and the commands that call one.
package client

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"connectrpc.com/connect"

	daemonpb "mappe/localdev/node/api/daemon/v1alpha"
	"mappe/localdev/node/api/daemon/v1alpha/daemonconnect"
	documents "mappe/localdev/node/api/documents/v3alpha"
	"mappe/localdev/node/api/documents/v3alpha/documentsconnect"
	networking "mappe/localdev/node/api/networking/v1alpha"
	"mappe/localdev/node/api/networking/v1alpha/networkingconnect"
	"mappe/localdev/node/daemon"
)

const usage = `node [flags]                              run a node; node -help lists the flags
node key create NAME                      make a signing key; its words are shown this once
node key list | node key delete NAME
node publish FILE hm://ACCOUNT/PATH       publish a document of block JSON (.json) or Markdown (.md); - reads Markdown
node publish -feed URL hm://ACCOUNT/PATH  publish the entries of a work feed, each as a document below the path
node push TARGET hm://ACCOUNT/PATH...     bring documents to a node; TARGET is its web address or its multiaddress
node get hm://ACCOUNT/PATH[?v=VERSION]    read a document as Markdown; -json as block JSON
node status                               what the node is and holds

The commands call the node at -grpc ADDRESS (environment: SEED_NODE, default 127.0.0.1:55002).
`

// commands are what is called by name.
var commands = map[string]func(*app, []string) error{
	"key": (*app).key, "publish": (*app).publish, "push": (*app).push, "get": (*app).get, "status": (*app).status,
}

// app is a call of the command line.
type app struct {
	ctx    context.Context
	getenv func(string) string
	in     io.Reader
	out    io.Writer
	err    io.Writer
	grpc   string
}

var errUsage = errors.New("usage")

// Streams are what a command reads and writes.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
}

// Main runs a command and gives the exit code: 0, 1 for a failure, 2 for a wrong call.
func Main(ctx context.Context, args []string, getenv func(string) string, std Streams) int {
	a := &app{ctx: ctx, getenv: getenv, in: std.In, out: std.Out, err: std.Err}
	var err error
	switch {
	case len(args) == 0 || strings.HasPrefix(args[0], "-"):
		err = a.daemon(args)
	case args[0] == "help":
		fmt.Fprint(a.out, usage)
	case commands[args[0]] == nil:
		err = fmt.Errorf("%q is no command: %w", args[0], errUsage)
	default:
		err = commands[args[0]](a, args[1:])
	}
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
		return 0
	case errors.Is(err, errUsage):
		fmt.Fprintf(a.err, "node: %v\n\n%s", err, usage)
		return 2
	}
	fmt.Fprintln(a.err, "node:", plain(err))
	return 1
}

// plain is an error as a user reads it: without the code of the protocol.
func plain(err error) string {
	var c *connect.Error
	if errors.As(err, &c) && c.Code() != connect.CodeUnavailable {
		return c.Message()
	}
	return err.Error()
}

func (a *app) daemon(args []string) error {
	c, err := daemon.ParseConfig(args, a.getenv, a.err)
	if err != nil {
		return err
	}
	var level slog.Level
	if err := level.UnmarshalText([]byte(c.LogLevel)); err != nil {
		return fmt.Errorf("log-level %q: expected debug, info, warn or error", c.LogLevel)
	}
	log := slog.New(slog.NewJSONHandler(a.err, &slog.HandlerOptions{Level: level}))
	slog.SetDefault(log)
	return daemon.Run(a.ctx, c, log)
}

// parse reads the flags of a command; they may stand before and after the other arguments.
func (a *app) parse(fs *flag.FlagSet, args []string) ([]string, error) {
	fs.SetOutput(a.err)
	fs.StringVar(&a.grpc, "grpc", "", "`address` of the node (default: SEED_NODE, or 127.0.0.1:55002)")
	var rest []string
	for {
		if err := fs.Parse(args); err != nil {
			return nil, err
		}
		if args = fs.Args(); len(args) == 0 {
			break
		}
		rest, args = append(rest, args[0]), args[1:]
	}
	if a.grpc == "" {
		a.grpc = a.getenv("SEED_NODE")
	}
	if a.grpc == "" {
		a.grpc = "127.0.0.1:55002"
	}
	return rest, nil
}

// http speaks HTTP/2 without TLS to the node.
func (a *app) http() (*http.Client, string) {
	p := &http.Protocols{}
	p.SetUnencryptedHTTP2(true)
	return &http.Client{Transport: &http.Transport{Protocols: p,
		DialContext: (&net.Dialer{Timeout: 5 * time.Second}).DialContext}}, "http://" + a.grpc
}

func (a *app) keys() daemonconnect.DaemonClient {
	c, url := a.http()
	return daemonconnect.NewDaemonClient(c, url, connect.WithGRPC())
}

func (a *app) documents() documentsconnect.DocumentsClient {
	c, url := a.http()
	return documentsconnect.NewDocumentsClient(c, url, connect.WithGRPC())
}

func (a *app) resources() documentsconnect.ResourcesClient {
	c, url := a.http()
	return documentsconnect.NewResourcesClient(c, url, connect.WithGRPC())
}

func (a *app) key(args []string) error {
	rest, err := a.parse(flag.NewFlagSet("key", flag.ContinueOnError), args)
	if err != nil {
		return err
	}
	switch {
	case len(rest) == 2 && rest[0] == "create":
		k, err := a.keys().CreateKey(a.ctx, connect.NewRequest(&daemonpb.CreateKeyRequest{Name: rest[1]}))
		if err != nil {
			return err
		}
		fmt.Fprintf(a.out, "account   hm://%s\nwords     %s\n", k.Msg.AccountId, strings.Join(k.Msg.Mnemonic, " "))
		fmt.Fprintln(a.err, "Write the words down: they are the key, and they are not shown again.")
	case len(rest) == 1 && rest[0] == "list":
		keys, err := a.keys().ListKeys(a.ctx, connect.NewRequest(&daemonpb.ListKeysRequest{}))
		if err != nil {
			return err
		}
		w := tabwriter.NewWriter(a.out, 0, 8, 2, ' ', 0)
		for _, k := range keys.Msg.Keys {
			fmt.Fprintf(w, "%s\thm://%s\n", k.Name, k.AccountId)
		}
		return w.Flush()
	case len(rest) == 2 && rest[0] == "delete":
		_, err := a.keys().DeleteKey(a.ctx, connect.NewRequest(&daemonpb.DeleteKeyRequest{Name: rest[1]}))
		return err
	default:
		return fmt.Errorf("key: %w", errUsage)
	}
	return nil
}

func (a *app) status(args []string) error {
	rest, err := a.parse(flag.NewFlagSet("status", flag.ContinueOnError), args)
	if err != nil {
		return err
	}
	if len(rest) > 0 {
		return fmt.Errorf("status: %w", errUsage)
	}
	info, err := a.keys().GetInfo(a.ctx, connect.NewRequest(&daemonpb.GetInfoRequest{}))
	if err != nil {
		return err
	}
	keys, err := a.keys().ListKeys(a.ctx, connect.NewRequest(&daemonpb.ListKeysRequest{}))
	if err != nil {
		return err
	}
	c, url := a.http()
	peers, err := networkingconnect.NewNetworkingClient(c, url, connect.WithGRPC()).ListPeers(a.ctx,
		connect.NewRequest(&networking.ListPeersRequest{PageSize: 500}))
	if err != nil {
		return err
	}
	fmt.Fprintf(a.out, "peer      %s\nprotocol  %s\nsince     %s\nkeys      %d\npeers     %d\n", info.Msg.PeerId, info.Msg.ProtocolId,
		info.Msg.StartTime.AsTime().Format(time.RFC3339), len(keys.Msg.Keys), len(peers.Msg.Peers))
	for _, k := range keys.Msg.Keys {
		list, err := a.documents().ListDocuments(a.ctx,
			connect.NewRequest(&documents.ListDocumentsRequest{Account: k.AccountId, PageSize: 500}))
		if err != nil {
			return err
		}
		more := ""
		if list.Msg.NextPageToken != "" {
			more = " and more"
		}
		fmt.Fprintf(a.out, "%-9s hm://%s, %d documents%s\n", k.Name, k.AccountId, len(list.Msg.Documents), more)
	}
	return nil
}

// open opens a file, - is the input.
func (a *app) open(name string) (io.ReadCloser, error) {
	if name == "-" {
		return io.NopCloser(a.in), nil
	}
	return os.Open(name)
}
