package peer

import (
	"context"
	"crypto/ed25519"
	"errors"
	"math"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"connectrpc.com/connect"
	"github.com/ipfs/go-cid"
	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/peer"
	"github.com/multiformats/go-multiaddr"

	p2p "mappe/localdev/node/api/p2p/v1alpha"
	"mappe/localdev/node/api/p2p/v1alpha/p2pconnect"
	"mappe/localdev/node/blob"
	"mappe/localdev/node/ident"
	"mappe/localdev/node/space"
	"mappe/localdev/node/store"
)

var ctx = context.Background()

func keyOf(name string) ed25519.PrivateKey {
	return ed25519.NewKeyFromSeed([]byte(strings.Repeat(name, 32)[:32]))
}

func accountOf(name string) ident.Account {
	return ident.AccountOf(keyOf(name).Public().(ed25519.PublicKey))
}

// start runs a host with an empty store.
func start(t *testing.T, name string, edit func(*Config)) *Host {
	t.Helper()
	s, err := store.Open(t.TempDir(), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	c := Config{Key: keyOf("peer " + name), Listen: []string{"/ip4/127.0.0.1/tcp/0"}, Library: space.New(s, time.Now),
		Known: func(a ident.Account) bool { return a == accountOf("owner") }}
	if edit != nil {
		edit(&c)
	}
	h, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(h.Close(), s.Close()); err != nil {
			t.Errorf("closing: %v", err)
		}
	})
	return h
}

// signed is a blob of an account.
func signed(t *testing.T, by string, m map[string]any) store.Item {
	t.Helper()
	if m["ts"] == nil {
		m["ts"] = time.Now().UnixMilli()
	}
	data, err := blob.Sign(m, accountOf(by), func(data []byte) ([]byte, error) { return ed25519.Sign(keyOf(by), data), nil })
	if err != nil {
		t.Fatal(err)
	}
	return store.Item{ID: blob.Sum(data), Data: data}
}

func file(text string) store.Item {
	return store.Item{ID: blob.SumRaw([]byte(text)), Data: []byte(text)}
}

// document is a change, with links to files, and its ref.
func document(t *testing.T, by, owner string, path ident.Path, links ...string) (change, ref store.Item) {
	t.Helper()
	ops := []blob.Op{blob.SetAttributes{Attributes: []blob.Attribute{{Key: []string{"name"}, Value: by + string(path)}}}}
	for _, l := range links {
		ops = append(ops, blob.ReplaceBlock{Block: blob.Block{ID: l, Type: "Image", Link: l}})
	}
	change = signed(t, by, (&blob.Change{Time: time.Now().UnixMilli(), Ops: ops}).Fields())
	r := &blob.Ref{Space: accountOf(owner), Path: path, Genesis: change.ID, Heads: []cid.Cid{change.ID}, Time: time.Now().UnixMilli(),
		Generation: 1}
	return change, signed(t, by, r.Fields(accountOf(by)))
}

// world are blobs of an owner, of a guest to whom the owner has given a right, of another who has one and has not used it, and of a
// stranger.
type world struct{ belongs, foreign []store.Item }

func newWorld(t *testing.T) world {
	right := func(to string) store.Item {
		return signed(t, "owner", map[string]any{"type": "Capability", "delegate": accountOf(to).Bytes(), "role": "WRITER",
			"path": "/guests"})
	}
	comment := func(text string) store.Item {
		return signed(t, "stranger", map[string]any{"type": "Comment", "space": accountOf("owner").Bytes(), "path": "/a",
			"body": []any{map[string]any{"id": "c", "type": "Image", "text": text, "link": "ipfs://" + file("a comment's").ID.String()}}})
	}
	profile := func(of string) store.Item {
		return signed(t, "stranger", map[string]any{"type": "Profile", "account": accountOf(of).Bytes(), "name": "x"})
	}
	home, homeRef := document(t, "owner", "owner", "")
	change, ref := document(t, "owner", "owner", "/a", "ipfs://"+file("shown").ID.String())
	guestChange, guestRef := document(t, "guest", "owner", "/guests/g")
	guestHome, guestHomeRef := document(t, "guest", "guest", "", "ipfs://"+file("the guest's").ID.String())
	other, otherRef := document(t, "stranger", "owner", "/a")
	own, ownRef := document(t, "stranger", "stranger", "")
	return world{
		belongs: []store.Item{home, homeRef, change, ref, right("guest"), right("late"), guestChange, guestRef, guestHome, guestHomeRef,
			signed(t, "guest", map[string]any{"type": "Profile", "name": "Guest"}), comment("short"), file("shown"), file("the guest's")},
		foreign: []store.Item{other, otherRef, own, ownRef, profile("owner"), profile("stranger"), comment(strings.Repeat("x", maxGuest)),
			file("a comment's"), file("nobody's")},
	}
}

