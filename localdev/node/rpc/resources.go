package rpc

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/types/known/timestamppb"

	documents "mappe/localdev/node/api/documents/v3alpha"
	networking "mappe/localdev/node/api/networking/v1alpha"
	p2p "mappe/localdev/node/api/p2p/v1alpha"
	"mappe/localdev/node/ident"
	"mappe/localdev/node/peer"
)

type resourceServer struct{ *Server }

// address reads hm://... or the address of a web page, https://HOST/hm/ACCOUNT/PATH: the host is not asked.
func address(text string) (ident.IRI, error) {
	if strings.HasPrefix(text, "http://") || strings.HasPrefix(text, "https://") {
		u, err := url.Parse(text)
		if err != nil {
			return ident.IRI{}, err
		}
		rest, ok := strings.CutPrefix(u.Path, "/hm/")
		if !ok {
			return ident.IRI{}, fmt.Errorf("address %.200q: expected https://HOST/hm/ACCOUNT/PATH", text)
		}
		text = "hm://" + rest
		if u.RawQuery != "" {
			text += "?" + u.RawQuery
		}
	}
	return ident.ParseIRI(text)
}

func (s resourceServer) GetResource(
	_ context.Context, r *connect.Request[documents.GetResourceRequest],
) (*connect.Response[documents.Resource], error) {
	iri, err := address(r.Msg.Iri)
	if err != nil {
		return nil, status(err)
	}
	if iri.Latest {
		iri.Version = nil
	}
	f, err := s.version(iri.Account, iri.Path, iri.Version)
	if err != nil {
		return nil, status(err)
	}
	d, err := DocumentMessage(f)
	if err != nil {
		return nil, connect.NewError(connect.CodeFailedPrecondition, err)
	}
	return connect.NewResponse(&documents.Resource{Kind: &documents.Resource_Document{Document: d}, Version: d.Version}), nil
}

func (s resourceServer) PushResourcesToPeer(
	ctx context.Context, r *connect.Request[documents.PushResourcesToPeerRequest], out *connect.ServerStream[p2p.AnnounceBlobsProgress],
) error {
	var resources []ident.IRI
	for i, text := range r.Msg.Resources {
		iri, err := ident.ParseIRI(text)
		if err != nil {
			return refuse("resources[%d]: %w", i, err)
		}
		resources = append(resources, iri)
	}
	return status(s.Peers.Push(ctx, r.Msg.Addrs, resources, r.Msg.Recursive, out.Send))
}

func (s resourceServer) ForceSync(
	ctx context.Context, r *connect.Request[documents.ResourceForceSyncRequest],
) (*connect.Response[documents.ResourceForceSyncResponse], error) {
	if err := s.Peers.Sync(ctx, r.Msg.Url); err != nil {
		return nil, status(err)
	}
	return connect.NewResponse(&documents.ResourceForceSyncResponse{}), nil
}

type networkServer struct{ *Server }

func (s networkServer) Connect(
	ctx context.Context, r *connect.Request[networking.ConnectRequest],
) (*connect.Response[networking.ConnectResponse], error) {
	if _, err := s.Peers.Connect(ctx, r.Msg.Addrs); err != nil {
		return nil, status(err)
	}
	return connect.NewResponse(&networking.ConnectResponse{}), nil
}

func peerMessage(i peer.Info, since time.Time) *networking.PeerInfo {
	m := &networking.PeerInfo{Id: i.ID.String(), Addrs: i.Addrs, IsDirect: i.Direct, Protocol: i.Protocol,
		UpdatedAt: timestamppb.New(since), CreatedAt: timestamppb.New(since)}
	switch {
	case i.Connected:
		m.ConnectionStatus = networking.ConnectionStatus_CONNECTED
	case len(i.Addrs) > 0:
		m.ConnectionStatus = networking.ConnectionStatus_CAN_CONNECT
	}
	return m
}

func (s networkServer) GetPeerInfo(
	_ context.Context, r *connect.Request[networking.GetPeerInfoRequest],
) (*connect.Response[networking.PeerInfo], error) {
	i, err := s.Peers.Peer(r.Msg.DeviceId)
	if err != nil {
		return nil, status(err)
	}
	return connect.NewResponse(peerMessage(i, s.Started)), nil
}

func (s networkServer) ListPeers(
	_ context.Context, r *connect.Request[networking.ListPeersRequest],
) (*connect.Response[networking.ListPeersResponse], error) {
	n, after, err := page(r.Msg.PageSize, r.Msg.PageToken)
	if err != nil {
		return nil, status(err)
	}
	all := s.Peers.Peers()
	if after != "" {
		all = all[slices.IndexFunc(append(all, peer.Info{}), func(i peer.Info) bool { return i.ID == "" || i.ID.String() > after[1:] }):]
	}
	out := &networking.ListPeersResponse{}
	for _, i := range all {
		if len(out.Peers) == n {
			out.NextPageToken = token(out.Peers[n-1].Id)
			break
		}
		out.Peers = append(out.Peers, peerMessage(i, s.Started))
	}
	return connect.NewResponse(out), nil
}
