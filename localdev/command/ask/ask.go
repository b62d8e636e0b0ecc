// Package ask is the command that asks the services of a running Mappe.
package ask

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"mappe/localdev/ask"
	"mappe/localdev/terminal"
	"mappe/shared/web/endpoint"
	"mappe/shared/web/fault"
)

// Commands are the commands of the family.
func Commands() []*cobra.Command { return []*cobra.Command{askCommand()} }

// askCommand makes the commands below it when it is called: there is one for each operation of the endpoint table, which
// takes longer to read than other commands take to start.
func askCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "ask SERVICE OPERATION [VALUES] [--parameter VALUE]",
		Short: "Ask the services of a running Mappe: every operation as a command, answers as tables, JSON or CSV",
		Long: `Ask the services of a running Mappe. SERVICE is cadastre, context, expander, workfeed or books, OPERATION the id of an
operation with hyphens, as /docs and openapi.json of the service name it; without one the operations are listed. What an
operation requires may stand without its name, in the order of its help; the other parameters are flags.

The answer is a table. --json prints the service's JSON, --csv a table for other programs, --all walks every page of a
list, --output writes a file. What a service refuses is told in its words, with exit status 1.`,
		Example: `  go run ./localdev ask cadastre parcel 99101-1
  go run ./localdev ask context 13.2742 47.3208 --area-sqm 800
  go run ./localdev ask cadastre query --kg 99101 --min-area 5000 --csv --all > parcels.csv
  go run ./localdev ask cadastre export-gpkg --kg 99101 --output 99101.gpkg
  go run ./localdev ask expander preview --body '{"rules":[{"rrule":"FREQ=DAILY;COUNT=3","tz":"Europe/Vienna","start":"2027-03-27T02:30:00"}]}'`,
		DisableFlagParsing: true,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 || len(args) == 1 && (args[0] == "--help" || args[0] == "-h") {
				return c.Help()
			}
			for i := range min(len(args), 2) {
				if !strings.HasPrefix(args[i], "-") { // operation ids are written with underscores elsewhere
					args[i] = ask.Flag(args[i])
				}
			}
			tree, err := treeOf(c.Parent())
			if err != nil {
				return err
			}
			if err := misnamed(tree, args); err != nil {
				return err
			}
			tree.SetIn(c.InOrStdin())
			tree.SetOut(c.OutOrStdout())
			tree.SetErr(c.ErrOrStderr())
			tree.SetArgs(append([]string{"ask"}, args...))
			return tree.ExecuteContext(c.Context())
		},
		ValidArgsFunction: complete,
	}
}

// complete asks the commands below for what may come next.
func complete(c *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	tree, err := treeOf(c.Parent())
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	var out bytes.Buffer
	tree.SetOut(&out)
	tree.SetErr(io.Discard)
	tree.SetArgs(append(append([]string{cobra.ShellCompRequestCmd, "ask"}, args...), typed))
	if err := tree.ExecuteContext(c.Context()); err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	directive := cobra.ShellCompDirectiveNoFileComp
	if n := len(lines) - 1; n >= 0 && strings.HasPrefix(lines[n], ":") {
		_, _ = fmt.Sscanf(lines[n], ":%d", &directive) // cobra writes a number there
		lines = lines[:n]
	}
	return lines, directive
}

// treeOf is the program with the commands of the operations below ask.
func treeOf(program *cobra.Command) (*cobra.Command, error) {
	services, err := ask.Services()
	if err != nil {
		return nil, err
	}
	top := &cobra.Command{Use: "localdev", SilenceUsage: true, SilenceErrors: true}
	if program != nil {
		top.Use = program.Name()
	}
	all := &cobra.Command{Use: "ask", Short: "Ask the services of a running Mappe", RunE: listed}
	for _, s := range services {
		all.AddCommand(serviceCommand(s))
	}
	top.AddCommand(all)
	return top, nil
}

// listed shows the commands below one, and refuses a name that none of them has.
func listed(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return c.Help()
	}
	near := ""
	if s := c.SuggestionsFor(args[0]); len(s) > 0 {
		near = "; did you mean " + strings.Join(s, ", ") + "?"
	}
	return fmt.Errorf("%s has nothing that is called %q%s (%s lists what there is)",
		strings.TrimPrefix(c.CommandPath(), c.Root().Name()+" "), args[0], near, c.CommandPath())
}

// misnamed refuses the name of an unknown operation, before its flags are looked at.
func misnamed(tree *cobra.Command, args []string) error {
	c, rest, err := tree.Find(append([]string{"ask"}, args...))
	if err != nil || !c.HasSubCommands() || len(rest) == 0 || strings.HasPrefix(rest[0], "-") || number(rest[0]) {
		return err
	}
	return listed(c, rest)
}

