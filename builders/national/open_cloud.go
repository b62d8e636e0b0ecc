package national

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"mappe/builders/archive"
	"mappe/builders/source/mirror"
	"mappe/shared/cloud/repository"
	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/storeurl"
)

// OpenCloud reads a rebuild's setting from the environment:
//
//	MAPPE_STORE   where artefacts are published
//	MAPPE_RUNS    where runs note what they did
//	MAPPE_SOURCE  the raw source: a directory, or s3://bucket/prefix
//	MAPPE_REPOSITORY  optional address of the research repository, which evicted snapshots are copied back from
//	MAPPE_TILES   optional URL template of the tiles, with {tileset}, {z}, {x}, {y}
func OpenCloud(ctx context.Context, getenv func(string) string) (*Cloud, error) {
	var c Cloud
	var err error
	if c.Artefacts, err = OpenCloudStore(getenv); err != nil {
		return nil, err
	}
	if c.Runs, err = storeurl.Open(getenv("MAPPE_RUNS")); err != nil {
		return nil, fmt.Errorf("MAPPE_RUNS: %w", err)
	}
	repo, err := repository.FromEnvironment(getenv)
	if err != nil {
		return nil, err
	}
	if repo != nil {
		c.restore = archive.Archive{Store: c.Artefacts, Repository: repo}.Back
	}
	c.reopen = func(ctx context.Context) (*Source, error) { return OpenCloudSource(ctx, getenv) }
	c.Source, err = c.reopen(ctx)
	return &c, err
}

// OpenCloudStore opens the store that the environment names.
func OpenCloudStore(getenv func(string) string) (store.Store, error) {
	st, err := storeurl.Open(getenv("MAPPE_STORE"))
	if err != nil {
		return nil, fmt.Errorf("MAPPE_STORE: %w", err)
	}
	return st, nil
}

// OpenCloudSource opens the source that the environment names.
func OpenCloudSource(ctx context.Context, getenv func(string) string) (*Source, error) {
	opt := SourceOptions{Dir: getenv("MAPPE_SOURCE"), Tiles: getenv("MAPPE_TILES")}
	if strings.HasPrefix(opt.Dir, "s3://") {
		raw, err := storeurl.Open(opt.Dir)
		if err != nil {
			return nil, fmt.Errorf("MAPPE_SOURCE: %w", err)
		}
		// The directory lives as long as the function's environment: a later process finds the files.
		opt.Dir = filepath.Join(os.TempDir(), "mappe-source")
		if err := mirror.Copy(ctx, raw, opt.Dir); err != nil {
			return nil, fmt.Errorf("MAPPE_SOURCE: %w", err)
		}
		if opt.Tiles == "" {
			opt.Reader = mirror.Tiles{Store: raw}
		}
		opt.Epochs = mirror.Epochs{Store: raw}
		if opt.Rasters, err = mirror.OpenRasters(ctx, raw); err != nil {
			return nil, fmt.Errorf("MAPPE_SOURCE: %w", err)
		}
	}
	return OpenSource(ctx, opt)
}
