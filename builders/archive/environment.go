package archive

import (
	"cmp"

	"mappe/shared/cloud/repository"
	"mappe/shared/cloud/store"
)

// creator is who is named where the environment names nobody.
const creator = "Mappe"

// FromEnvironment is the repository that the environment describes (repository.FromEnvironment); nil where it names none.
func FromEnvironment(st store.Store, getenv func(string) string) (*Archive, error) {
	client, err := repository.FromEnvironment(getenv)
	if err != nil || client == nil {
		return nil, err
	}
	return &Archive{Store: st, Repository: client, Creator: cmp.Or(getenv(repository.EnvCreator), creator)}, nil
}