// unknownFlag names the flag that an operation does not have, and the nearest that it has.
func unknownFlag(c *cobra.Command, err error) error {
	var missing *pflag.NotExistError
	if !errors.As(err, &missing) {
		return err
	}
	name := strings.TrimLeft(missing.GetSpecifiedName(), "-")
	var known []string
	c.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, "--"+f.Name) })
	return fmt.Errorf("%s has no parameter --%s%s", c.Name(), name, fault.DidYouMean("--"+name, known))
}

// short are the names that people try first, beside those of the operations.
var short = map[string]map[string]string{
	"cadastre": {"parcel": "search-feature", "price": "land-prices-parcel", "diff": "kg-diff", "at": "spatial-point"},
	"context":  {"names": "toponyms-search", "place": "context"},
}

// serviceCommand is a service. Where an operation has the service's own name, it may stand for it.
func serviceCommand(s ask.Service) *cobra.Command {
	c := &cobra.Command{Use: s.Name, Short: s.Title, RunE: listed, Args: cobra.ArbitraryArgs, SuggestionsMinimumDistance: 3}
	c.SetFlagErrorFunc(unknownFlag) // of the operations below it too
	for _, o := range s.Operations {
		if o.Name == s.Name {
			own := operationCommand(o)
			c.Flags().AddFlagSet(own.Flags())
			c.Use, c.RunE, c.Long, c.Example = own.Use, func(c *cobra.Command, args []string) error {
				if len(args) == 0 && c.Flags().NFlag() == 0 || len(args) > 0 && !number(args[0]) {
					return listed(c, args)
				}
				return own.RunE(c, args)
			}, own.Long, own.Example
		}
		sub := operationCommand(o)
		for name, of := range short[s.Name] {
			if of == o.Name {
				sub.Aliases = append(sub.Aliases, name)
			}
		}
		c.AddCommand(sub)
	}
	return c
}

// number says whether an argument is a value and not the name of an operation.
func number(s string) bool { return s != "" && strings.Trim(s, "+-.0123456789") == "" }

// asking are the flags that every operation has.
type asking struct {
	base, token, body, output string
	json, csv, all            bool
	values                    map[string]*string
}

func operationCommand(o ask.Operation) *cobra.Command {
	a := &asking{values: map[string]*string{}}
	use := o.Name
	for _, in := range o.Arguments {
		use += " " + strings.ToUpper(in.Name)
	}
	c := &cobra.Command{
		Use: use, Short: o.Endpoint.Summary, Long: fmt.Sprintf("%s %s%s\n\n%s.\n\n%s", o.Endpoint.Method, o.Prefix, o.Endpoint.Path,
			strings.TrimSuffix(o.Endpoint.Summary, "."), o.Endpoint.Doc),
		Args: cobra.ArbitraryArgs, SilenceUsage: true,
		RunE: func(c *cobra.Command, args []string) error { return a.run(c, o, args) },
		ValidArgsFunction: func(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
			if len(args) >= len(o.Arguments) {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return valuesOf(o.Arguments[len(args)], typed)
		},
	}
	f := c.Flags()
	f.SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName { return pflag.NormalizedName(ask.Flag(name)) })
	for _, in := range o.Inputs {
		v := new(string)
		a.values[in.Name] = v
		name := ask.Flag(in.Name)
		f.StringVar(v, name, "", strings.ReplaceAll(in.Doc, "`", "'")) // what stands between ` is a flag's kind of value
		if in.Type == "boolean" && !in.List {
			f.Lookup(name).NoOptDefVal = "true"
		}
		_ = c.RegisterFlagCompletionFunc(name, func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
			return valuesOf(in, typed)
		}) // the flag was just declared
	}
	f.StringVar(&a.base, "base", "http://127.0.0.1:8080", "address of the running Mappe")
	f.BoolVar(&a.json, "json", false, "print the JSON of the service; with --all one array of the rows")
	f.BoolVar(&a.csv, "csv", false, "print a table for other programs")
	f.BoolVar(&a.all, "all", false, "walk every page of a list")
	f.StringVar(&a.output, "output", "", "write the answer to this file")
	f.StringVar(&a.token, "token", "", "token for operations that ask for one")
	if o.Body {
		f.StringVar(&a.body, "body", "", "the body: JSON, or a file that holds it (.csv as a table), or - for standard input")
	}
	return c
}

