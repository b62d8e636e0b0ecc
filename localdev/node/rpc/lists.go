package rpc

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"

	"connectrpc.com/connect"
	"github.com/ipfs/go-cid"

	documents "mappe/localdev/node/api/documents/v3alpha"
	"mappe/localdev/node/blob"
	"mappe/localdev/node/ident"
	"mappe/localdev/node/replay"
	"mappe/localdev/node/space"
)

const (
	// defaultPage and maxPage are the rows of a page.
	defaultPage = 30
	maxPage     = 500
)

// page reads a page's size and the token, which says after which row it begins.
func page(size int32, token string) (n int, after string, err error) {
	if size < 0 {
		return 0, "", fmt.Errorf("page_size %d: expected 0 to %d", size, maxPage)
	}
	n = min(int(size), maxPage)
	if n == 0 {
		n = defaultPage
	}
	raw, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil || len(raw) > 4096 {
		return 0, "", errors.New("page_token is not one of this node's")
	}
	return n, string(raw), nil
}

func token(row string) string { return base64.RawURLEncoding.EncodeToString([]byte("+" + row)) }

// Info is what lists say of a document.
func (s *Server) Info(f *space.Found) (*documents.DocumentInfo, error) {
	metadata, err := structOf(f.Attributes())
	if err != nil {
		return nil, err
	}
	first, last := f.Entries[0].Change, f.Entries[len(f.Entries)-1].Change
	i := &documents.DocumentInfo{Account: f.Space.String(), Path: string(f.Path), Metadata: metadata, CreateTime: timestamp(first.Time),
		UpdateTime: timestamp(last.Time), Genesis: f.Genesis.String(), Version: f.Heads.String(),
		Breadcrumbs:     s.breadcrumbs(f.Space, f.Path),
		GenerationInfo:  &documents.GenerationInfo{Genesis: f.Genesis.String(), Generation: f.Generation},
		ActivitySummary: &documents.ActivitySummary{LatestChangeTime: timestamp(last.Time)},
		Visibility:      documents.ResourceVisibility_RESOURCE_VISIBILITY_PUBLIC}
	for _, a := range f.Authors() {
		i.Authors = append(i.Authors, a.String())
	}
	i.ActivitySummary.CommentCount = int32(len(s.Library.Store.Comments(f.Space, f.Path)))
	content, err := f.Content()
	if err != nil {
		return nil, err
	}
	image := firstImage(content)
	i.FirstImageInContent = &image
	return i, nil
}

func firstImage(nodes []replay.Node) string {
	for _, n := range nodes {
		if n.Block.Type == "Image" && n.Block.Link != "" {
			return n.Block.Link
		}
		if link := firstImage(n.Children); link != "" {
			return link
		}
	}
	return ""
}

// breadcrumbs are the documents above a path, the home document first.
func (s *Server) breadcrumbs(a ident.Account, p ident.Path) []*documents.Breadcrumb {
	var out []*documents.Breadcrumb
	for i := range len(p) {
		if p[i] != '/' {
			continue
		}
		above := p[:i]
		b := &documents.Breadcrumb{Path: string(above), IsMissing: true}
		if f, err := s.Library.Document(a, above); err == nil {
			b.Name, b.IsMissing = f.Name(), false
		}
		out = append(out, b)
	}
	return out
}

func (s documentServer) GetDocumentInfo(
	_ context.Context, r *connect.Request[documents.GetDocumentInfoRequest],
) (*connect.Response[documents.DocumentInfo], error) {
	i, err := s.info(r.Msg)
	if err != nil {
		return nil, status(err)
	}
	return connect.NewResponse(i), nil
}

func (s documentServer) info(m *documents.GetDocumentInfoRequest) (*documents.DocumentInfo, error) {
	f, err := s.find(m.Account, m.Path, "")
	if err != nil {
		return nil, err
	}
	return s.Info(f)
}