func (w world) all() []store.Item { return append(slices.Clone(w.belongs), w.foreign...) }

func idsOf(items []store.Item) []cid.Cid {
	var ids []cid.Cid
	for _, i := range items {
		ids = append(ids, i.ID)
	}
	return ids
}

// holds compares what a host keeps with what it should.
func holds(t *testing.T, h *Host, w world) {
	t.Helper()
	for _, i := range w.belongs {
		if !h.Library.Store.Has(i.ID) {
			t.Errorf("not kept: %.120q", i.Data)
		}
	}
	for _, i := range w.foreign {
		if h.Library.Store.Has(i.ID) {
			t.Errorf("kept: %.120q", i.Data)
		}
	}
}

func dial(t *testing.T, from, to *Host) {
	t.Helper()
	if _, err := from.Connect(ctx, to.Addrs()); err != nil {
		t.Fatal(err)
	}
}

// Strangers push to a node that is closed what belongs to its spaces, and nothing in its shade: not the files of their comments, not
// profiles that say another's name.
func TestWhatStrangersPush(t *testing.T) {
	w := newWorld(t)
	from, to := start(t, "stranger", nil), start(t, "closed", nil)
	if _, err := from.Library.Store.Put(w.all()...); err != nil {
		t.Fatal(err)
	}
	dial(t, from, to)
	client, end := from.client(to.ID())
	defer end()
	sum := &p2p.AnnounceBlobsProgress{}
	err := announce(ctx, p2pconnect.NewSyncingClient(client, "http://peer", connect.WithGRPC()), idsOf(w.all()), sum,
		func(*p2p.AnnounceBlobsProgress) error { return nil })
	if err != nil || int(sum.BlobsProcessed) != len(w.belongs) || int(sum.BlobsFailed) != len(w.foreign) {
		t.Errorf("want %d and %d, got %v, %v", len(w.belongs), len(w.foreign), sum, err)
	}
	holds(t, to, w)
	if n := to.held.Load(); n != 0 {
		t.Errorf("%d bytes are counted as waiting", n)
	}
}

// A bad blob among others is counted as failed, and loses none of them.
func TestBadBlobsAmongOthers(t *testing.T) {
	ahead := func() time.Time { return time.Now().Add(time.Hour) } // the clock of who pushes
	s, err := store.Open(t.TempDir(), ahead)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	from := start(t, "ahead", func(c *Config) { c.Library = space.New(s, ahead) })
	to := start(t, "open", func(c *Config) { c.AllowPush = true })
	w := newWorld(t)
	bad := signed(t, "owner", map[string]any{"type": "Profile", "name": "x", "ts": time.Now().Add(30 * time.Minute).UnixMilli()})
	if _, err := s.Put(append(w.all(), bad)...); err != nil {
		t.Fatal(err)
	}
	dial(t, from, to)
	client, end := from.client(to.ID())
	defer end()
	sum := &p2p.AnnounceBlobsProgress{}
	err = announce(ctx, p2pconnect.NewSyncingClient(client, "http://peer", connect.WithGRPC()), idsOf(append(w.all(), bad)), sum,
		func(*p2p.AnnounceBlobsProgress) error { return nil })
	if err != nil || int(sum.BlobsProcessed) != len(w.all()) || sum.BlobsFailed != 1 {
		t.Errorf("want %d and 1, got %v, %v", len(w.all()), sum, err)
	}
	holds(t, to, world{belongs: w.all(), foreign: []store.Item{bad}})
}

