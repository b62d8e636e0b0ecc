package pack

// EmbeddedTexts are the files with the notices of embedded data, below the repository's root.
func EmbeddedTexts() []string {
	var out []string
	for _, p := range embedded {
		out = append(out, p.Texts...)
	}
	return out
}