func (s documentServer) BatchGetDocumentInfo(
	_ context.Context, r *connect.Request[documents.BatchGetDocumentInfoRequest],
) (*connect.Response[documents.BatchGetDocumentInfoResponse], error) {
	if len(r.Msg.Requests) > maxPage {
		return nil, refuse("requests: %d, at most %d are allowed", len(r.Msg.Requests), maxPage)
	}
	out := &documents.BatchGetDocumentInfoResponse{}
	for i, m := range r.Msg.Requests {
		info, err := s.info(m)
		if err != nil {
			return nil, status(fmt.Errorf("requests[%d]: %w", i, err))
		}
		out.Documents = append(out.Documents, info)
	}
	return connect.NewResponse(out), nil
}

// directory gives a page of the documents below a path, in the order of their paths. depth 0 is however deep.
func (s *Server) directory(a ident.Account, below ident.Path, depth, n int, after string) (out []*documents.DocumentInfo,
	next string, err error) {
	last := ""
	s.Library.EachPath(a, below, func(p ident.Path) bool {
		if after != "" && string(p) <= after[1:] {
			return true
		}
		if depth > 0 && strings.Count(strings.TrimPrefix(string(p), string(below)), "/") > depth {
			return true
		}
		f, e := s.Library.Document(a, p)
		if e != nil {
			return true // ended, moved or not complete: not in the list
		}
		if len(out) == n {
			next = token(last)
			return false
		}
		i, e := s.Info(f)
		if e != nil {
			err = e
			return false
		}
		out, last = append(out, i), string(p)
		return true
	})
	return out, next, err
}

func (s documentServer) ListDocuments(
	_ context.Context, r *connect.Request[documents.ListDocumentsRequest],
) (*connect.Response[documents.ListDocumentsResponse], error) {
	a, err := ident.ParseAccount(r.Msg.Account)
	if err != nil {
		return nil, status(err)
	}
	n, after, err := page(r.Msg.PageSize, r.Msg.PageToken)
	if err != nil {
		return nil, status(err)
	}
	list, next, err := s.directory(a, "", 0, n, after)
	if err != nil {
		return nil, status(err)
	}
	return connect.NewResponse(&documents.ListDocumentsResponse{Documents: list, NextPageToken: next}), nil
}

func (s documentServer) ListDirectory(
	_ context.Context, r *connect.Request[documents.ListDirectoryRequest],
) (*connect.Response[documents.ListDirectoryResponse], error) {
	a, below, err := place(r.Msg.Account, r.Msg.DirectoryPath)
	if err != nil {
		return nil, status(err)
	}
	if o := r.Msg.SortOptions; o != nil && (o.Descending || o.Attribute != "" && o.Attribute != "path") {
		return nil, refuse("sort_options: this node sorts by path, rising")
	}
	n, after, err := page(r.Msg.PageSize, r.Msg.PageToken)
	if err != nil {
		return nil, status(err)
	}
	depth := 1
	if r.Msg.Recursive {
		depth = 0
	}
	list, next, err := s.directory(a, below, depth, n, after)
	if err != nil {
		return nil, status(err)
	}
	list = slices.DeleteFunc(list, func(i *documents.DocumentInfo) bool { return i.Path == string(below) })
	return connect.NewResponse(&documents.ListDirectoryResponse{Documents: list, NextPageToken: next}), nil
}

func (s documentServer) ListRootDocuments(
	_ context.Context, r *connect.Request[documents.ListRootDocumentsRequest],
) (*connect.Response[documents.ListRootDocumentsResponse], error) {
	n, after, err := page(r.Msg.PageSize, r.Msg.PageToken)
	if err != nil {
		return nil, status(err)
	}
	out := &documents.ListRootDocumentsResponse{}
	for _, a := range s.Library.Store.Spaces() {
		if after != "" && string(a) <= after[1:] {
			continue
		}
		f, err := s.Library.Document(a, "")
		if err != nil {
			continue
		}
		if len(out.Documents) == n {
			last, _ := ident.ParseAccount(out.Documents[n-1].Account) // it was printed here
			out.NextPageToken = token(string(last))
			break
		}
		i, err := s.Info(f)
		if err != nil {
			return nil, status(err)
		}
		out.Documents = append(out.Documents, i)
	}
	return connect.NewResponse(out), nil
}

