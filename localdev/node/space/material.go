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

// Material are the blobs of which a document is made, for another node: changes and refs, the capabilities that the owner has given for
// it, whether they were used or not, comments, profiles and home documents of the owner and the authors, and the
// files that it shows. With below, so for all documents below the path. They are in the order in which a reader can use them.
func (l *Library) Material(space ident.Account, path ident.Path, below bool) []cid.Cid {
	g := &gathering{l: l, seen: map[cid.Cid]bool{}, homes: map[ident.Account]bool{}}
	if len(l.Store.Refs(space, path)) > 0 || below {
		g.rights(space, path, below)
	}
	rights := len(g.list)
	if below {
		l.EachPath(space, path, func(p ident.Path) bool { g.document(space, p, true); return len(g.list) < MaxMaterial })
	} else {
		g.document(space, path, true)
	}
	if len(g.list) == rights {
		return nil
	}
	g.account(space, true)
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

// document notes what makes a document, and with authors what is known of who wrote it.
func (g *gathering) document(space ident.Account, path ident.Path, authors bool) {
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
		refs = append(refs, c.id)
		for _, e := range entries {
			if authors && e.Change.Signer != space {
				g.account(e.Change.Signer, false)
			}
		}
	}
	g.add(refs...)
	g.add(g.l.Store.Comments(space, path)...)
}

// rights notes the capabilities of a space that hold for a path, and with below those for what lies below it.
func (g *gathering) rights(space ident.Account, path ident.Path, below bool) {
	for _, id := range g.l.Store.Rights(space, "") {
		if r, err := g.l.get(id); err == nil && r.blob.Capability != nil {
			if c := r.blob.Capability; path.Within(c.Path) || below && c.Path.Within(path) {
				g.add(id)
			}
		}
	}
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
	if c, err := cid.Decode(text); err == nil && c.Prefix().Codec != cid.DagCBOR { // that would be a signed blob, of whatever space
		g.add(media.Parts(g.l.Store, c, MaxMaterial)...)
	}
}

// account notes what is known of an account: its profiles and its home document. Authors vouch for no others: of who else has written
// their home documents nothing more is noted.
func (g *gathering) account(a ident.Account, authors bool) {
	if g.homes[a] {
		return
	}
	g.homes[a] = true
	g.add(g.l.Store.Profiles(a)...)
	g.rights(a, "", false)
	g.document(a, "", authors)
}
