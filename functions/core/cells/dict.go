package cells

import (
	"context"
	"encoding/hex"
	"errors"
	"net/http"

	"mappe/artefacts/library"
	"mappe/functions/core/generation"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
	"mappe/shared/web/reply"
)

var dictID = endpoint.Parsed("id", "First 16 hexadecimal digits of the dictionary's SHA-256, as headers and X-NE-Dict name it.",
	func(text string) (string, error) {
		if b, err := hex.DecodeString(text); err != nil || len(b) != 8 || hex.EncodeToString(b) != text {
			return "", errors.New("16 hexadecimal digits, lower case")
		}
		return text, nil
	}, endpoint.Example(exampleDict))

func dict() endpoint.Endpoint {
	return endpoint.Endpoint{
		Method: "GET", Path: "/api/v1/ne/dict/{id}", ID: "ne_dict", Tag: tag,
		Summary: "A dictionary that frames are packed with",
		Doc:     "At most 16 KB, a zstd dictionary. It never changes: its name is its sum.",
		Params:  []endpoint.AnyParam{dictID},
		Answer:  endpoint.Answer{ContentType: "application/octet-stream", Headers: []endpoint.Header{{Name: "X-NE-Dict", Doc: "The id."}}},
		Cache:   endpoint.Immutable,
		ETag:    func(_ context.Context, r *endpoint.Request) (string, error) { return dictID.Of(r), nil },
		Example: "/api/v1/ne/dict/" + exampleDict,
		Serve: func(ctx context.Context, r *endpoint.Request) (reply.Answer, error) {
			s, err := sourceOf(ctx)
			if err != nil {
				return nil, err
			}
			d, err := s.CellDict(ctx, dictID.Of(r))
			if errors.Is(err, library.ErrGone) {
				return nil, fault.New(fault.NotFound, "there is no dictionary %s; /ne names the present one", dictID.Of(r))
			}
			if err != nil {
				return nil, generation.FaultOf(ctx, "the dictionary", err)
			}
			return &reply.Bytes{ContentType: "application/octet-stream", Body: d.Bytes, Header: dictHeaders(dictID.Of(r))}, nil
		},
	}
}

// dictHeaders name a dictionary; nothing where frames need none.
func dictHeaders(id string) http.Header {
	if id == "" {
		return http.Header{}
	}
	return http.Header{dictHeader: {id}}
}