// valuesOf are the values that a parameter may have and that begin as typed; of a comma list the next one.
func valuesOf(in endpoint.Input, typed string) ([]string, cobra.ShellCompDirective) {
	before, last := "", typed
	if i := strings.LastIndexByte(typed, ','); in.List && i >= 0 {
		before, last = typed[:i+1], typed[i+1:]
	}
	values := in.Enum
	if in.Type == "boolean" {
		values = []string{"true", "false"}
	}
	if len(values) == 0 && in.Example != "" {
		values = []string{in.Example}
	}
	var fit []string
	for _, v := range values {
		if strings.HasPrefix(v, last) && !strings.Contains(","+before, ","+v+",") {
			fit = append(fit, before+v)
		}
	}
	return fit, cobra.ShellCompDirectiveNoFileComp
}

// run asks an operation.
func (a *asking) run(c *cobra.Command, o ask.Operation, args []string) error {
	q := ask.Question{Base: a.base, Operation: o, Values: map[string]string{}, Token: a.token, Form: ask.Table, All: a.all}
	switch {
	case a.json && a.csv:
		return errors.New("--json and --csv: expected one of them")
	case a.json:
		q.Form = ask.JSON
	case a.csv:
		q.Form = ask.CSV
	}
	for name, v := range a.values {
		if c.Flags().Changed(ask.Flag(name)) {
			q.Values[name] = *v
		}
	}
	if err := place(q.Values, o, args); err != nil {
		return err
	}
	var err error
	if q.Body, q.BodyType, err = a.readBody(c, o); err != nil {
		return err
	}
	out := ask.Output{Out: c.OutOrStdout(), Notes: c.ErrOrStderr(), Bytes: !terminal.Is(c.OutOrStdout())}
	if f, ok := out.Out.(*os.File); ok && !out.Bytes {
		if w, _, err := term.GetSize(int(f.Fd())); err == nil {
			q.Width = w
		}
	}
	if a.output == "" {
		return q.Answer(c.Context(), out)
	}
	return toFile(a.output, func(w io.Writer) error {
		out.Out, out.Bytes = w, true
		return q.Answer(c.Context(), out)
	})
}

// place gives the arguments to the parameters that are required and not yet given, in their order.
func place(values map[string]string, o ask.Operation, args []string) error {
	for _, in := range o.Arguments {
		if _, given := values[in.Name]; given || len(args) == 0 {
			continue
		}
		values[in.Name], args = args[0], args[1:]
	}
	if len(args) > 0 {
		return fmt.Errorf("%q is one value too many: the others are given by name, as --help lists them", args[0])
	}
	return nil
}

// maxBody bounds a body in bytes; services have smaller bounds.
const maxBody = 32 << 20

// readBody reads the body that --body names.
func (a *asking) readBody(c *cobra.Command, o ask.Operation) (body []byte, media string, err error) {
	const asJSON = "application/json"
	switch text := strings.TrimSpace(a.body); {
	case !o.Body:
		return nil, "", nil
	case text == "" && o.NoBody:
		return nil, "", nil
	case text == "":
		example := ""
		if o.Endpoint.ExampleBody != "" {
			example = ", for example " + o.Endpoint.ExampleBody
		}
		return nil, "", fmt.Errorf("--body is missing: expected JSON or the name of a file%s", example)
	case text[0] == '{' || text[0] == '[':
		return []byte(text), asJSON, nil
	case text == "-":
		body, err = io.ReadAll(io.LimitReader(c.InOrStdin(), maxBody+1))
	default:
		var f *os.File
		if f, err = os.Open(a.body); err != nil {
			return nil, "", fmt.Errorf("--body: %w", err)
		}
		defer f.Close() // read only
		body, err = io.ReadAll(io.LimitReader(f, maxBody+1))
	}
	switch {
	case err != nil:
		return nil, "", fmt.Errorf("--body: %w", err)
	case len(body) > maxBody:
		return nil, "", fmt.Errorf("--body has more than %d bytes", maxBody)
	case strings.EqualFold(filepath.Ext(a.body), ".csv"):
		return body, "text/csv", nil
	}
	return body, asJSON, nil
}

// toFile writes a file whole or not at all.
func toFile(name string, write func(io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(name), ".ask-*")
	if err != nil {
		return fmt.Errorf("--output: %w", err)
	}
	defer os.Remove(f.Name()) // gone once it is renamed
	if err := errors.Join(write(f), f.Close()); err != nil {
		return err
	}
	if err := os.Chmod(f.Name(), 0o644); err != nil {
		return fmt.Errorf("--output: %w", err)
	}
	if err := os.Rename(f.Name(), name); err != nil {
		return fmt.Errorf("--output: %w", err)
	}
	return nil
}
