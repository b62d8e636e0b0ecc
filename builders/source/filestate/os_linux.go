package filestate

import (
	"io/fs"
	"strconv"
	"syscall"
	"time"
)

func of(info fs.FileInfo) (State, bool) {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return State{}, false
	}
	content, inode := info.ModTime(), time.Unix(st.Ctim.Unix())
	b := make([]byte, 0, 64)
	for _, v := range []int64{info.Size(), int64(st.Ino), content.UnixNano(), inode.UnixNano()} {
		b = append(strconv.AppendInt(b, v, 36), ' ')
	}
	s := State{Text: string(b[:len(b)-1]), Newest: content}
	if inode.After(content) {
		s.Newest = inode
	}
	return s, true
}
