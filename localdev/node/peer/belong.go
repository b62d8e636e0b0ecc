package peer

import (
	"cmp"
	"slices"
	"strings"

	"github.com/ipfs/go-cid"

	"mappe/localdev/node/blob"
	"mappe/localdev/node/cbor"
	"mappe/localdev/node/ident"
	"mappe/localdev/node/media"
	"mappe/localdev/node/store"
)

const (
	// maxGuests is how many comments a space may hold when one of an account without a right is taken that nobody here has asked for.
	maxGuests = store.MaxStash
	// maxGuest is the most bytes of such a comment.
	maxGuest = 64 << 10
)

// gist is what tells where a signed blob belongs. Blobs are read one at a time and only this is held of them: a read blob takes many
// times its bytes.
type gist struct {
	kind   blob.Type
	signer ident.Account
	owner  ident.Account // the account whose space it belongs to; none for changes, which belong to the refs that name them
	path   ident.Path
	time   int64
	size   int
	here   bool    // it is kept already
	names  []int32 // the changes that a ref or change follows, by their places among the names on offer
	files  []int32
}

// right is what a capability gives.
type right struct {
	owner, delegate ident.Account
	path            ident.Path
}

// sorting finds out which of many blobs belong to spaces.
type sorting struct {
	of      func(ident.Account) bool
	asked   bool // somebody here has asked for the blobs
	store   *store.Store
	ids     []cid.Cid         // all on offer, kept here or not
	places  map[cid.Cid]int32 // of ids
	gists   []*gist           // of ids; nil for those that are no signed blob
	nodes   map[int32][]byte  // of files
	rights  map[right]bool
	keep    []bool
	authors map[ident.Account]bool
}

// belonging are the items that belong to spaces, in the order in which they can be kept: the refs whose signers may write there and the
// changes that these name, the capabilities and contacts of the owners, profiles, capabilities and home documents of the authors,
// comments, and the files that any of these names, but comments of strangers. Blobs that are kept already may name the items, too:
// announced are all names on offer, each once.
func belonging(of func(ident.Account) bool, asked bool, s *store.Store, items []store.Item, announced []cid.Cid) []store.Item {
	known := map[ident.Account]bool{}
	ours := func(a ident.Account) bool {
		k, seen := known[a]
		if !seen {
			k = of(a)
			known[a] = k
		}
		return k
	}
	o := &sorting{of: ours, asked: asked, store: s, ids: announced, places: make(map[cid.Cid]int32, len(announced)),
		gists: make([]*gist, len(announced)), nodes: map[int32][]byte{}, rights: map[right]bool{}}
	for n, id := range announced {
		o.places[id] = int32(n)
	}
	for _, i := range items {
		switch n := o.places[i.ID]; i.ID.Prefix().Codec {
		case cid.DagCBOR:
			o.gists[n] = o.gistOf(i.Data)
		case cid.DagProtobuf:
			o.nodes[n] = i.Data
		}
	}
	out := o.sort(items)
	if len(out) == len(items) {
		return out
	}
	for n, id := range announced {
		if o.gists[n] == nil && id.Prefix().Codec == cid.DagCBOR {
			if data, err := s.Get(id); err == nil {
				if o.gists[n] = o.gistOf(data); o.gists[n] != nil {
					o.gists[n].here = true
				}
			}
		}
	}
	return o.sort(items)
}

// gistOf reads a signed blob; nil for another blob.
func (o *sorting) gistOf(data []byte) *gist {
	b, err := blob.Decode(data)
	if err != nil {
		return nil
	}
	g := &gist{kind: b.Type, signer: b.Signer, owner: b.Signer, time: b.Time, size: len(data)}
	switch {
	case b.Change != nil:
		g.owner, g.names = "", o.offered(b.Change.Deps)
	case b.Ref != nil:
		g.owner, g.path, g.names = b.Ref.Space, b.Ref.Path, o.offered(append(slices.Clone(b.Ref.Heads), b.Ref.Genesis))
	case b.Comment != nil:
		g.owner, g.path = b.Comment.Space, b.Comment.Path
	case b.Profile != nil:
		g.owner = b.Profile.Account
	case b.Capability != nil:
		if c := b.Capability; c.Audience == "" {
			o.rights[right{c.Signer, c.Delegate, c.Path}] = true
		}
	}
	if v, err := cbor.Unmarshal(data); err == nil {
		var files []cid.Cid
		eachFile(v, func(c cid.Cid) { files = append(files, c) })
		g.files = o.offered(files)
	}
	return g
}

// offered are the places of those names that are on offer, each once.
func (o *sorting) offered(ids []cid.Cid) []int32 {
	var out []int32
	for _, id := range ids {
		if n, ok := o.places[id]; ok {
			out = append(out, n)
		}
	}
	slices.Sort(out)
	return slices.Clip(slices.Compact(out))
}

