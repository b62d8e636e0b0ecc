package national

import "context"

type WarmReport struct{}

func (c *Cloud) warm(ctx context.Context) (CloudAnswer, error) { return CloudAnswer{}, nil }
