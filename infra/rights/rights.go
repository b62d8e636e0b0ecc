// Package rights compares what functions do with what the template lets them: a Recorder notes which objects and records are read and
// written, Granted are the statements of a function's policies. A local store refuses nothing, so that a missing right would show in
// the cloud only, and a right that nobody uses would show nowhere.
package rights

import (
	"context"
	"fmt"
	"io"
	"iter"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"

	"gopkg.in/yaml.v3"

	"mappe/shared/cloud/ledger"
	"mappe/shared/cloud/store"
	"mappe/shared/glob"
)

// Right is an action on a resource as the template writes it: an object or a folder of a bucket, the bucket itself, or a partition of
// the ledger ("ledger job/*").
type Right struct{ Action, Resource string }

// Granted are the rights of a function to buckets and to the ledger.
type Granted struct {
	Function string
	used     map[Right]bool
}

// Load reads the rights of a function from the template. Statements that a condition of the template chooses are among them.
func Load(template, function string) (*Granted, error) {
	raw, err := os.ReadFile(template)
	if err != nil {
		return nil, err
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(raw, &doc); err != nil {
		return nil, err
	}
	resource := member(member(doc.Content[0], "Resources"), function)
	if resource == nil {
		return nil, fmt.Errorf("%s has no resource %s", template, function)
	}
	g := &Granted{Function: function, used: map[Right]bool{}}
	g.collect(member(member(resource, "Properties"), "Policies"))
	if len(g.used) == 0 {
		return nil, fmt.Errorf("%s has no rights to buckets or the ledger", function)
	}
	return g, nil
}

func member(n *yaml.Node, key string) *yaml.Node {
	if n == nil {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return target(n.Content[i+1])
		}
	}
	return nil
}

func target(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

func texts(n *yaml.Node) (out []string) {
	switch {
	case n == nil:
		return nil
	case n.Kind != yaml.SequenceNode:
		return []string{n.Value}
	}
	for _, c := range n.Content {
		out = append(out, target(c).Value)
	}
	return out
}

// resources are those of a statement, an attribute as !Sub writes it.
func resources(n *yaml.Node) (out []string) {
	list := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		list = n.Content
	}
	for _, c := range list {
		if c = target(c); c.Tag == "!GetAtt" {
			out = append(out, "${"+c.Value+"}")
			continue
		}
		out = append(out, c.Value)
	}
	return out
}

// collect takes the allowed statements below a node.
func (g *Granted) collect(n *yaml.Node) {
	if n == nil {
		return
	}
	n = target(n)
	if e := member(n, "Effect"); n.Kind == yaml.MappingNode && e != nil && e.Value == "Allow" {
		partitions := texts(member(member(member(n, "Condition"), "ForAllValues:StringLike"), "dynamodb:LeadingKeys"))
		for _, action := range texts(member(n, "Action")) {
			switch {
			case strings.HasPrefix(action, "dynamodb:"):
				for _, p := range partitions {
					g.used[Right{action, "ledger " + p}] = false
				}
			case strings.HasPrefix(action, "s3:"):
				for _, r := range resources(member(n, "Resource")) {
					g.used[Right{action, r}] = false
				}
			}
		}
		return
	}
	for _, c := range n.Content {
		g.collect(c)
	}
}

// Use says whether the function may do what was recorded, and notes the rights that let it.
func (g *Granted) Use(did Right) bool {
	may := false
	for r := range g.used {
		if r.Action == did.Action && glob.Match(r.Resource, did.Resource) {
			g.used[r], may = true, true
		}
	}
	return may
}

// Rights are all of the function, and whether they were used.
func (g *Granted) Rights() map[Right]bool { return maps.Clone(g.used) }

// Unused are the rights that nothing has used, in order.
func (g *Granted) Unused() (out []Right) {
	for r, used := range g.used {
		if !used {
			out = append(out, r)
		}
	}
	slices.SortFunc(out, func(a, b Right) int { return strings.Compare(a.Action+a.Resource, b.Action+b.Resource) })
	return out
}

type nameKey struct{}

// As is a context whose actions are noted under a name.
func As(ctx context.Context, name string) context.Context {
	return context.WithValue(ctx, nameKey{}, name)
}

// Recorder notes what is done. Actions of contexts without a name are noted under "".
type Recorder struct {
	mu   sync.Mutex
	done map[string]map[Right]bool // by name
}

func (r *Recorder) note(ctx context.Context, action, resource string) {
	name, _ := ctx.Value(nameKey{}).(string)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.done == nil {
		r.done = map[string]map[Right]bool{}
	}
	if r.done[name] == nil {
		r.done[name] = map[Right]bool{}
	}
	r.done[name][Right{action, resource}] = true
}

// Done is what was done under a name, in order.
func (r *Recorder) Done(name string) (out []Right) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for right := range r.done[name] {
		out = append(out, right)
	}
	slices.SortFunc(out, func(a, b Right) int { return strings.Compare(a.Action+a.Resource, b.Action+b.Resource) })
	return out
}

// Store is a store that stands for a folder of a bucket: Store(st, "${ArtefactBucket.Arn}", "artefacts/").
func (r *Recorder) Store(st store.Store, bucket, prefix string) store.Store {
	return recordedStore{st, r, bucket, prefix}
}

