package rpc

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"connectrpc.com/connect"
	"github.com/ipfs/go-cid"
	"google.golang.org/protobuf/types/known/timestamppb"

	documents "mappe/localdev/node/api/documents/v3alpha"
	"mappe/localdev/node/blob"
	"mappe/localdev/node/ident"
	"mappe/localdev/node/replay"
	"mappe/localdev/node/space"
	"mappe/localdev/node/store"
)

type documentServer struct{ *Server }

// place reads the two names of a document.
func place(account, path string) (ident.Account, ident.Path, error) {
	a, err := ident.ParseAccount(account)
	if err != nil {
		return "", "", err
	}
	p, err := ident.ParsePath(path)
	return a, p, err
}

// find gives a document at a version, "" for the newest.
func (s *Server) find(account, path, version string) (*space.Found, error) {
	a, p, err := place(account, path)
	if err != nil {
		return nil, err
	}
	v, err := ident.ParseVersion(version)
	if err != nil {
		return nil, err
	}
	return s.version(a, p, v)
}

func (s *Server) version(a ident.Account, p ident.Path, v ident.Version) (*space.Found, error) {
	f, err := s.Library.Document(a, p)
	if err != nil || len(v) == 0 || v.Equal(f.Heads) {
		return f, err
	}
	old := *f
	if old.Document, err = f.At(v); err != nil {
		return nil, connect.NewError(connect.CodeNotFound, err)
	}
	return &old, nil
}

func redirected(m *space.Moved) error {
	err := connect.NewError(connect.CodeFailedPrecondition, m)
	if d, e := connect.NewErrorDetail(&documents.RedirectErrorDetails{TargetAccount: m.Space.String(),
		TargetPath: string(m.Path), Republish: m.Republish}); e == nil {
		err.AddDetail(d)
	}
	return err
}

func (s documentServer) GetDocument(
	_ context.Context, r *connect.Request[documents.GetDocumentRequest],
) (*connect.Response[documents.Document], error) {
	f, err := s.find(r.Msg.Account, r.Msg.Path, r.Msg.Version)
	if err != nil {
		return nil, status(err)
	}
	return document(f)
}

func document(f *space.Found) (*connect.Response[documents.Document], error) {
	d, err := DocumentMessage(f)
	if err != nil {
		return nil, connect.NewError(connect.CodeFailedPrecondition, err)
	}
	return connect.NewResponse(d), nil
}

// changing is what PrepareChange and CreateDocumentChange have in common.
type changing interface {
	GetAccount() string
	GetPath() string
	GetBaseVersion() string
	GetCapability() string
	GetVisibility() documents.ResourceVisibility
	GetChanges() []*documents.DocumentChange
}

// draft reads a request and gives its operations.
func (s documentServer) draft(m changing) (*space.Draft, []blob.Op, error) {
	base, capability, changes := m.GetBaseVersion(), m.GetCapability(), m.GetChanges()
	a, p, err := place(m.GetAccount(), m.GetPath())
	if err != nil {
		return nil, nil, err
	}
	if m.GetVisibility() == documents.ResourceVisibility_RESOURCE_VISIBILITY_PRIVATE {
		return nil, nil, fmt.Errorf("visibility: private documents are not kept by this node, which would serve them to everyone")
	}
	if capability != "" {
		if _, err := cid.Decode(capability); err != nil {
			return nil, nil, fmt.Errorf("capability: %w", err)
		}
	}
	if len(changes) == 0 {
		return nil, nil, fmt.Errorf("changes is empty")
	}
	v, err := ident.ParseVersion(base)
	if err != nil {
		return nil, nil, err
	}
	d, err := s.Library.Begin(a, p, v)
	if err != nil {
		return nil, nil, err
	}
	e := d.Edit()
	for i, c := range changes {
		if err := change(e, c); err != nil {
			return nil, nil, fmt.Errorf("changes[%d]: %w", i, err)
		}
	}
	ops := e.Ops()
	if len(ops) == 0 {
		return nil, nil, fmt.Errorf("changes: nothing differs from version %s", base)
	}
	return d, ops, nil
}

// change adds a step to an edit.
func change(e *replay.Edit, c *documents.DocumentChange) error {
	switch op := c.Op.(type) {
	case *documents.DocumentChange_SetMetadata_:
		return setKey(e, []string{op.SetMetadata.Key}, op.SetMetadata.Value)
	case *documents.DocumentChange_MoveBlock_:
		return e.Move(op.MoveBlock.BlockId, op.MoveBlock.Parent, op.MoveBlock.LeftSibling)
	case *documents.DocumentChange_ReplaceBlock:
		if err := checkType(op.ReplaceBlock); err != nil {
			return err
		}
		b, err := blockOf(op.ReplaceBlock)
		if err != nil {
			return err
		}
		return e.Replace(b)
	case *documents.DocumentChange_DeleteBlock:
		return e.Delete(op.DeleteBlock)
	case *documents.DocumentChange_SetAttribute_:
		return setAttribute(e, op.SetAttribute)
	}
	return fmt.Errorf("op is missing")
}

