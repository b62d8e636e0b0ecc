package rpc

import (
	"context"

	"connectrpc.com/connect"
	"github.com/ipfs/go-cid"
	"google.golang.org/protobuf/types/known/emptypb"
	"google.golang.org/protobuf/types/known/timestamppb"

	daemon "mappe/localdev/node/api/daemon/v1alpha"
	"mappe/localdev/node/ident"
	"mappe/localdev/node/keystore"
	"mappe/localdev/node/store"
)

type daemonServer struct{ *Server }

func (daemonServer) GenMnemonic(
	_ context.Context, r *connect.Request[daemon.GenMnemonicRequest],
) (*connect.Response[daemon.GenMnemonicResponse], error) {
	n := int(r.Msg.WordCount)
	if n == 0 {
		n = 12
	}
	words, err := ident.NewMnemonic(n)
	if err != nil {
		return nil, status(err)
	}
	return connect.NewResponse(&daemon.GenMnemonicResponse{Mnemonic: words}), nil
}

func named(k keystore.Key) *daemon.NamedKey {
	account := k.Account.String()
	return &daemon.NamedKey{PublicKey: account, Name: k.Name, AccountId: account}
}

func (s daemonServer) RegisterKey(
	_ context.Context, r *connect.Request[daemon.RegisterKeyRequest],
) (*connect.Response[daemon.NamedKey], error) {
	key, err := ident.DeriveKey(r.Msg.Mnemonic, r.Msg.Passphrase)
	if err != nil {
		return nil, status(err)
	}
	k, err := s.Keys.Add(r.Msg.Name, key)
	if err != nil {
		return nil, status(err)
	}
	return connect.NewResponse(named(k)), nil
}

func (s daemonServer) CreateKey(
	_ context.Context, r *connect.Request[daemon.CreateKeyRequest],
) (*connect.Response[daemon.CreateKeyResponse], error) {
	words, err := ident.NewMnemonic(12)
	if err != nil {
		return nil, status(err)
	}
	key, err := ident.DeriveKey(words, "")
	if err != nil {
		return nil, status(err)
	}
	k, err := s.Keys.Add(r.Msg.Name, key)
	if err != nil {
		return nil, status(err)
	}
	n := named(k)
	return connect.NewResponse(&daemon.CreateKeyResponse{PublicKey: n.PublicKey, Name: n.Name, AccountId: n.AccountId, Mnemonic: words}),
		nil
}

func (s daemonServer) ListKeys(
	context.Context, *connect.Request[daemon.ListKeysRequest],
) (*connect.Response[daemon.ListKeysResponse], error) {
	out := &daemon.ListKeysResponse{}
	for _, k := range s.Keys.List() {
		out.Keys = append(out.Keys, named(k))
	}
	return connect.NewResponse(out), nil
}

func (s daemonServer) UpdateKey(
	_ context.Context, r *connect.Request[daemon.UpdateKeyRequest],
) (*connect.Response[daemon.NamedKey], error) {
	k, err := s.Keys.Rename(r.Msg.CurrentName, r.Msg.NewName)
	if err != nil {
		return nil, status(err)
	}
	return connect.NewResponse(named(k)), nil
}

func (s daemonServer) DeleteKey(_ context.Context, r *connect.Request[daemon.DeleteKeyRequest]) (*connect.Response[emptypb.Empty], error) {
	return connect.NewResponse(&emptypb.Empty{}), status(s.Keys.Delete(r.Msg.Name))
}

func (s daemonServer) DeleteAllKeys(
	context.Context, *connect.Request[daemon.DeleteAllKeysRequest],
) (*connect.Response[emptypb.Empty], error) {
	return connect.NewResponse(&emptypb.Empty{}), status(s.Keys.DeleteAll())
}

func (s daemonServer) GetInfo(context.Context, *connect.Request[daemon.GetInfoRequest]) (*connect.Response[daemon.Info], error) {
	return connect.NewResponse(&daemon.Info{State: daemon.State_ACTIVE, PeerId: s.Peers.ID().String(),
		StartTime: timestamppb.New(s.Started), ProtocolId: s.Peers.Protocol()}), nil
}

func (s daemonServer) StoreBlobs(
	_ context.Context, r *connect.Request[daemon.StoreBlobsRequest],
) (*connect.Response[daemon.StoreBlobsResponse], error) {
	var items []store.Item
	for i, b := range r.Msg.Blobs {
		item := store.Item{Data: b.Data}
		if b.Cid != "" {
			var err error
			if item.ID, err = cid.Decode(b.Cid); err != nil {
				return nil, refuse("blobs[%d].cid: %w", i, err)
			}
		}
		items = append(items, item)
	}
	ids, err := s.Library.Store.Put(items...)
	if err != nil {
		return nil, status(err)
	}
	out := &daemon.StoreBlobsResponse{}
	for _, id := range ids {
		out.Cids = append(out.Cids, id.String())
	}
	return connect.NewResponse(out), nil
}

func (s daemonServer) SignData(
	_ context.Context, r *connect.Request[daemon.SignDataRequest],
) (*connect.Response[daemon.SignDataResponse], error) {
	if r.Msg.SigningKeyName == "" {
		return nil, refuse("signing_key_name is missing")
	}
	sig, err := s.Keys.Sign(r.Msg.SigningKeyName, r.Msg.Data)
	if err != nil {
		return nil, status(err)
	}
	return connect.NewResponse(&daemon.SignDataResponse{Signature: sig}), nil
}

func (s daemonServer) ForceSync(
	ctx context.Context, _ *connect.Request[daemon.ForceSyncRequest],
) (*connect.Response[emptypb.Empty], error) {
	return connect.NewResponse(&emptypb.Empty{}), status(s.Peers.SyncAll(ctx, s.Library.Store.Spaces()))
}