// A space has room for a number of comments of accounts without a right, whoever pushes them.
func TestCommentsOfStrangersAreBounded(t *testing.T) {
	h := start(t, "closed", nil)
	var items []store.Item
	for i := range maxGuests + 5 {
		items = append(items, signed(t, "stranger", map[string]any{"type": "Comment", "space": accountOf("owner").Bytes(), "ts": int64(i)}))
	}
	if _, err := h.Library.Store.Put(items[:3]...); err != nil {
		t.Fatal(err)
	}
	ids := idsOf(items)
	if got := belonging(h.Known, false, h.Library.Store, items[3:], ids); len(got) != maxGuests-3 {
		t.Errorf("unasked: want %d, got %d", maxGuests-3, len(got))
	}
	if got := belonging(h.Known, true, h.Library.Store, items[3:], ids); len(got) != len(items)-3 {
		t.Errorf("asked for: want %d, got %d", len(items)-3, len(got))
	}
}

// liar lists blobs of all spaces, whatever is asked.
type liar struct {
	p2pconnect.UnimplementedSyncingHandler
	ids   []cid.Cid
	asked atomic.Int32
}

func (l *liar) ReconcileBlobs(
	context.Context, *connect.Request[p2p.ReconcileBlobsRequest],
) (*connect.Response[p2p.ReconcileBlobsResponse], error) {
	l.asked.Add(1)
	r := &p2p.SetReconciliationRange{Mode: p2p.SetReconciliationRange_LIST, BoundTimestamp: math.MaxInt64}
	for _, id := range l.ids {
		r.Values = append(r.Values, id.Bytes(), id.Bytes())
	}
	return connect.NewResponse(&p2p.ReconcileBlobsResponse{Ranges: []*p2p.SetReconciliationRange{r}}), nil
}

// What a peer lists is kept where it belongs to the space that was asked for, and a peer that nobody has named is not asked.
func TestWhatIsPulled(t *testing.T) {
	w := newWorld(t)
	long := slices.IndexFunc(w.foreign, func(i store.Item) bool { return len(i.Data) > maxGuest })
	w.belongs, w.foreign = append(w.belongs, w.foreign[long]), slices.Delete(slices.Clone(w.foreign), long, long+1) // it was asked for
	h, peer := start(t, "asks", nil), start(t, "lies", nil)
	if _, err := peer.Library.Store.Put(w.all()...); err != nil {
		t.Fatal(err)
	}
	lies := &liar{ids: idsOf(w.all())}
	mux := http.NewServeMux()
	mux.Handle(p2pconnect.NewSyncingHandler(lies))
	end := peer.serve(mux)
	defer func() { _ = end() }()
	dial(t, peer, h)
	spaces := []ident.Account{accountOf("owner")}
	if err := h.SyncAll(ctx, spaces); err != nil || lies.asked.Load() != 0 || h.Library.Store.Count() != 0 {
		t.Errorf("a stranger was asked %d times, %v", lies.asked.Load(), err)
	}
	dial(t, h, peer)
	if err := h.SyncAll(ctx, spaces); err != nil || lies.asked.Load() != 1 {
		t.Errorf("asked %d times, %v", lies.asked.Load(), err)
	}
	holds(t, h, w)
}

// An honest peer lists rights that were not used yet: without them a later ref of the account would not be seen.
func TestRightsArePulled(t *testing.T) {
	w := newWorld(t)
	h, peer := start(t, "asks", nil), start(t, "tells", nil)
	if _, err := peer.Library.Store.Put(w.belongs...); err != nil {
		t.Fatal(err)
	}
	dial(t, h, peer)
	for _, below := range []bool{false, true} {
		if _, err := h.Pull(ctx, peer.ID(), ident.IRI{Account: accountOf("owner"), Path: "/guests/g"}, below); err != nil {
			t.Fatal(err)
		}
	}
	if !h.Library.Store.MayWrite(accountOf("owner"), "/guests/late", accountOf("late")) {
		t.Error("a capability was left behind")
	}
	if _, err := h.Pull(ctx, peer.ID(), ident.IRI{Account: accountOf("owner")}, true); err != nil {
		t.Fatal(err)
	}
	holds(t, h, w)
}

// A peer that cannot be asked is an error, also where the document is kept already.
func TestSyncSaysThatNobodyAnswered(t *testing.T) {
	w := newWorld(t)
	h, peer := start(t, "asks", nil), start(t, "ends", nil)
	for _, s := range []*Host{h, peer} {
		if _, err := s.Library.Store.Put(w.belongs...); err != nil {
			t.Fatal(err)
		}
	}
	dial(t, h, peer)
	iri := "hm://" + accountOf("owner").String() + "/a"
	if err := h.Sync(ctx, iri); err != nil {
		t.Fatal(err)
	}
	var asked atomic.Int32
	peer.host.SetStreamHandler(peer.protocol, func(s network.Stream) { asked.Add(1); _ = s.Reset() })
	if err := h.Sync(ctx, iri); !errors.Is(err, ErrUnreachable) {
		t.Errorf("want %v, got %v", ErrUnreachable, err)
	}
	asked.Store(0)
	if err := h.SyncAll(ctx, []ident.Account{accountOf("owner"), accountOf("guest")}); !errors.Is(err, ErrUnreachable) ||
		asked.Load() != 1 {
		t.Errorf("a peer that does not answer was asked %d times: %v", asked.Load(), err)
	}
}

