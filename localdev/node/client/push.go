package client

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"connectrpc.com/connect"
	"github.com/ipfs/go-cid"

	documents "mappe/localdev/node/api/documents/v3alpha"
	"mappe/localdev/node/api/documents/v3alpha/documentsconnect"
	p2p "mappe/localdev/node/api/p2p/v1alpha"
	"mappe/localdev/node/blob"
	"mappe/localdev/node/ident"
)

func (a *app) push(args []string) error {
	fs := flag.NewFlagSet("push", flag.ContinueOnError)
	recursive := fs.Bool("recursive", false, "documents below the addresses, too")
	rest, err := a.parse(fs, args)
	if err != nil {
		return err
	}
	if len(rest) < 2 {
		return fmt.Errorf("push: %w", errUsage)
	}
	target, resources := rest[0], rest[1:]
	site := ""
	addrs := strings.Split(target, ",")
	if strings.HasPrefix(target, "http://") || strings.HasPrefix(target, "https://") {
		site = strings.TrimSuffix(target, "/")
		if addrs, err = a.config(site); err != nil {
			return err
		}
	}
	last, err := a.announce(addrs, resources, *recursive)
	if err != nil {
		return err
	}
	fmt.Fprintf(a.err, "announced %d, known there %d, brought %d, failed %d\n", last.BlobsAnnounced, last.BlobsKnown,
		last.BlobsProcessed, last.BlobsFailed)
	if last.BlobsFailed > 0 {
		return fmt.Errorf("the node did not take %d of %d blobs", last.BlobsFailed, last.BlobsAnnounced)
	}
	return a.prove(site, addrs, resources, *recursive)
}

// announce pushes and gives the last figures.
func (a *app) announce(addrs, resources []string, recursive bool) (*p2p.AnnounceBlobsProgress, error) {
	stream, err := a.resources().PushResourcesToPeer(a.ctx,
		connect.NewRequest(&documents.PushResourcesToPeerRequest{Addrs: addrs, Resources: resources, Recursive: recursive}))
	if err != nil {
		return nil, err
	}
	defer stream.Close()
	last := &p2p.AnnounceBlobsProgress{}
	for stream.Receive() {
		if m := stream.Msg(); m.BlobsAnnounced > 0 {
			last = m
		}
	}
	return last, stream.Err()
}

// proof is a document that has to be at the target.
type proof struct {
	iri     ident.IRI
	version string
}

// prove reads the documents at the target, with recursive those below the addresses, too: an answer 200 of a push or of a page proves
// nothing. Where the target has no web address, a second push has to find every blob known there.
func (a *app) prove(site string, addrs, resources []string, recursive bool) error {
	for _, r := range resources {
		all, err := a.proofs(r, recursive)
		if err != nil {
			return err
		}
		if site == "" {
			again, err := a.announce(addrs, []string{r}, recursive)
			if err != nil {
				return err
			}
			if again.BlobsAnnounced == 0 || again.BlobsKnown < again.BlobsAnnounced {
				return fmt.Errorf("%s: the node did not keep %d of %d blobs", r, again.BlobsAnnounced-again.BlobsKnown,
					again.BlobsAnnounced)
			}
		}
		for _, p := range all {
			how := "every blob of it is known there"
			if site != "" {
				if how, err = a.read(site, p.iri, p.version); err != nil {
					return fmt.Errorf("hm://%s%s: not proven at %s: %w", p.iri.Account, p.iri.Path, site, err)
				}
			}
			fmt.Fprintf(a.out, "pushed hm://%s%s?v=%s (%s)\n", p.iri.Account, p.iri.Path, p.version, how)
		}
	}
	return nil
}

// proofs are the document at an address, and with recursive those below it. With these alone the address itself may have none.
func (a *app) proofs(resource string, recursive bool) ([]proof, error) {
	iri, err := ident.ParseIRI(resource)
	if err != nil {
		return nil, err
	}
	client, account := a.documents(), iri.Account.String()
	var out []proof
	here, err := client.GetDocument(a.ctx, connect.NewRequest(&documents.GetDocumentRequest{Account: account, Path: string(iri.Path)}))
	switch {
	case err == nil:
		out = append(out, proof{iri, here.Msg.Version})
	case !recursive || connect.CodeOf(err) != connect.CodeNotFound:
		return nil, err
	}
	for token := ""; recursive; {
		page, err := client.ListDirectory(a.ctx, connect.NewRequest(&documents.ListDirectoryRequest{Account: account,
			DirectoryPath: string(iri.Path), Recursive: true, PageSize: 500, PageToken: token}))
		if err != nil {
			return nil, err
		}
		for _, d := range page.Msg.Documents {
			out = append(out, proof{ident.IRI{Account: iri.Account, Path: ident.Path(d.Path)}, d.Version})
		}
		if token = page.Msg.NextPageToken; token == "" {
			break
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s: there is no document at or below the address that could be read", resource)
	}
	return out, nil
}

// read finds a version of a document at a web address: as the document itself, by the page's JSON or by the service, or else by the
// blobs of its head changes.
func (a *app) read(site string, iri ident.IRI, version string) (how string, err error) {
	var d struct{ Version string }
	page := site + (&url.URL{Path: "/hm/" + iri.Account.String() + string(iri.Path), RawQuery: "format=json"}).String()
	if raw, err := a.fetch(page); err == nil && json.Unmarshal(raw, &d) == nil && includes(d.Version, version) {
		return "read there by its page", nil
	}
	client := documentsconnect.NewDocumentsClient(&http.Client{Timeout: 20 * time.Second}, site, connect.WithGRPCWeb())
	there, err := client.GetDocument(a.ctx, connect.NewRequest(&documents.GetDocumentRequest{Account: iri.Account.String(),
		Path: string(iri.Path)}))
	if err == nil && includes(there.Msg.Version, version) {
		return "read there by the service", nil
	}
	for id := range strings.SplitSeq(version, ".") {
		raw, err := a.fetch(site + "/ipfs/" + id)
		if err != nil {
			return "", err
		}
		c, err := cid.Decode(id)
		if err != nil {
			return "", err
		}
		if err := blob.Matches(c, raw); err != nil {
			return "", errors.New("the blob there is another")
		}
	}
	return "its newest changes are there; the document itself could not be read", nil
}

// includes says whether a version has all heads of another.
func includes(there, here string) bool {
	heads := strings.Split(there, ".")
	for h := range strings.SplitSeq(here, ".") {
		if !slices.Contains(heads, h) {
			return false
		}
	}
	return true
}

// fetch gets a body of a web address that the user has named.
func (a *app) fetch(address string) ([]byte, error) {
	r, err := http.NewRequestWithContext(a.ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Accept", "application/json")
	answer, err := (&http.Client{Timeout: 20 * time.Second}).Do(r)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s answers %s", address, answer.Status)
	}
	return io.ReadAll(io.LimitReader(answer.Body, maxFile))
}

// config asks a node or gateway for the addresses of its peer.
func (a *app) config(site string) ([]string, error) {
	raw, err := a.fetch(site + "/hm/api/config")
	if err != nil {
		return nil, err
	}
	var c struct {
		PeerID string   `json:"peerId"`
		Addrs  []string `json:"addrs"`
	}
	if err := json.Unmarshal(raw, &c); err != nil || len(c.Addrs) == 0 {
		return nil, fmt.Errorf("%s/hm/api/config is no configuration of a node", site)
	}
	for i, addr := range c.Addrs {
		if !strings.Contains(addr, "/p2p/") {
			c.Addrs[i] = addr + "/p2p/" + c.PeerID
		}
	}
	return c.Addrs, nil
}
