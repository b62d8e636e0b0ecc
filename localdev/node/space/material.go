package space

import (
	"cmp"
	"slices"
	"strings"

	"github.com/ipfs/go-cid"

	"mappe/localdev/node/blob"
	"mappe/localdev/node/ident"
	"mappe/localdev/node/media"
	"mappe/localdev/node/replay"
)

// MaxMaterial is the most blobs that one push or pull names.
const MaxMaterial = 200_000

// Material are the blobs of which a document is made, for another node: changes and refs, the capabilities of their signers, comments,
// profiles and home documents of the owner and the authors, and the files that it shows. With below, so for all documents below the
// path. They are in the order in which a reader can use them.
func (l *Library) Material(space ident.Account, path ident.Path, below bool) []cid.Cid {
	g := &gathering{l: l, seen: map[cid.Cid]bool{}, homes: map[ident.Account]bool{}}
	if below {
		l.EachPath(space, path, func(p ident.Path) bool { g.document(space, p); return len(g.list) < MaxMaterial })
	} else {
		g.document(space, path)
	}
	if len(g.list) == 0 {
		return nil
	}
	g.account(space)
	return g.list
}

// EachPath calls a function with every path of a space at and below one, until it says false.
func (l *Library) EachPath(space ident.Account, below ident.Path, f func(ident.Path) bool) {
	after, first := below, below == ""
	if !first && len(l.Store.Refs(space, below)) > 0 && !f(below) {
		return
	}
	for {
		paths := l.Store.Paths(space, after, first, 256)
		for _, p := range paths {
			if p.Within(below) {
				if !f(p) {
					return
				}
			} else if !strings.HasPrefix(string(p), string(below)) { // "/ab" lies between "/a" and "/a/b"
				return
			}
		}
		if len(paths) == 0 {
			return
		}
		after, first = paths[len(paths)-1], false
	}
}

type gathering struct {
	l     *Library
	seen  map[cid.Cid]bool
	homes map[ident.Account]bool
	list  []cid.Cid
}

// add notes a blob that is kept here.
func (g *gathering) add(ids ...cid.Cid) {
	for _, id := range ids {
		if !g.seen[id] && len(g.list) < MaxMaterial && g.l.Store.Has(id) {
			g.seen[id] = true
			g.list = append(g.list, id)
		}
	}
}

// document notes what makes a document, and who wrote it.
func (g *gathering) document(space ident.Account, path ident.Path) {
	claims := g.l.claims(space, path)
	var refs []cid.Cid
	for _, c := range claims {
		entries, err := g.l.closure(c.Heads, cid.Undef)
		if err != nil {
			continue
		}
		slices.SortFunc(entries, func(a, b replay.Entry) int { return cmp.Compare(a.Change.Time, b.Change.Time) })
		for _, e := range entries {
			g.add(e.ID)
			for _, op := range e.Change.Ops {
				g.shown(op)
			}
		}
		if c.Signer != space {
			g.add(g.l.Store.Rights(space, c.Signer)...)
		}
		refs = append(refs, c.id)
		for _, e := range entries {
			if e.Change.Signer != space {
				g.account(e.Change.Signer)
			}
		}
	}
	g.add(refs...)
	g.add(g.l.Store.Comments(space, path)...)
}

// shown notes the files that an operation brings into the document.
func (g *gathering) shown(op blob.Op) {
	switch op := op.(type) {
	case blob.ReplaceBlock:
		g.file(op.Block.Link)
		for _, a := range op.Block.Annotations {
			g.file(a.Link)
		}
	case blob.SetAttributes:
		for _, a := range op.Attributes {
			if text, ok := a.Value.(string); ok {
				g.file(text)
			}
		}
	}
}

// file notes the blobs of an address ipfs://CID.
func (g *gathering) file(address string) {
	text, ok := strings.CutPrefix(address, "ipfs://")
	if !ok {
		return
	}
	text, _, _ = strings.Cut(text, "/")
	if c, err := cid.Decode(text); err == nil {
		g.add(media.Parts(g.l.Store, c, MaxMaterial)...)
	}
}

// account notes what is known of an account: its profiles and its home document.
func (g *gathering) account(a ident.Account) {
	if g.homes[a] {
		return
	}
	g.homes[a] = true
	g.add(g.l.Store.Profiles(a)...)
	g.document(a, "")
}
