package sample

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// prose speaks one language.
type prose struct {
	*dice
	german bool
}

func capital(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}

// dash joins a sentence and an afterthought as the language does.
func (p *prose) dash() string {
	if p.german {
		return "\u00a0– "
	}
	return "—"
}

// quoted puts a text in quotation marks.
func (p *prose) quoted(s string) string {
	if p.german {
		return "„" + s + "“"
	}
	return "“" + s + "”"
}

func (p *prose) name() string {
	if p.german {
		return pick(p.dice, deNames)
	}
	return pick(p.dice, enNames)
}

// thing is a noun with article and adjective. kase is n, a or d.
func (p *prose) thing(kase string) string {
	if !p.german {
		article := "the "
		adjective := ""
		if p.chance(30) {
			adjective = pick(p.dice, enAdjectives) + " "
		}
		n := pick(p.dice, enNouns)
		if p.chance(30) {
			article = "a "
			if strings.ContainsRune("aeiou", rune((adjective + n)[0])) && !strings.HasPrefix(adjective+n, "uni") {
				article = "an "
			}
		}
		return article + adjective + n
	}
	n := pick(p.dice, deNouns)
	if p.chance(7) {
		h := pick(p.dice, deHeads)
		n = noun{h.gender, pick(p.dice, deFirst) + h.word}
	}
	key := kase + string(n.gender)
	article, ending := deDefinite[key], deWeak[key]
	if p.chance(30) {
		article, ending = deIndefinite[key], deStrong[key]
	}
	if p.chance(25) {
		a := pick(p.dice, deAdjectives)
		if strings.HasSuffix(a, "en") && len(a) > 6 && a != "golden" {
			// vergessen, verborgen: regular
			a += ""
		}
		return article + " " + inflect(a) + ending + " " + n.word
	}
	return article + " " + n.word
}

// inflect drops the e that German adjectives in -el and some in -er lose.
func inflect(a string) string {
	if a == "bitter" || a == "heiter" {
		return a[:len(a)-2] + "r"
	}
	return a
}

func (p *prose) who() string {
	switch p.n(7) {
	case 0:
		return p.name()
	case 1, 2, 3:
		if p.german {
			return pick(p.dice, []string{"er", "sie", "sie", "er", "niemand", "jemand"})
		}
		return pick(p.dice, []string{"he", "she", "she", "he", "nobody", "somebody"})
	}
	return p.thing("n")
}

func (p *prose) place() string {
	if p.german {
		return pick(p.dice, dePlaces) + " " + p.thing("d")
	}
	s := pick(p.dice, enPlaces)
	t := p.thing("a")
	return s + " " + t[strings.IndexByte(t, ' ')+1:]
}

func (p *prose) transitive() string {
	if p.german {
		return pick(p.dice, deTransitive) + " " + p.thing("a")
	}
	v := pick(p.dice, enTransitive)
	if before, after, ok := strings.Cut(v, " "); ok && (before == "placed" || before == "put" || before == "wrapped" || before == "held" ||
		before == "handed") {
		return before + " " + p.thing("a") + " " + after
	}
	return v + " " + p.thing("a")
}

func (p *prose) intransitive() string {
	if p.german {
		return pick(p.dice, deIntransitive)
	}
	return pick(p.dice, enIntransitive)
}

func (p *prose) adverb() string {
	if p.german {
		return pick(p.dice, deAdverbs)
	}
	return pick(p.dice, enAdverbs)
}

// tail is an afterthought of small words, as prose has them: they make half of any text.
func (p *prose) tail(from []string) string {
	if p.chance(35) {
		return ""
	}
	return ", " + pick(p.dice, from)
}

// sentence is a sentence of one of a dozen forms, without faults.
func (p *prose) sentence() string {
	if p.german {
		return capital(p.germanSentence()+p.tail(deTails)) + "."
	}
	return capital(p.englishSentence()+p.tail(enTails)) + "."
}

