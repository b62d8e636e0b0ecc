package geopackage

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"

	"mappe/shared/geo/wkb"
)

// indexFormat is the version of the indexes that stand beside files.
const indexFormat = 1

// Index finds the rows of a layer in a box.
type Index struct {
	Made string // where the index was made, "" when it is the file's own

	db    *sql.DB // the file's, or that of the index beside it
	in    *sql.Stmt
	owned bool
}

// Index opens the layer's spatial index. A layer without one gets one beside the file, or, where that folder
// cannot be written, in the user's cache: one pass over the table, once.
func (l *Layer) Index(ctx context.Context) (*Index, error) {
	name, err := l.own(ctx)
	if err != nil {
		return nil, l.fault(err)
	}
	x := &Index{db: l.file.db}
	if name == "" {
		if x.Made, err = l.beside(ctx); err != nil {
			return nil, l.fault(err)
		}
		if x.db, err = open(x.Made, "mode=ro&immutable=1"); err != nil {
			return nil, l.fault(err)
		}
		name, x.owned = "box", true
	}
	x.in, err = x.db.PrepareContext(ctx,
		`SELECT id FROM `+quote(name)+` WHERE maxx >= ? AND minx <= ? AND maxy >= ? AND miny <= ? ORDER BY id`)
	if err != nil {
		return nil, l.fault(errors.Join(err, x.Close()))
	}
	return x, nil
}

func (l *Layer) fault(err error) error {
	return fmt.Errorf("%s: table %s: %w", l.file.Name, l.Table, err)
}

// Close closes an index that stands beside the file.
func (x *Index) Close() error {
	if !x.owned {
		return nil
	}
	return x.db.Close()
}

// In lists the rows whose box touches b, rising.
func (x *Index) In(ctx context.Context, b wkb.Box) ([]int64, error) {
	rows, err := x.in.QueryContext(ctx, b.MinX, b.MaxX, b.MinY, b.MaxY)
	if err != nil {
		return nil, err
	}
	defer rows.Close() // read only
	var out []int64
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		out = append(out, id)
	}
	return out, rows.Err()
}

// own is the name of the file's index of the layer, "" when it has none or an empty one.
func (l *Layer) own(ctx context.Context) (string, error) {
	var name string
	err := l.file.db.QueryRowContext(ctx, `SELECT name FROM sqlite_master WHERE type = 'table' AND lower(name) = ?`,
		strings.ToLower("rtree_"+l.Table+"_"+l.Column)).Scan(&name)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	var n int
	err = l.file.db.QueryRowContext(ctx, `SELECT count(*) FROM (SELECT id, minx, maxx, miny, maxy FROM `+quote(name)+` LIMIT 1)`).Scan(&n)
	if err != nil || n == 0 {
		return "", nil // a table of that name that is no index, or one that nobody filled
	}
	return name, nil
}

// Indexed says whether the file has a spatial index of the layer.
func (l *Layer) Indexed(ctx context.Context) (bool, error) {
	name, err := l.own(ctx)
	if err != nil {
		return false, l.fault(err)
	}
	return name != "", nil
}

// beside is the path of the index that stands beside the file, made when it is absent or of an older file.
func (l *Layer) beside(ctx context.Context) (string, error) {
	info, err := os.Stat(l.file.path)
	if err != nil {
		return "", err
	}
	made := fmt.Sprintf("%d %d %d", indexFormat, info.Size(), info.ModTime().UnixNano())
	sum := sha256.Sum256([]byte(l.file.path + "\x00" + strings.ToLower(l.Table)))
	name := fmt.Sprintf("%s.%x.index", l.file.Name, sum[:4])
	var failed error
	for _, dir := range []string{filepath.Dir(l.file.path), cacheDir()} {
		path := filepath.Join(dir, name)
		if indexOf(ctx, path) == made {
			return path, nil
		}
		if err := l.write(ctx, path, made); err == nil {
			return path, nil
		} else if failed == nil {
			failed = err
		}
	}
	return "", fmt.Errorf("it has no spatial index, and none can be made beside the file: %w", failed)
}

func cacheDir() string {
	if dir, err := os.UserCacheDir(); err == nil {
		return filepath.Join(dir, "mappe")
	}
	return filepath.Join(os.TempDir(), "mappe")
}

// indexOf says of which file an index is, "" if the index does not exist.
func indexOf(ctx context.Context, path string) (made string) {
	if _, err := os.Stat(path); err != nil {
		return ""
	}
	db, err := open(path, "mode=ro&immutable=1")
	if err != nil {
		return ""
	}
	defer db.Close() // read only
	if db.QueryRowContext(ctx, `SELECT made FROM file`).Scan(&made) != nil {
		return ""
	}
	return made
}

// write makes the index in a file of another name and gives it its name when it is whole.
func (l *Layer) write(ctx context.Context, path, made string) (err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.part")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name()) // after the rename there is nothing to remove
	if err := tmp.Close(); err != nil {
		return err
	}
	db, err := open(tmp.Name(), "_pragma=journal_mode(OFF)&_pragma=synchronous(OFF)")
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(1)
	err = errors.Join(l.fill(ctx, db, made), db.Close())
	if err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}

// fill walks the table once. Rows whose geometry is empty or cannot be read have no place: no box finds them.
func (l *Layer) fill(ctx context.Context, db *sql.DB, made string) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // after Commit this does nothing
	for _, s := range []string{`CREATE VIRTUAL TABLE box USING rtree(id, minx, maxx, miny, maxy)`, `CREATE TABLE file(made TEXT)`} {
		if _, err := tx.ExecContext(ctx, s); err != nil {
			return err
		}
	}
	add, err := tx.PrepareContext(ctx, `INSERT INTO box VALUES (?, ?, ?, ?, ?)`)
	if err != nil {
		return err
	}
	rows, err := l.file.db.QueryContext(ctx, `SELECT rowid, `+l.geometry()+` FROM `+quote(l.Table))
	if err != nil {
		return err
	}
	defer rows.Close() // read only
	for rows.Next() {
		var id int64
		var raw sql.RawBytes
		if err := rows.Scan(&id, &raw); err != nil {
			return err
		}
		b, ok, err := wkb.Bounds(raw)
		if err != nil || !ok || math.IsInf(b.MinX+b.MaxX+b.MinY+b.MaxY, 0) {
			continue
		}
		if _, err := add.ExecContext(ctx, id, b.MinX, b.MaxX, b.MinY, b.MaxY); err != nil {
			return err
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `INSERT INTO file VALUES (?)`, made); err != nil {
		return err
	}
	return tx.Commit()
}

// geometry is the SQL of the geometry's bytes, NULL for one too large to be read.
func (l *Layer) geometry() string {
	c := quote(l.Column)
	return fmt.Sprintf("iif(length(%s) <= %d, %s, NULL)", c, maxGeometry, c)
}