var pascalCase = regexp.MustCompile(`^[A-Z][A-Za-z0-9]*$`)

// checkType refuses blocks whose text no reader would show.
func checkType(b *documents.Block) error {
	if !pascalCase.MatchString(b.GetType()) {
		return fmt.Errorf("block %.40q has the type %.40q: expected a name like Paragraph, with a capital letter first; readers show nothing else", b.GetId(), b.GetType())
	}
	return nil
}

func setKey(e *replay.Edit, key []string, value any) error {
	for _, k := range key {
		if strings.Contains(k, ".") {
			return fmt.Errorf("key %.40q: parts of a key have no dot", k)
		}
	}
	return e.Set(key, value)
}

func setAttribute(e *replay.Edit, a *documents.DocumentChange_SetAttribute) error {
	if a.BlockId != "" {
		return fmt.Errorf("block_id %.40q: only attributes of the document can be set; a block is replaced as a whole", a.BlockId)
	}
	switch v := a.Value.(type) {
	case *documents.DocumentChange_SetAttribute_StringValue:
		return setKey(e, a.Key, v.StringValue)
	case *documents.DocumentChange_SetAttribute_IntValue:
		return setKey(e, a.Key, v.IntValue)
	case *documents.DocumentChange_SetAttribute_BoolValue:
		return setKey(e, a.Key, v.BoolValue)
	case *documents.DocumentChange_SetAttribute_NullValue:
		return setKey(e, a.Key, nil)
	}
	return fmt.Errorf("value is missing")
}

func (s documentServer) PrepareChange(
	_ context.Context, r *connect.Request[documents.PrepareChangeRequest],
) (*connect.Response[documents.PrepareChangeResponse], error) {
	m := r.Msg
	d, ops, err := s.draft(m)
	if err != nil {
		return nil, status(err)
	}
	if d.Path == "" && len(d.Base) == 0 {
		return nil, status(fmt.Errorf(
			"%w is missing: a home document begins with a change of time 0 without a body, signed and stored by its owner", space.ErrBase))
	}
	c, err := s.Library.Change(d, ops, 0)
	if err != nil {
		return nil, status(err)
	}
	raw, err := blob.Unsigned(c.Fields())
	if err != nil {
		return nil, status(err)
	}
	return connect.NewResponse(&documents.PrepareChangeResponse{UnsignedChange: raw}), nil
}

// signer finds a key.
func (s *Server) signer(name string) (space.Signer, error) {
	if name == "" {
		return space.Signer{}, fmt.Errorf("signing_key_name is missing")
	}
	k, err := s.Keys.Get(name)
	if err != nil {
		return space.Signer{}, err
	}
	return space.Signer{Account: k.Account, Sign: func(data []byte) ([]byte, error) { return s.Keys.Sign(k.Name, data) }}, nil
}

// at is the time of a request in milliseconds, 0 for none.
func at(t *timestamppb.Timestamp) (int64, error) {
	if t == nil {
		return 0, nil
	}
	if err := t.CheckValid(); err != nil {
		return 0, fmt.Errorf("timestamp: %w", err)
	}
	ms := t.AsTime().UnixMilli()
	if ms <= 0 || ms >= blob.MaxTime {
		return 0, fmt.Errorf("timestamp: expected a time after 1970")
	}
	return ms, nil
}

func (s documentServer) CreateDocumentChange(
	_ context.Context, r *connect.Request[documents.CreateDocumentChangeRequest],
) (*connect.Response[documents.Document], error) {
	m := r.Msg
	signer, err := s.signer(m.SigningKeyName)
	if err != nil {
		return nil, status(err)
	}
	ms, err := at(m.Timestamp)
	if err != nil {
		return nil, status(err)
	}
	d, ops, err := s.draft(m)
	if err == nil {
		err = s.Library.Write(d, ops, signer, ms)
	}
	if err != nil {
		return nil, status(err)
	}
	f, err := s.Library.Document(d.Space, d.Path)
	if err != nil {
		return nil, status(err)
	}
	return document(f)
}

func (s documentServer) CreateRef(
	_ context.Context, r *connect.Request[documents.CreateRefRequest],
) (*connect.Response[documents.Ref], error) {
	ref, signer, err := s.ref(r.Msg)
	if err != nil {
		return nil, status(err)
	}
	data, err := s.Library.SignRef(ref, signer)
	if err != nil {
		return nil, status(err)
	}
	ids, err := s.Library.Store.Put(store.Item{Data: data})
	if err != nil {
		return nil, status(err)
	}
	return connect.NewResponse(refMessage(ids[0], ref, signer.Account)), nil
}

