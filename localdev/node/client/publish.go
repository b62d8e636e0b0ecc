package client

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"connectrpc.com/connect"

	documents "mappe/localdev/node/api/documents/v3alpha"
	"mappe/localdev/node/blocks"
	"mappe/localdev/node/ident"
)

// maxFile is the most bytes of a document's file.
const maxFile = 16 << 20

func (a *app) publish(args []string) error {
	fs := flag.NewFlagSet("publish", flag.ContinueOnError)
	key := fs.String("key", "", "`name` of the signing key (default: that of the account)")
	feed := fs.String("feed", "", "`URL` of a work feed whose entries are published")
	rest, err := a.parse(fs, args)
	if err != nil {
		return err
	}
	want := 2
	if *feed != "" {
		want = 1
	}
	if len(rest) != want {
		return fmt.Errorf("publish: %w", errUsage)
	}
	to, err := ident.ParseIRI(rest[want-1])
	if err != nil {
		return err
	}
	if *key == "" {
		*key = to.Account.String()
	}
	if *feed != "" {
		return a.publishFeed(*feed, to, *key)
	}
	draft, err := a.draft(rest[0])
	if err != nil {
		return fmt.Errorf("%s: %w", rest[0], err)
	}
	d, changed, err := a.write(to, draft, *key)
	if err != nil {
		return err
	}
	what := "published"
	if !changed {
		what = "unchanged"
	}
	fmt.Fprintf(a.out, "%s hm://%s%s?v=%s\n", what, d.Account, d.Path, d.Version)
	return nil
}

// draft reads a file: JSON by its name, or by its first character.
func (a *app) draft(name string) (*blocks.Draft, error) {
	in, err := a.open(name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	raw, err := io.ReadAll(io.LimitReader(in, maxFile+1))
	if err != nil {
		return nil, err
	}
	if len(raw) > maxFile {
		return nil, fmt.Errorf("the file has more than %d bytes", maxFile)
	}
	if strings.EqualFold(filepath.Ext(name), ".json") || name == "-" && bytes.HasPrefix(bytes.TrimSpace(raw), []byte(`{"`)) {
		return blocks.ParseJSON(raw)
	}
	return blocks.ParseMarkdown(raw)
}

// write makes the document at an address say what a draft says. changed is false where it did already.
func (a *app) write(to ident.IRI, draft *blocks.Draft, key string) (d *documents.Document, changed bool, err error) {
	client := a.documents()
	account, path := to.Account.String(), string(to.Path)
	old, err := client.GetDocument(a.ctx, connect.NewRequest(&documents.GetDocumentRequest{Account: account, Path: path}))
	var before *documents.Document
	switch {
	case err == nil:
		before = old.Msg
	case connect.CodeOf(err) != connect.CodeNotFound:
		return nil, false, err
	}
	changes, err := blocks.Changes(before, draft)
	if err != nil {
		return nil, false, err
	}
	if len(changes) == 0 {
		if before == nil {
			return nil, false, errors.New("the document is empty")
		}
		return before, false, nil
	}
	made, err := client.CreateDocumentChange(a.ctx, connect.NewRequest(&documents.CreateDocumentChangeRequest{Account: account, Path: path,
		BaseVersion: before.GetVersion(), Changes: changes, SigningKeyName: key}))
	if err != nil {
		return nil, false, err
	}
	return made.Msg, true, nil
}

func (a *app) get(args []string) error {
	fs := flag.NewFlagSet("get", flag.ContinueOnError)
	asJSON := fs.Bool("json", false, "block JSON in place of Markdown")
	rest, err := a.parse(fs, args)
	if err != nil {
		return err
	}
	if len(rest) != 1 {
		return fmt.Errorf("get: %w", errUsage)
	}
	r, err := a.resources().GetResource(a.ctx, connect.NewRequest(&documents.GetResourceRequest{Iri: rest[0]}))
	if err != nil {
		return err
	}
	d := r.Msg.GetDocument()
	if *asJSON {
		raw, err := blocks.JSON(d)
		if err != nil {
			return err
		}
		_, err = a.out.Write(append(raw, '\n'))
		return err
	}
	_, err = a.out.Write(blocks.Markdown(d.GetMetadata().GetFields()["name"].GetStringValue(), d))
	return err
}
