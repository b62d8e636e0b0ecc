package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
)

// connection is the writer's, with its statements compiled. They run without a context: a transaction is
// short and is never cut short.
type connection struct {
	conn                    *sql.Conn
	begin, commit, rollback *sql.Stmt
	find, insert, update    *sql.Stmt
}

func connect(db *sql.DB) (*connection, error) {
	conn, err := db.Conn(context.Background())
	if err != nil {
		return nil, err
	}
	c := &connection{conn: conn}
	for _, s := range []struct {
		stmt **sql.Stmt
		text string
	}{
		{&c.begin, `BEGIN IMMEDIATE`},
		{&c.commit, `COMMIT`},
		{&c.rollback, `ROLLBACK`},
		{&c.find, `SELECT rowid, version, due, value IS NOT NULL FROM records WHERE p = ? AND s = ?`},
		{&c.insert, `INSERT INTO records (p, s, version, due, value) VALUES (?, ?, ?, ?, ?)`},
		{&c.update, `UPDATE records SET version = ?, due = ?, value = ? WHERE rowid = ?`},
	} {
		if *s.stmt, err = conn.PrepareContext(context.Background(), s.text); err != nil {
			return nil, errors.Join(err, c.close())
		}
	}
	return c, nil
}

func (c *connection) close() error { return errors.Join(c.closeStatements(), c.conn.Close()) }

// discard closes the connection instead of giving it back to database/sql for another use.
func (c *connection) discard() {
	c.closeStatements()
	c.conn.Raw(func(any) error { return driver.ErrBadConn })
}

func (c *connection) closeStatements() error {
	var err error
	for _, stmt := range []*sql.Stmt{c.begin, c.commit, c.rollback, c.find, c.insert, c.update} {
		if stmt != nil {
			err = errors.Join(err, stmt.Close())
		}
	}
	return err
}
