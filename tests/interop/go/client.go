package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
)

// load is what one run of the client asks for.
type load struct {
	calls         int
	concurrency   int
	rate          float64
	together      int
	bytes         int
	messageBytes  int
	delayMs       uint
	readDelay     time.Duration
	uniqueHeaders bool
	patience      time.Duration
	perCall       bool
}

// kinds of a mode: `all` makes calls of each of flow.proto's four kinds.
var modes = map[string][]string{
	"unary":       {"unary"},
	"download":    {"download"},
	"upload":      {"upload"},
	"chat":        {"chat"},
	"all":         {"unary", "download", "upload", "chat"},
	"health-load": {"health"},
}

func runClient(args []string) error {
	flags := flag.NewFlagSet("client", flag.ExitOnError)
	target := flags.String("target", "", "HOST:PORT of the server or of a tap in front of it")
	mode := flags.String("mode", "all", "unary, download, upload, chat, all (each of these four) or health-load")
	want := load{}
	flags.IntVar(&want.calls, "calls", 1, "calls of each kind")
	flags.IntVar(&want.concurrency, "concurrency", 1, "calls open at the same time, on one connection")
	flags.Float64Var(&want.rate, "rate", 0, "calls begun per second, as far as the concurrency allows; 0: at once")
	flags.IntVar(&want.together, "together", 1, "calls begun at the same moment, as many callers in step do; the rate counts them all")
	flags.IntVar(&want.bytes, "bytes", 1<<20, "payload of one call: both ways for unary and chat")
	flags.IntVar(&want.messageBytes, "message-bytes", 16<<10, "payload of one message of a stream, at most 4194304")
	flags.UintVar(&want.delayMs, "delay-ms", 0, "delay_ms in every request message")
	flags.DurationVar(&want.readDelay, "read-delay", 0, "pause before each message that the client reads of a stream")
	flags.BoolVar(&want.uniqueHeaders, "unique-headers", false, "a deadline and a traceparent of its own in every call,\n"+
		"so that no two header blocks are equal")
	flags.DurationVar(&want.patience, "patience", 60*time.Second, "a call that takes longer is cancelled")
	flags.BoolVar(&want.perCall, "per-call", true, "print a line for each call, not only the summaries")
	window := windowFlags(flags)
	if err := flags.Parse(args); err != nil {
		return err
	}
	kinds, known := modes[*mode]
	if !known || *target == "" || want.calls < 1 || want.concurrency < 1 || want.together < 1 || want.bytes < 0 ||
		want.messageBytes < 1 || want.messageBytes > largestPayload {
		flags.Usage()
		os.Exit(2)
	}
	conn, err := grpc.NewClient(*target, append(window.dialOptions(),
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		// The target is an address: a proxy of the environment would be another connection than the one looked at.
		grpc.WithNoProxy(),
		grpc.WithDefaultCallOptions(grpc.ForceCodecV2(wireCodec{}), grpc.MaxCallRecvMsgSize(8<<20)))...)
	if err != nil {
		return err
	}
	defer conn.Close()
	ctx, cancel := untilStopped()
	defer cancel()
	failed := 0
	for _, kind := range kinds {
		failed += runKind(ctx, conn, kind, &want)
	}
	if failed > 0 {
		return fmt.Errorf("%d calls failed", failed)
	}
	return nil
}

// callResult is one line of output. Bytes and messages are those of the payload's main direction: responses, but
// requests for upload. mibPerSecond counts these bytes over the whole call, its round trip included.
type callResult struct {
	Kind         string  `json:"kind"`
	Call         int     `json:"call"`
	Ms           float64 `json:"ms"`
	Status       string  `json:"status"`
	Message      string  `json:"message,omitempty"`
	Messages     int     `json:"messages"`
	Bytes        int64   `json:"bytes"`
	MiBPerSecond float64 `json:"mibPerSecond"`
}

// summary is the last line of a kind. Latencies are of calls that succeeded.
type summary struct {
	Summary        bool    `json:"summary"`
	Kind           string  `json:"kind"`
	Calls          int     `json:"calls"`
	Failed         int     `json:"failed"`
	Seconds        float64 `json:"seconds"`
	CallsPerSecond float64 `json:"callsPerSecond"`
	Bytes          int64   `json:"bytes"`
	MiBPerSecond   float64 `json:"mibPerSecond"`
	MeanMs         float64 `json:"meanMs"`
	P50Ms          float64 `json:"p50Ms"`
	P99Ms          float64 `json:"p99Ms"`
	MaxMs          float64 `json:"maxMs"`
}

// runKind makes all calls of one kind and says how many failed. Calls not begun when ctx ends are not made.
func runKind(ctx context.Context, conn *grpc.ClientConn, kind string, want *load) int {
	results := make([]callResult, want.calls)
	var next atomic.Int64
	var workers sync.WaitGroup
	start := time.Now()
	for range min(want.concurrency, want.calls) {
		workers.Go(func() {
			for {
				index := int(next.Add(1)) - 1
				if index >= want.calls {
					return
				}
				if want.rate > 0 {
					first := index - index%want.together
					due := start.Add(time.Duration(float64(first) / want.rate * float64(time.Second)))
					if pause(ctx, time.Until(due)) != nil {
						return
					}
				}
				if ctx.Err() != nil {
					return
				}
				results[index] = makeCall(ctx, conn, kind, index, want)
				if want.perCall {
					printLine(results[index])
				}
			}
		})
	}
	workers.Wait()
	total := summarise(kind, results, time.Since(start))
	printLine(total)
	return total.Failed
}

func summarise(kind string, results []callResult, took time.Duration) summary {
	total := summary{Summary: true, Kind: kind, Seconds: took.Seconds()}
	var latencies []float64
	for _, result := range results {
		if result.Status == "" {
			continue
		}
		total.Calls++
		total.Bytes += result.Bytes
		if result.Status != "OK" {
			total.Failed++
			continue
		}
		latencies = append(latencies, result.Ms)
		total.MeanMs += result.Ms
	}
	total.CallsPerSecond = float64(total.Calls) / total.Seconds
	total.MiBPerSecond = float64(total.Bytes) / (1 << 20) / total.Seconds
	if count := len(latencies); count > 0 {
		slices.Sort(latencies)
		total.MeanMs /= float64(count)
		total.P50Ms = latencies[count/2]
		total.P99Ms = latencies[count*99/100]
		total.MaxMs = latencies[count-1]
	}
	return total
}
