// Package states reads the state that a request names, for parameters of every service.
package states

import (
	"errors"
	"strings"

	"mappe/shared/austria"
	"mappe/shared/landprice"
	"mappe/shared/spelling"
	"mappe/shared/web/fault"
)

// Country stands for Austria where a state is asked for.
const Country = austria.StateCode(landprice.Country)

// Parse reads a state by its digit, or its name in any spelling.
func Parse(text string) (austria.StateCode, error) {
	var listed, names []string
	for _, c := range austria.AllStates() {
		if text == string(c) || spelling.Compact(spelling.Fold(text)) == spelling.Fold(c.Name()) {
			return c, nil
		}
		listed, names = append(listed, string(c)+" "+c.Name()), append(names, c.Name())
	}
	return "", errors.New("a state, by digit or name: " + strings.Join(listed, ", ") + fault.DidYouMean(text, names))
}

// ParseOrCountry reads a state, or Austria by its code or name.
func ParseOrCountry(text string) (austria.StateCode, error) {
	if strings.EqualFold(text, landprice.Country) || strings.EqualFold(text, "Österreich") {
		return Country, nil
	}
	return Parse(text)
}
