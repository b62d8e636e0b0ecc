package daemon

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Config is how a node is run. Each flag may be given as an environment variable: SEED_ and the name in capitals, with _ for dots and
// dashes; SEED_DAEMON_FLAGS holds a whole command line. A flag goes before its variable, and both before SEED_DAEMON_FLAGS.
type Config struct {
	DataDir     string
	KeystoreDir string
	HTTPHost    string
	HTTPPort    int
	HTTPHosts   list
	GRPCHost    string
	GRPCPort    int

	P2PPort     int
	P2PListen   list
	P2PAnnounce list
	Testnet     string

	AllowPush    bool
	AllowPrivate bool
	Gateways     list
	Gateway      bool
	Account      string
	LogLevel     string
}

// list is a flag of texts with commas between them.
type list []string

func (l *list) String() string { return strings.Join(*l, ",") }

// Set replaces the list.
func (l *list) Set(text string) error {
	*l = nil
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part != "" {
			*l = append(*l, part)
		}
	}
	return nil
}

// flags declares the flags on a set.
func (c *Config) flags(fs *flag.FlagSet, home string) {
	fs.StringVar(&c.DataDir, "data-dir", filepath.Join(home, ".mtt"), "`folder` of keys and blobs")
	fs.StringVar(&c.KeystoreDir, "keystore-dir", "", "`folder` of the file of signing keys (default: keys in the data directory)")
	fs.StringVar(&c.HTTPHost, "http.host", "127.0.0.1", "`address` to listen at for HTTP")
	fs.IntVar(&c.HTTPPort, "http.port", 55001, "`port` for HTTP; 0 takes a free one")
	fs.Var(&c.HTTPHosts, "http.hosts", "`names` under which the pages may be called beside localhost, with commas between them")
	fs.StringVar(&c.GRPCHost, "grpc.host", "127.0.0.1", "`address` to listen at for gRPC; who can reach it can sign with the node's keys")
	fs.IntVar(&c.GRPCPort, "grpc.port", 55002, "`port` for gRPC; 0 takes a free one")
	fs.IntVar(&c.P2PPort, "p2p.port", 55000, "`port` for peers, TCP and UDP; 0 takes a free one")
	fs.Var(&c.P2PListen, "p2p.listen-addrs", "`multiaddresses` to listen at for peers (default: 127.0.0.1, TCP and QUIC)")
	fs.Var(&c.P2PAnnounce, "p2p.announce-addrs", "`multiaddresses` to tell peers in place of those")
	fs.StringVar(&c.Testnet, "p2p.testnet-name", "", "`name` of a test network: only peers with the same name are spoken with")
	fs.BoolVar(&c.AllowPush, "syncing.allow-push", false,
		"take pushes of every space (default: of the spaces known here; of all when peers reach this node from this machine only)")
	fs.Var(&c.Gateways, "syncing.gateways", "`hosts` that ForceSync may ask over HTTPS for their peer")
	fs.BoolVar(&c.AllowPrivate, "syncing.allow-private", false, "let ForceSync go to private addresses, and to gateways over plain HTTP")
	fs.BoolVar(&c.Gateway, "gateway", false, "be a gateway: take pushes of every space and tell visitors so")
	fs.StringVar(&c.Account, "gateway.account", "", "`account` that the gateway tells as its own")
	fs.StringVar(&c.LogLevel, "log-level", "info", "debug, info, warn or error")
}

// ParseConfig reads the flags of a command line and the environment. The file keystore is the only one: DAEMON_FILE_KEYSTORE and
// SEED_FILE_KEYSTORE are accepted and change nothing, but that a false value is refused.
func ParseConfig(args []string, getenv func(string) string, out io.Writer) (*Config, error) {
	c := &Config{}
	fs := flag.NewFlagSet("node", flag.ContinueOnError)
	fs.SetOutput(out)
	home, err := os.UserHomeDir()
	if err != nil {
		home = "."
	}
	c.flags(fs, home)
	if err := fs.Parse(strings.Fields(getenv("SEED_DAEMON_FLAGS"))); err != nil {
		return nil, fmt.Errorf("SEED_DAEMON_FLAGS: %w", err)
	}
	fs.VisitAll(func(f *flag.Flag) {
		name := "SEED_" + strings.ToUpper(strings.NewReplacer(".", "_", "-", "_").Replace(f.Name))
		if v := getenv(name); v != "" && err == nil {
			if e := fs.Set(f.Name, v); e != nil {
				err = fmt.Errorf("%s: %w", name, e)
			}
		}
	})
	if err != nil {
		return nil, err
	}
	if err := fs.Parse(args); err != nil {
		return nil, err
	}
	if fs.NArg() > 0 {
		return nil, fmt.Errorf("%q is no command and no flag", fs.Arg(0))
	}
	for _, name := range []string{"DAEMON_FILE_KEYSTORE", "SEED_FILE_KEYSTORE"} {
		if v := getenv(name); v == "0" || strings.EqualFold(v, "false") {
			return nil, errors.New(name + ": this node keeps its keys in a file, always")
		}
	}
	return c, c.complete()
}

// complete fills in what follows from other flags.
func (c *Config) complete() error {
	if c.KeystoreDir == "" {
		c.KeystoreDir = filepath.Join(c.DataDir, "keys")
	}
	for name, port := range map[string]int{"http.port": c.HTTPPort, "grpc.port": c.GRPCPort, "p2p.port": c.P2PPort} {
		if port < 0 || port > 65535 {
			return fmt.Errorf("%s %d: expected 0 to 65535", name, port)
		}
	}
	for i, name := range c.HTTPHosts {
		if strings.Contains(name, ":") {
			return fmt.Errorf("http.hosts %q: expected names without ports", name)
		}
		c.HTTPHosts[i] = strings.TrimSuffix(strings.ToLower(name), ".")
	}
	if len(c.P2PListen) == 0 {
		host := "127.0.0.1"
		if c.Gateway {
			host = "0.0.0.0"
		}
		c.P2PListen = list{fmt.Sprintf("/ip4/%s/tcp/%d", host, c.P2PPort), fmt.Sprintf("/ip4/%s/udp/%d/quic-v1", host, c.P2PPort)}
	}
	local := true
	for _, a := range c.P2PListen {
		local = local && (strings.HasPrefix(a, "/ip4/127.") || strings.HasPrefix(a, "/ip6/::1/"))
	}
	c.AllowPush = c.AllowPush || c.Gateway || local
	return nil
}