func (p *prose) englishSentence() string {
	switch p.n(12) {
	case 0:
		return p.who() + " " + p.intransitive()
	case 1, 2:
		return p.who() + " " + p.transitive()
	case 3:
		return p.who() + " " + p.transitive() + ", and " + p.who() + " " + p.intransitive() + " " + p.adverb()
	case 4:
		return pick(p.dice, enOpeners) + ", " + p.who() + " " + p.transitive() + " " + p.place()
	case 5:
		return p.place() + " stood " + p.thing("n") + ", and " + p.place() + " " + p.thing("n")
	case 6:
		return "while " + p.who() + " " + p.transitive() + ", " + p.who() + " " + p.intransitive() + " " + p.place()
	case 7:
		return pick(p.dice, enAbstract) + " " + p.thing("n") + " had once belonged to " + p.name() + ", who " + p.transitive()
	case 8:
		return p.who() + " " + p.intransitive() + "; " + p.who() + " " + p.transitive() + " " + p.adverb()
	case 9:
		return p.name() + ", who " + p.transitive() + " " + p.adverb() + ", " + p.intransitive()
	case 10:
		return p.who() + " " + p.transitive() + p.dash() + "or so " + p.name() + " " + pick(p.dice, enSaid) + p.dash() + "and " +
			p.intransitive()
	}
	return pick(p.dice, enOpeners) + ", " + p.adverb() + ", " + p.thing("n") + " and " + p.thing("n") + " " + p.intransitive() + " " +
		p.place()
}

func (p *prose) germanSentence() string {
	switch p.n(12) {
	case 0:
		return p.who() + " " + p.intransitive()
	case 1, 2:
		return p.who() + " " + p.transitive()
	case 3:
		return p.who() + " " + p.transitive() + ", und " + p.who() + " " + p.intransitive()
	case 4:
		v := pick(p.dice, deTransitive)
		return pick(p.dice, deOpeners) + " " + v + " " + p.who() + " " + p.place() + " " + p.thing("a")
	case 5:
		return p.place() + " stand " + p.thing("n") + ", und " + p.place() + " lag " + p.thing("n")
	case 6:
		return "während " + p.who() + " " + pick(p.dice, deFinal) + ", " + pick(p.dice, deTransitive) + " " + p.who() + " " + p.thing("a")
	case 7:
		return pick(p.dice, deAbstract) + " " + p.thing("n") + " einmal " + p.name() + " gehört hatte, bevor " + p.who() + " " +
			pick(p.dice, deFinal)
	case 8:
		return p.who() + " " + p.intransitive() + "; " + p.who() + " " + p.transitive()
	case 9:
		return p.name() + " " + p.transitive() + ", " + p.adverb() + " und ohne sich umzusehen"
	case 10:
		return p.who() + " " + p.transitive() + p.dash() + "so " + pick(p.dice, deSaid) + " es jedenfalls " + p.name() + p.dash() + "und " +
			p.intransitive()
	}
	return p.who() + ", " + p.adverb() + ", " + p.transitive() + " " + p.place() + ", wo " + p.who() + " " + pick(p.dice, deFinal)
}

// speech is a line of dialogue with the words around it.
func (p *prose) speech() string {
	if p.german {
		l, m := pick(p.dice, deLines), pick(p.dice, deLines)
		switch p.n(3) {
		case 0:
			return p.quoted(l) + ", " + pick(p.dice, deSaid) + " " + p.name() + " " + p.adverb() + "."
		case 1:
			return p.quoted(l) + ", " + pick(p.dice, deSaid) + " " + p.name() + ". " + p.quoted(m+".") + " " + p.sentence()
		}
		return p.quoted(l+".") + " " + p.sentence()
	}
	l, m := pick(p.dice, enLines), pick(p.dice, enLines)
	switch p.n(3) {
	case 0:
		return p.quoted(l+",") + " " + pick(p.dice, enSaid) + " " + p.name() + " " + p.adverb() + "."
	case 1:
		return p.quoted(l+",") + " " + pick(p.dice, enSaid) + " " + p.name() + ". " + p.quoted(m+".") + " " + p.sentence()
	}
	return p.quoted(l+".") + " " + p.sentence()
}

// telling is a paragraph of narrative of so many sentences.
func (p *prose) telling(sentences int) string {
	var b strings.Builder
	for i := 0; i < sentences; i++ {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(p.sentence())
	}
	return b.String()
}

// paragraph is a paragraph of a novel.
func (p *prose) paragraph() string {
	if p.chance(32) {
		return p.speech()
	}
	return p.telling(p.between(3, 8))
}

// words counts words.
func words(s string) int { return len(strings.Fields(s)) }
