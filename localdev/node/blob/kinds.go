package blob

import (
	"errors"
	"fmt"

	"github.com/ipfs/go-cid"

	"mappe/localdev/node/ident"
)

// Role is what a capability allows.
type Role string

// The roles: a writer writes documents below the path, an agent does what the owner may.
const (
	Writer Role = "WRITER"
	Agent  Role = "AGENT"
)

// Ref says which changes a document at a place is made of.
type Ref struct {
	Signer ident.Account
	Time   int64

	Space      ident.Account
	Path       ident.Path
	Genesis    cid.Cid
	Capability cid.Cid
	Heads      []cid.Cid // none in a redirect and in a tombstone
	Redirect   *Redirect
	Generation int64
	Private    bool
}

// Redirect sends readers of a document to another one.
type Redirect struct {
	Space     ident.Account // empty: that of the ref
	Path      ident.Path
	Republish bool
}

// Tombstone says whether the ref ends its document.
func (r *Ref) Tombstone() bool { return len(r.Heads) == 0 && r.Redirect == nil }

func readRef(f *fields) *Ref {
	r := &Ref{Space: f.account("space"), Path: f.path("path"), Genesis: f.link("genesisBlob"), Capability: f.link("capability"),
		Heads: f.links("heads", ident.MaxHeads), Generation: f.number("generation", 0, MaxTime), Private: f.visibility()}
	f.within("redirect", func(g *fields) {
		r.Redirect = &Redirect{Space: g.account("space"), Path: g.path("path"), Republish: g.flag("republish")}
	})
	switch {
	case f.err != nil:
	case !r.Genesis.Defined():
		f.err = errors.New("genesisBlob is missing")
	case r.Redirect != nil && len(r.Heads) > 0:
		f.err = errors.New("a ref has heads or a redirect")
	case r.Path == "" && len(r.Heads) == 0:
		f.err = errors.New("a home document is neither redirected nor ended")
	}
	return r
}

// Fields are those of the map, for Sign. The signer is needed because a space that is his is left out.
func (r *Ref) Fields(signer ident.Account) map[string]any {
	m := map[string]any{"type": string(TypeRef), "ts": r.Time, "genesisBlob": r.Genesis, "heads": linkList(r.Heads)}
	if r.Space != signer {
		m["space"] = r.Space.Bytes()
	}
	if r.Path != "" {
		m["path"] = string(r.Path)
	}
	if r.Capability.Defined() {
		m["capability"] = r.Capability
	}
	if r.Generation != 0 {
		m["generation"] = r.Generation
	}
	if d := r.Redirect; d != nil {
		to := map[string]any{}
		if d.Space != "" && d.Space != r.Space {
			to["space"] = d.Space.Bytes()
		}
		if d.Path != "" {
			to["path"] = string(d.Path)
		}
		if d.Republish {
			to["republish"] = true
		}
		m["redirect"] = to
	}
	return m
}

func linkList(links []cid.Cid) []any {
	out := make([]any, len(links))
	for i, c := range links {
		out[i] = c
	}
	return out
}

// Capability is a right that the signer, the owner of a space, gives to another account.
type Capability struct {
	Signer   ident.Account
	Delegate ident.Account
	Audience ident.Account
	Path     ident.Path
	Role     Role
}

func readCapability(f *fields) *Capability {
	c := &Capability{Delegate: f.account("delegate"), Audience: f.account("audience"), Path: f.path("path"), Role: f.role()}
	f.label("label", 512)
	f.need("delegate")
	return c
}

// Allows says whether the right holds for a document of the space. One with an audience serves to sign in elsewhere.
func (c *Capability) Allows(space, who ident.Account, path ident.Path) bool {
	return c.Signer == space && c.Delegate == who && c.Audience == "" && path.Within(c.Path)
}

// Profile is what an account tells of itself.
type Profile struct {
	Account ident.Account
	Alias   ident.Account
	Name    string
	Avatar  string
}

func readProfile(f *fields) *Profile {
	p := &Profile{Account: f.account("account"), Alias: f.account("alias"), Name: f.label("name", 512), Avatar: f.label("avatar", 2048)}
	about := f.label("description", 512)
	if p.Alias != "" && p.Name+p.Avatar+about != "" && f.err == nil {
		f.err = errors.New("a profile has an alias or a name")
	}
	return p
}

// Comment is said about a document.
type Comment struct {
	ID      string
	Space   ident.Account
	Path    ident.Path
	Version []cid.Cid
	Private bool
	Links   []cid.Cid // the comments that it answers
}

func readComment(f *fields) *Comment {
	c := &Comment{ID: f.label("id", 64), Space: f.account("space"), Path: f.path("path"), Version: f.links("version", ident.MaxHeads)}
	for _, key := range []string{"capability", "threadRoot", "replyParent"} {
		if l := f.link(key); l.Defined() {
			c.Links = append(c.Links, l)
		}
	}
	for i, v := range f.list("body") {
		if err := commentBlock(v); err != nil && f.err == nil {
			f.err = fmt.Errorf("body[%d]: %w", i, err)
		}
	}
	c.Private = f.visibility()
	return c
}

// commentBlock checks a block of a comment: a block with children at the level of its fields.
func commentBlock(v any) error {
	m, ok := v.(map[string]any)
	if !ok {
		return errors.New("expected a map")
	}
	children, ok := m["children"].([]any)
	if m["children"] != nil && !ok {
		return errors.New("children: expected a list")
	}
	for i, child := range children {
		if err := commentBlock(child); err != nil {
			return fmt.Errorf("children[%d]: %w", i, err)
		}
	}
	return nil
}

// Contact is what an account notes of another.
type Contact struct {
	Account, Subject ident.Account
}

func readContact(f *fields) *Contact {
	c := &Contact{Account: f.account("account"), Subject: f.account("subject")}
	f.label("id", 64)
	f.label("name", 512)
	f.within("subscribe", func(g *fields) { g.flag("site"); g.flag("profile") })
	return c
}