func changeInfo(id cid.Cid, c *blob.Change) *documents.DocumentChangeInfo {
	i := &documents.DocumentChangeInfo{Id: id.String(), Author: c.Signer.String(), CreateTime: timestamp(c.Time)}
	for _, dep := range c.Deps {
		i.Deps = append(i.Deps, dep.String())
	}
	return i
}

func (s documentServer) ListDocumentChanges(
	_ context.Context, r *connect.Request[documents.ListDocumentChangesRequest],
) (*connect.Response[documents.ListDocumentChangesResponse], error) {
	f, err := s.find(r.Msg.Account, r.Msg.Path, r.Msg.Version)
	if err != nil {
		return nil, status(err)
	}
	n, after, err := page(r.Msg.PageSize, r.Msg.PageToken)
	if err != nil {
		return nil, status(err)
	}
	out := &documents.ListDocumentChangesResponse{}
	begun := after == ""
	for _, e := range slices.Backward(f.Entries) { // the newest first
		if !begun {
			begun = e.ID.String() == after[1:]
			continue
		}
		if len(out.Changes) == n {
			out.NextPageToken = token(out.Changes[n-1].Id)
			break
		}
		out.Changes = append(out.Changes, changeInfo(e.ID, e.Change))
	}
	return connect.NewResponse(out), nil
}

// blob finds a blob of a type.
func (s *Server) blob(id string) (cid.Cid, *blob.Blob, error) {
	c, err := cid.Decode(id)
	if err != nil {
		return c, nil, fmt.Errorf("id %.100q: %w", id, err)
	}
	b, err := s.Library.Store.Blob(c)
	return c, b, err
}

func (s documentServer) GetDocumentChange(
	_ context.Context, r *connect.Request[documents.GetDocumentChangeRequest],
) (*connect.Response[documents.DocumentChangeInfo], error) {
	id, b, err := s.blob(r.Msg.Id)
	if err != nil {
		return nil, status(err)
	}
	if b.Change == nil {
		return nil, refuse("id: %s is a %s", id, b.Type)
	}
	return connect.NewResponse(changeInfo(id, b.Change)), nil
}

func (s documentServer) GetRef(_ context.Context, r *connect.Request[documents.GetRefRequest]) (*connect.Response[documents.Ref], error) {
	id, b, err := s.blob(r.Msg.Id)
	if err != nil {
		return nil, status(err)
	}
	if b.Ref == nil {
		return nil, refuse("id: %s is a %s", id, b.Type)
	}
	return connect.NewResponse(refMessage(id, b.Ref, b.Signer)), nil
}

func (s documentServer) ListRefs(
	_ context.Context, r *connect.Request[documents.ListRefsRequest],
) (*connect.Response[documents.ListRefsResponse], error) {
	a, p, err := place(r.Msg.Account, r.Msg.Path)
	if err != nil {
		return nil, status(err)
	}
	n, after, err := page(r.Msg.PageSize, r.Msg.PageToken)
	if err != nil {
		return nil, status(err)
	}
	out := &documents.ListRefsResponse{}
	begun := after == ""
	for _, id := range s.Library.Store.Refs(a, p) {
		if !begun {
			begun = id.String() == after[1:]
			continue
		}
		b, err := s.Library.Store.Blob(id)
		if err != nil || b.Ref == nil || !s.Library.Store.MayWrite(a, p, b.Signer) {
			continue
		}
		if len(out.Refs) == n {
			out.NextPageToken = token(out.Refs[n-1].Id)
			break
		}
		out.Refs = append(out.Refs, refMessage(id, b.Ref, b.Signer))
	}
	return connect.NewResponse(out), nil
}
