package rights

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"mappe/shared/cloud/store"
	"mappe/shared/cloud/store/mem"
)

const template = `
Resources:
  F:
    Properties:
      Policies:
        - Statement: &read
            - Effect: Allow
              Action: s3:GetObject
              Resource: [!Sub "${B.Arn}/a/*", !Sub "${B.Arn}/b/*"]
        - !If
          - Some
          - Statement:
              - Effect: Allow
                Action: [dynamodb:GetItem]
                Condition: { "ForAllValues:StringLike": { dynamodb:LeadingKeys: ["job/*"] } }
          - !Ref AWS::NoValue
        - Statement: *read
`

// What is done without a right, and what is never used, is told; so is a reason that stands for nothing.
func TestCompare(t *testing.T) {
	file := filepath.Join(t.TempDir(), "template.yaml")
	if err := os.WriteFile(file, []byte(template), 0o644); err != nil {
		t.Fatal(err)
	}
	g, err := Load(file, "F")
	if err != nil {
		t.Fatal(err)
	}
	var r Recorder
	st := r.Store(mem.New(), "${B.Arn}", "")
	ctx := As(t.Context(), "f")
	_, _ = st.Get(ctx, "a/1", store.GetOptions{}) // it is not there
	_, _ = st.Put(ctx, "b/1", nil, store.PutOptions{})
	_, _ = st.Get(t.Context(), "b/1", store.GetOptions{}) // another one's
	want := []string{"F: has no right to s3:ListBucket ${B.Arn}", "F: has no right to s3:PutObject ${B.Arn}/b/1",
		"F: never uses its right to s3:GetObject ${B.Arn}/b/*", "F: the right to s3:GetObject ${B.Arn}/a/* needs no reason"}
	got := Compare(g, r.Done("f"), map[Right]string{{"s3:GetObject", "${B.Arn}/a/*"}: "?",
		{"dynamodb:GetItem", "ledger job/*"}: "a reason"})
	if !slices.Equal(got, want) {
		t.Errorf("want %q, got %q", want, got)
	}
	if _, err := Load(file, "G"); err == nil {
		t.Error("a function that is not there")
	}
}