// eachFile calls a function with the roots of the files that a value names: ipfs://CID in texts.
func eachFile(v any, f func(cid.Cid)) {
	switch v := v.(type) {
	case string:
		if text, ok := strings.CutPrefix(v, "ipfs://"); ok {
			text, _, _ = strings.Cut(text, "/")
			if c, err := cid.Decode(text); err == nil {
				f(c)
			}
		}
	case []any:
		for _, w := range v {
			eachFile(w, f)
		}
	case map[string]any:
		for _, w := range v {
			eachFile(w, f)
		}
	}
}

// may says whether the signer of a blob may write the place of it, by a right that is kept or on offer.
func (o *sorting) may(g *gist) bool {
	if g.signer == g.owner {
		return true
	}
	for p := g.path; ; p = p[:strings.LastIndexByte(string(p), '/')] {
		if o.rights[right{g.owner, g.signer, p}] {
			return true
		}
		if p == "" {
			return o.store.MayWrite(g.owner, g.path, g.signer)
		}
	}
}

func (o *sorting) sort(items []store.Item) []store.Item {
	o.keep, o.authors = make([]bool, len(o.ids)), nil
	o.authors = o.refs(func(g *gist) bool { return o.of(g.owner) && o.may(g) })
	o.refs(func(g *gist) bool { return o.authors[g.owner] && g.path == "" && o.may(g) })
	guests := map[ident.Account]int{}
	for n, g := range o.gists {
		if g == nil {
			continue
		}
		switch g.kind {
		case blob.TypeCapability:
			o.keep[n] = o.of(g.owner) || o.authors[g.owner]
		case blob.TypeContact:
			o.keep[n] = o.of(g.owner)
		case blob.TypeProfile:
			o.keep[n] = (o.of(g.owner) || o.authors[g.owner]) && o.may(g)
		case blob.TypeComment:
			o.keep[n] = o.of(g.owner) && (o.asked || g.here || o.may(g) || g.size <= maxGuest && o.guest(g.owner, guests))
		}
	}
	o.files()
	var out []store.Item
	for _, i := range items {
		if o.keep[o.places[i.ID]] {
			out = append(out, i)
		}
	}
	slices.SortStableFunc(out, func(a, b store.Item) int { return cmp.Compare(o.rank(a.ID), o.rank(b.ID)) })
	return out
}

// guest says whether a space has room for a comment of an account without a right. seen counts the comments of spaces.
func (o *sorting) guest(space ident.Account, seen map[ident.Account]int) bool {
	if _, ok := seen[space]; !ok {
		seen[space] = o.store.CountComments(space, maxGuests)
	}
	seen[space]++
	return seen[space] <= maxGuests
}

// refs keeps the refs that a function chooses and the changes that they name; the accounts are those that signed these.
func (o *sorting) refs(chosen func(*gist) bool) map[ident.Account]bool {
	authors := map[ident.Account]bool{}
	var queue []int32
	for n, g := range o.gists {
		if g != nil && g.kind == blob.TypeRef && chosen(g) {
			o.keep[n], authors[g.signer] = true, true
			queue = append(queue, g.names...)
		}
	}
	for ; len(queue) > 0; queue = queue[1:] {
		if g := o.gists[queue[0]]; g != nil && g.kind == blob.TypeChange && !o.keep[queue[0]] {
			o.keep[queue[0]], authors[g.signer] = true, true
			queue = append(queue, g.names...)
		}
	}
	return authors
}

// files keeps the blocks of the files that kept blobs name: those of changes, and of the owners and authors.
func (o *sorting) files() {
	var queue []int32
	add := func(files []int32) {
		for _, n := range files {
			if !o.keep[n] && o.ids[n].Prefix().Codec != cid.DagCBOR {
				o.keep[n] = true
				queue = append(queue, n)
			}
		}
	}
	for n, g := range o.gists {
		if g != nil && o.keep[n] && (g.kind == blob.TypeChange || o.of(g.signer) || o.authors[g.signer]) {
			add(g.files)
		}
	}
	for ; len(queue) > 0; queue = queue[1:] {
		n := queue[0]
		if o.ids[n].Prefix().Codec != cid.DagProtobuf {
			continue
		}
		data := o.nodes[n]
		if data == nil {
			data, _ = o.store.Get(o.ids[n]) // it is neither here nor has it come: it leads nowhere
		}
		add(o.offered(media.Links(data)))
	}
}

// rank puts capabilities first, then changes by their time, then what needs them.
func (o *sorting) rank(id cid.Cid) int64 {
	switch g := o.gists[o.places[id]]; {
	case g == nil, g.kind != blob.TypeChange && g.kind != blob.TypeCapability:
		return blob.MaxTime
	case g.kind == blob.TypeCapability:
		return -1
	default:
		return g.time
	}
}
