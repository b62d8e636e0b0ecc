package servers

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// TestServersDieWithTheParent kills a program that runs servers, without giving it a chance to end them.
func TestServersDieWithTheParent(t *testing.T) {
	if dir := os.Getenv("MAPPE_TEST_PARENT"); dir != "" {
		s, _, err := Start(context.Background(), find(t), dir)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Println("servers", s.S3, s.DynamoDB)
		select {}
	}
	find(t)
	cmd := exec.Command(os.Args[0], "-test.run", "^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), "MAPPE_TEST_PARENT="+t.TempDir())
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var addresses []string
	for lines := bufio.NewScanner(out); len(addresses) == 0 && lines.Scan(); {
		if fields := strings.Fields(lines.Text()); len(fields) == 3 && fields[0] == "servers" {
			addresses = fields[1:]
		}
	}
	listens := func(address string) bool {
		conn, err := net.DialTimeout("tcp", strings.TrimPrefix(address, "http://"), time.Second)
		if err == nil {
			conn.Close()
		}
		return err == nil
	}
	if len(addresses) != 2 || !listens(addresses[0]) || !listens(addresses[1]) {
		t.Errorf("want two servers that run, got %q", addresses)
	}
	cmd.Process.Kill()
	cmd.Wait()
	for _, address := range addresses {
		for deadline := time.Now().Add(time.Minute); listens(address); time.Sleep(10 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("the server at %s outlives its parent", address)
			}
		}
	}
}
