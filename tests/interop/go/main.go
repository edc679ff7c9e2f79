// Command interop is the grpc-go peer of Penstock's tests: a server and a client for grpc.health.v1.Health and
// penstock.demo.v1.Flow (protos/ at the root of the repository). It prints JSON Lines on standard output and ends
// when it is told to: SIGTERM, SIGINT, or the end of a standard input that is a pipe.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
)

func main() {
	if len(os.Args) < 2 {
		usage()
	}
	var err error
	switch os.Args[1] {
	case "server":
		err = runServer(os.Args[2:])
	case "client":
		err = runClient(os.Args[2:])
	default:
		usage()
	}
	switch {
	case errors.Is(err, flag.ErrHelp):
		os.Exit(0)
	case err != nil:
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func usage() {
	fmt.Fprintln(os.Stderr, "usage: interop server|client [flags]; -h lists them")
	os.Exit(2)
}

// printLine writes one JSON object and a line feed, in one write.
func printLine(value any) {
	line, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	os.Stdout.Write(append(line, '\n'))
}
