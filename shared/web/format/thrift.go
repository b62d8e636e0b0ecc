package format

import "encoding/binary"

// The element types of Thrift's compact protocol that a Parquet footer needs.
const (
	thriftI32    = 5
	thriftI64    = 6
	thriftBinary = 8
	thriftList   = 9
	thriftStruct = 12
)

// thrift writes Thrift's compact protocol. Fields of a struct are written in rising order of their id.
type thrift struct {
	b    []byte
	last []int // last field id of each open struct
}

func (t *thrift) field(id, typ int) {
	top := len(t.last) - 1
	delta := id - t.last[top]
	t.last[top] = id
	if delta >= 1 && delta <= 15 {
		t.b = append(t.b, byte(delta<<4|typ))
		return
	}
	t.b = append(t.b, byte(typ))
	t.b = binary.AppendVarint(t.b, int64(id)) // zigzag
}

// open begins a struct: an element of a list, or the whole message.
func (t *thrift) open() { t.last = append(t.last, 0) }

func (t *thrift) close() {
	t.b = append(t.b, 0)
	t.last = t.last[:len(t.last)-1]
}

func (t *thrift) structField(id int, write func()) {
	t.field(id, thriftStruct)
	t.open()
	write()
	t.close()
}

func (t *thrift) i32(id, v int) {
	t.field(id, thriftI32)
	t.b = binary.AppendVarint(t.b, int64(v))
}

func (t *thrift) i64(id int, v int64) {
	t.field(id, thriftI64)
	t.b = binary.AppendVarint(t.b, v)
}

func (t *thrift) text(id int, s string) {
	t.field(id, thriftBinary)
	t.bytes(s)
}

func (t *thrift) bytes(s string) {
	t.b = binary.AppendUvarint(t.b, uint64(len(s)))
	t.b = append(t.b, s...)
}

// list writes the head of a list; n elements of the type follow.
func (t *thrift) list(id, typ, n int) {
	t.field(id, thriftList)
	if n < 15 {
		t.b = append(t.b, byte(n<<4|typ))
		return
	}
	t.b = append(t.b, byte(0xf0|typ))
	t.b = binary.AppendUvarint(t.b, uint64(n))
}
