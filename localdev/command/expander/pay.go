package expander

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"mappe/functions/expander"
	"mappe/localdev/facilitator/wallet"
	"mappe/localdev/terminal"
	"mappe/shared/recurrence"
)

// maxAnswer bounds what is read of a paid answer.
const maxAnswer = 32 << 20

// buy sends a body to a running expander and pays for it: with a key made for this one call, on test
// networks only, at most the price the service is known for. The facilitator of `up` knows every account
// and gives it test money.
func buy(base string, body []byte) (answer []byte, receipt string, err error) {
	key, err := wallet.New()
	if err != nil {
		return nil, "", err
	}
	client := wallet.Client{Key: key, Most: expander.PriceAtomic, HTTP: &http.Client{Timeout: 2 * time.Minute}}
	resp, paid, err := client.Post(strings.TrimSuffix(base, "/")+"/v1/expand", "application/json", body, "")
	if err != nil {
		return nil, "", fmt.Errorf("--pay: %w", err)
	}
	defer resp.Body.Close()
	if answer, err = io.ReadAll(io.LimitReader(resp.Body, maxAnswer)); err != nil {
		return nil, "", fmt.Errorf("--pay: %w", err)
	}
	switch {
	case resp.StatusCode == http.StatusOK && paid != nil && paid.Receipt.Success:
		r := paid.Receipt
		return answer, fmt.Sprintf("paid %s USD on %s by %s, transaction %s", expander.Price, r.Network, r.Payer, r.Transaction), nil
	case resp.StatusCode == http.StatusOK:
		return answer, "nothing had to be paid", nil
	}
	return answer, "", refusedCall{resp.StatusCode, answer}
}

// refusedCall is an answer without a result; nothing was charged for it.
type refusedCall struct {
	status int
	body   []byte
}

func (e refusedCall) Error() string {
	var problem struct{ Error string }
	if json.Unmarshal(e.body, &problem) != nil || problem.Error == "" {
		problem.Error = http.StatusText(e.status)
	}
	return fmt.Sprintf("--pay: status %d, nothing was charged: %s", e.status, problem.Error)
}

// expandPaid is expand by a running service.
func (e *expanding) expandPaid(request recurrence.Request, notes io.Writer) (r recurrence.Response, err error) {
	body, err := json.Marshal(request)
	if err != nil {
		return r, err
	}
	answer, receipt, err := buy(e.pay, body)
	if err != nil {
		return r, err
	}
	fmt.Fprintln(notes, receipt)
	if err := json.NewDecoder(bytes.NewReader(answer)).Decode(&r); err != nil {
		return r, fmt.Errorf("--pay: the answer cannot be read: %w", err)
	}
	return r, nil
}

// printPaid sends a body as it is and prints the answer as it is, a refusal too.
func (e *expanding) printPaid(body []byte, out, notes io.Writer) error {
	answer, receipt, err := buy(e.pay, body)
	if _, refused := errors.AsType[refusedCall](err); err != nil && !refused {
		return err
	}
	if _, err := out.Write(answer); err != nil {
		return err
	}
	if err != nil {
		return terminal.ErrSilent
	}
	_, err = fmt.Fprintln(notes, receipt)
	return err
}