// ref reads a request for a ref.
func (s documentServer) ref(m *documents.CreateRefRequest) (*blob.Ref, space.Signer, error) {
	var none space.Signer
	a, p, err := place(m.Account, m.Path)
	if err != nil {
		return nil, none, err
	}
	signer, err := s.signer(m.SigningKeyName)
	if err != nil {
		return nil, none, err
	}
	if m.Visibility == documents.ResourceVisibility_RESOURCE_VISIBILITY_PRIVATE {
		return nil, none, fmt.Errorf("visibility: private documents are not kept by this node, which would serve them to everyone")
	}
	ref := &blob.Ref{Signer: signer.Account, Space: a, Path: p, Generation: m.Generation}
	if ref.Time, err = at(m.Timestamp); err != nil {
		return nil, none, err
	}
	if m.Capability != "" {
		if ref.Capability, err = cid.Decode(m.Capability); err != nil {
			return nil, none, fmt.Errorf("capability: %w", err)
		}
	}
	return ref, signer, s.target(ref, m.Target)
}

// target fills in what a ref points to.
func (s documentServer) target(ref *blob.Ref, t *documents.RefTarget) error {
	generation, genesis, exists := s.Library.Claims(ref.Space, ref.Path)
	switch t := t.GetTarget().(type) {
	case *documents.RefTarget_Version_:
		var err error
		if ref.Genesis, err = cid.Decode(t.Version.GetGenesis()); err != nil {
			return fmt.Errorf("target.version.genesis: %w", err)
		}
		heads, err := ident.ParseVersion(t.Version.GetVersion())
		if err != nil || len(heads) == 0 {
			return fmt.Errorf("target.version: expected head changes: %w", err)
		}
		d, err := s.Library.Load(heads)
		if err != nil {
			return err
		}
		if !d.Entries[0].ID.Equals(ref.Genesis) {
			return fmt.Errorf("target.version.genesis: the version begins with %s", d.Entries[0].ID)
		}
		ref.Heads = heads
		if exists && !genesis.Equals(ref.Genesis) && ref.Generation <= generation {
			return connect.NewError(connect.CodeFailedPrecondition,
				fmt.Errorf("the document of this path begins with another change: generation above %d is needed to replace it",
					generation))
		}
		if ref.Generation == 0 {
			ref.Generation = generation
		}
		if ref.Generation == 0 {
			ref.Generation = d.Entries[len(d.Entries)-1].Change.Time
		}
		return nil
	case *documents.RefTarget_Tombstone_:
		if ref.Path == "" {
			return fmt.Errorf("target: a home document is not ended")
		}
		if !exists {
			return space.ErrNotFound
		}
		ref.Genesis, ref.Generation = genesis, max(ref.Generation, generation)
		return nil
	case *documents.RefTarget_Redirect_:
		return s.redirect(ref, t.Redirect, generation)
	}
	return fmt.Errorf("target is missing")
}

func (s documentServer) redirect(ref *blob.Ref, t *documents.RefTarget_Redirect, generation int64) error {
	to := &blob.Redirect{Republish: t.GetRepublish(), Space: ref.Space}
	var err error
	if t.GetAccount() != "" {
		if to.Space, err = ident.ParseAccount(t.GetAccount()); err != nil {
			return fmt.Errorf("target.redirect: %w", err)
		}
	}
	if to.Path, err = ident.ParsePath(t.GetPath()); err != nil {
		return fmt.Errorf("target.redirect: %w", err)
	}
	if to.Space == ref.Space && to.Path == ref.Path || ref.Path == "" {
		return fmt.Errorf("target.redirect: a document is not redirected to itself, nor a home document at all")
	}
	f, err := s.Library.Document(to.Space, to.Path)
	if err != nil {
		return fmt.Errorf("target.redirect: %w", err)
	}
	ref.Redirect, ref.Genesis = to, f.Genesis
	if ref.Generation == 0 {
		ref.Generation = max(generation+1, f.Entries[len(f.Entries)-1].Change.Time)
	}
	return nil
}

func refMessage(id cid.Cid, r *blob.Ref, signer ident.Account) *documents.Ref {
	m := &documents.Ref{Id: id.String(), Account: r.Space.String(), Path: string(r.Path), Signer: signer.String(),
		Timestamp:      timestamp(r.Time),
		GenerationInfo: &documents.GenerationInfo{Genesis: r.Genesis.String(), Generation: r.Generation}}
	if r.Capability.Defined() {
		m.Capability = r.Capability.String()
	}
	switch {
	case r.Redirect != nil:
		to := r.Redirect.Space
		if to == "" {
			to = r.Space
		}
		m.Target = &documents.RefTarget{Target: &documents.RefTarget_Redirect_{Redirect: &documents.RefTarget_Redirect{
			Account: to.String(), Path: string(r.Redirect.Path), Republish: r.Redirect.Republish}}}
	case r.Tombstone():
		m.Target = &documents.RefTarget{Target: &documents.RefTarget_Tombstone_{Tombstone: &documents.RefTarget_Tombstone{}}}
	default:
		m.Target = &documents.RefTarget{Target: &documents.RefTarget_Version_{Version: &documents.RefTarget_Version{
			Genesis: r.Genesis.String(), Version: ident.NewVersion(r.Heads...).String()}}}
	}
	return m
}