// resolver resolves every name to an address.
type resolver struct{ to multiaddr.Multiaddr }

func (r resolver) ResolveDNSAddr(_ context.Context, _ peer.ID, _ multiaddr.Multiaddr, _, _ int) ([]multiaddr.Multiaddr, error) {
	return []multiaddr.Multiaddr{r.to}, nil
}

func (r resolver) ResolveDNSComponent(context.Context, multiaddr.Multiaddr, int) ([]multiaddr.Multiaddr, error) {
	return []multiaddr.Multiaddr{r.to}, nil
}

// A name that a gateway tells is not dialled where it leads to a private address; one that a call names is.
func TestNamesOfPrivateAddresses(t *testing.T) {
	inside := start(t, "inside", nil)
	address, err := multiaddr.NewMultiaddr(strings.Split(inside.Addrs()[0], "/p2p/")[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"/dns4/node.example.com/tcp/4001", "/dnsaddr/node.example.com"} {
		h := start(t, "asks", func(c *Config) { c.resolver = resolver{address} })
		info, err := target([]string{name + "/p2p/" + inside.ID().String()})
		if err != nil {
			t.Fatal(err)
		}
		if err := h.connectPublic(ctx, info); !errors.Is(err, ErrUnreachable) || len(h.host.Network().Peers()) != 0 {
			t.Errorf("%s: want no connection, got %v, %v", name, h.host.Network().Peers(), err)
		}
		if err := h.connect(ctx, info); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if len(h.gate.public) != 0 {
			t.Errorf("%s: the gate stays closed", name)
		}
	}
}

// A peer that calls much at a time gets no more than its part, and others are answered meanwhile.
func TestCallsAtATime(t *testing.T) {
	h, from, other := start(t, "answers", nil), start(t, "asks", nil), start(t, "waits", nil)
	list := func(from *Host) error {
		client, end := from.client(h.ID())
		defer end()
		_, err := p2pconnect.NewP2PClient(client, "http://peer", connect.WithGRPC()).ListPeers(ctx,
			connect.NewRequest(&p2p.ListPeersRequest{}))
		return err
	}
	dial(t, from, h)
	dial(t, other, h)
	for range maxCallsEach { // calls that are held open
		if !h.calls.begin(from.ID()) {
			t.Fatal("no call is answered")
		}
	}
	if err := list(from); connect.CodeOf(err) != connect.CodeResourceExhausted || err == nil {
		t.Errorf("want %v, got %v", connect.CodeResourceExhausted, err)
	}
	if err := list(other); err != nil {
		t.Error(err)
	}
	h.calls.end(from.ID())
	if err := list(from); err != nil {
		t.Error(err)
	}
}

func TestPublic(t *testing.T) {
	for text, want := range map[string]bool{"/ip4/93.184.215.14/tcp/1": true, "/ip6/2600:1406::1/tcp/1": true,
		"/dns4/example.com/tcp/1": true,
		"/ip4/127.0.0.1/tcp/1":    false, "/ip4/10.0.0.1/tcp/1": false, "/ip4/169.254.169.254/tcp/1": false, "/ip4/100.64.0.1/tcp/1": false,
		"/ip6/::1/tcp/1": false, "/ip6/fd00::1/tcp/1": false, "/ip6/fe80::1/tcp/1": false, "/ip6/::ffff:10.0.0.1/tcp/1": false,
		"/ip6/64:ff9b::7f00:1/tcp/1": false, "/ip6/2002:a00:1::1/tcp/1": false, "/dns4/localhost/tcp/1": false,
		"/ip4/0.0.0.0/tcp/1": false} {
		a, err := multiaddr.NewMultiaddr(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := public(a); got != want {
			t.Errorf("%s: want %v, got %v", text, want, got)
		}
	}
}