type recordedStore struct {
	store.Store
	r              *Recorder
	bucket, prefix string
}

func (s recordedStore) note(ctx context.Context, action, key string) {
	s.r.note(ctx, action, s.bucket+"/"+s.prefix+key)
}

// Get is the store's.
func (s recordedStore) Get(ctx context.Context, key string, o store.GetOptions) (*store.Object, error) {
	s.note(ctx, "s3:GetObject", key)
	out, err := s.Store.Get(ctx, key, o)
	s.missing(ctx, err)
	return out, err
}

// Head is the store's.
func (s recordedStore) Head(ctx context.Context, key string) (store.Info, error) {
	s.note(ctx, "s3:GetObject", key)
	out, err := s.Store.Head(ctx, key)
	s.missing(ctx, err)
	return out, err
}

// missing notes the right by which S3 says that an object is not there, instead of that it may not be read.
func (s recordedStore) missing(ctx context.Context, err error) {
	if err != nil {
		s.r.note(ctx, "s3:ListBucket", s.bucket)
	}
}

// Put is the store's.
func (s recordedStore) Put(ctx context.Context, key string, body []byte, o store.PutOptions) (store.Info, error) {
	s.note(ctx, "s3:PutObject", key)
	s.condition(ctx, key, o)
	return s.Store.Put(ctx, key, body, o)
}

// condition notes what S3's store does where a condition does not hold: it looks at the object, which may hold these very bytes, be its
// own of a request whose answer was lost, or be gone again. Who only wants to be the first asks for nothing: that another one was is told
// without the look too.
func (s recordedStore) condition(ctx context.Context, key string, o store.PutOptions) {
	if o.Immutable || o.IfMatch != "" && o.IfMatch != store.Absent {
		s.note(ctx, "s3:GetObject", key)
		s.r.note(ctx, "s3:ListBucket", s.bucket)
	}
}

// PutFrom is the store's; a large object is written in parts, which are taken away where one fails.
func (s recordedStore) PutFrom(ctx context.Context, key string, from io.ReaderAt, size int64, o store.PutOptions) (store.Info, error) {
	s.note(ctx, "s3:PutObject", key)
	s.note(ctx, "s3:AbortMultipartUpload", key)
	s.condition(ctx, key, o)
	return s.Store.PutFrom(ctx, key, from, size, o)
}

// List is the store's.
func (s recordedStore) List(ctx context.Context, prefix string) iter.Seq2[store.Info, error] {
	s.r.note(ctx, "s3:ListBucket", s.bucket)
	return s.Store.List(ctx, prefix)
}

// Delete is the store's.
func (s recordedStore) Delete(ctx context.Context, key string) error {
	s.note(ctx, "s3:DeleteObject", key)
	return s.Store.Delete(ctx, key)
}

// Ledger is a ledger whose partitions are noted, by the calls of DynamoDB that shared/cloud/ledger/dynamo makes for them.
func (r *Recorder) Ledger(l ledger.Ledger) ledger.Ledger { return recordedLedger{l, r} }

type recordedLedger struct {
	ledger.Ledger
	r *Recorder
}

// Get is the ledger's.
func (l recordedLedger) Get(ctx context.Context, key ledger.Key) (ledger.Record, error) {
	l.r.note(ctx, "dynamodb:GetItem", "ledger "+key.Partition)
	return l.Ledger.Get(ctx, key)
}

// Put is the ledger's.
func (l recordedLedger) Put(ctx context.Context, rec ledger.Record, was int64) (int64, error) {
	l.r.note(ctx, "dynamodb:UpdateItem", "ledger "+rec.Key.Partition)
	return l.Ledger.Put(ctx, rec, was)
}

// Delete is the ledger's.
func (l recordedLedger) Delete(ctx context.Context, key ledger.Key, was int64) error {
	l.r.note(ctx, "dynamodb:UpdateItem", "ledger "+key.Partition)
	return l.Ledger.Delete(ctx, key, was)
}

// Query is the ledger's.
func (l recordedLedger) Query(ctx context.Context, q ledger.Query) ([]ledger.Record, error) {
	l.r.note(ctx, "dynamodb:Query", "ledger "+q.Partition)
	return l.Ledger.Query(ctx, q)
}

// Compare holds a function's rights to what was done under a name. It gives what was done without a right, and the rights that were
// not used and are not named in spared, whose values are the reasons; a reason for a right that was used, or that the function does not
// have, is a difference too.
func Compare(g *Granted, done []Right, spared map[Right]string) (differences []string) {
	for _, d := range done {
		if !g.Use(d) {
			differences = append(differences, fmt.Sprintf("%s: has no right to %s %s", g.Function, d.Action, d.Resource))
		}
	}
	unused := g.Unused()
	for _, r := range unused {
		if spared[r] == "" {
			differences = append(differences, fmt.Sprintf("%s: never uses its right to %s %s", g.Function, r.Action, r.Resource))
		}
	}
	for r := range spared {
		if !slices.Contains(unused, r) {
			differences = append(differences, fmt.Sprintf("%s: the right to %s %s needs no reason", g.Function, r.Action, r.Resource))
		}
	}
	slices.Sort(differences)
	return differences
}
