package manuscript

// Matter is the order in which the sections of a book are set, as indexes into Book.Sections: that of the
// manuscript, but for what the press makes itself (half title, contents).
type Matter struct {
	Front []int // in front of the contents
	Late  []int // of the front, behind the contents
	Body  []int // and what follows it
}

// Matter gives the order. The contents stand where the manuscript has them in its front, else in front of the
// first foreword or preface.
func (b *Book) Matter() Matter {
	start, last := len(b.Sections), -1 // of the body; the last section of the front
	for i := range b.Sections {
		k := b.Sections[i].Kind
		if k > KindPreface && k != KindIndex {
			start = i
			break
		}
		if k.Front() {
			last = i
		}
	}
	contents := -1
	for i := start - 1; i >= 0; i-- {
		if b.Sections[i].Kind == KindContents {
			contents = i
		}
	}
	var m Matter
	for i := range b.Sections {
		switch k := b.Sections[i].Kind; {
		case k == KindContents || k == KindHalfTitle:
		case i > last:
			m.Body = append(m.Body, i)
		case contents >= 0 && i > contents, contents < 0 && (len(m.Late) > 0 || k == KindForeword || k == KindPreface):
			m.Late = append(m.Late, i)
		default:
			m.Front = append(m.Front, i)
		}
	}
	return m
}
