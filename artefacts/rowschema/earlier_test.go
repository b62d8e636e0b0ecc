package rowschema

import "testing"

// An earlier snapshot stands by its date, before an earlier import of the same source; the served one stays served.
func TestWithEarlier(t *testing.T) {
	v := Versions{KGCode: "99901", Latest: "2026-10-01", Snapshots: []Version{
		{Date: "2026-10-01", Key: "served", Latest: true}, {Date: "2026-04-01", Key: "own"},
		{Date: "2026-04-01", Key: "import", Source: "x"}, {Date: "2025-04-01", Key: "old"}}}
	for name, c := range map[string]struct {
		add  Version
		want string // keys in their order
	}{
		"between dates":              {Version{Date: "2025-10-01", Key: "new", Latest: true}, "served own import new old"},
		"before all":                 {Version{Date: "2020-01-01", Key: "new"}, "served own import old new"},
		"mended, of one source":      {Version{Date: "2026-04-01", Key: "new", Source: "x"}, "served own new import old"},
		"of another source":          {Version{Date: "2026-04-01", Key: "new", Source: "y"}, "served own import new old"},
		"without a source":           {Version{Date: "2026-04-01", Key: "new"}, "served own import new old"},
		"there already":              {Version{Date: "2026-04-01", Key: "own"}, "served own import old"},
		"the key is of another date": {Version{Date: "2025-10-01", Key: "own"}, "served own import own old"},
	} {
		got, err := v.WithEarlier(c.add)
		keys := ""
		for i, s := range got.Snapshots {
			if keys += " " + s.Key; s.Latest != (i == 0) {
				t.Errorf("%s: is_latest of %s is %v", name, s.Key, s.Latest)
			}
		}
		if err != nil || keys != " "+c.want {
			t.Errorf("%s: %s, %v, want %s", name, keys, err, c.want)
		}
	}
	for _, date := range []string{"2026-10-01", "2026-10-02", "1.4.2026", ""} {
		if _, err := v.WithEarlier(Version{Date: date, Key: "new"}); err == nil {
			t.Errorf("%q is taken", date)
		}
	}
}
