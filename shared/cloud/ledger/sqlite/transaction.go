package sqlite

import (
	"database/sql"
	"errors"

	"mappe/shared/cloud/ledger"
)

// transaction is one transaction of the writer, at one time.
type transaction struct {
	*connection
	now int64
}

// row is what the file knows of a key; id 0: nothing.
type row struct {
	id, version, due int64
	live             bool
}

func (tx *transaction) look(key ledger.Key) (row, error) {
	var r row
	err := tx.find.QueryRow(key.Partition, key.Sort).Scan(&r.id, &r.version, &r.due, &r.live)
	if errors.Is(err, sql.ErrNoRows) {
		return row{}, nil
	}
	r.live = r.live && (r.due == 0 || r.due > tx.now)
	return r, err
}

// fits says whether a write that names version was may replace r.
func (r row) fits(was int64) bool {
	switch was {
	case ledger.Any:
		return true
	case ledger.Absent:
		return !r.live
	}
	return r.live && r.version == was
}

// put writes w's record; w.err is the outcome for the caller, the result what is wrong with the file.
func (tx *transaction) put(w *write) error {
	r, err := tx.look(w.record.Key)
	if err != nil {
		return err
	}
	if !r.fits(w.was) {
		w.err = ledger.ErrConflict
		return nil
	}
	value := w.record.Value
	if value == nil {
		value = []byte{} // NULL says that there is no record
	}
	w.version = r.version + 1
	return tx.set(w.record.Key, r.id, w.version, ledger.Nanos(w.record.Expires), value)
}

// delete leaves the version behind.
func (tx *transaction) delete(w *write) error {
	r, err := tx.look(w.record.Key)
	if err != nil {
		return err
	}
	switch {
	case w.was == ledger.Any && !r.live:
		return nil
	case !r.fits(w.was):
		w.err = ledger.ErrConflict
		return nil
	}
	return tx.set(w.record.Key, r.id, r.version+1, tx.now+int64(ledger.Remember), nil)
}

func (tx *transaction) set(key ledger.Key, id, version, due int64, value []byte) error {
	if id == 0 {
		_, err := tx.insert.Exec(key.Partition, key.Sort, version, due, value)
		return err
	}
	_, err := tx.update.Exec(version, due, value, id)
	return err
}
