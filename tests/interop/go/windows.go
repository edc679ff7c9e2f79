package main

import (
	"flag"

	"google.golang.org/grpc"
)

// windows are the receive windows that one side announces. With both at 0 grpc-go estimates the bandwidth-delay
// product and lets its windows grow; the wire then shows WINDOW_UPDATE and PING together.
//
// Where that is decided, in google.golang.org/grpc v1.85.0:
//   - internal/transport/http2_server.go (NewServerTransport) and http2_client.go (NewHTTP2Client) make a bdpEstimator
//     unless StaticWindowSize is set. There is no switch that turns it on: its absence does.
//   - server.go sets it in StaticStreamWindowSize and StaticConnWindowSize, dialoptions.go in their With… forms. In
//     this version InitialWindowSize and InitialConnWindowSize (With… too) set it as well; that has changed from
//     version to version, so the Static options are used here.
//   - Either option turns the estimator off for stream and connection, and leaves the other window at 65,535: both
//     are needed for large windows. Values below 65,535 are ignored.
//   - internal/transport/http2_server.go (handleData): the first DATA frame of a round makes the estimator ask for a
//     PING; what the connection window is short of goes out before it, even if it is one octet.
//   - internal/transport/bdp_estimator.go (calculate): at the ACK the limit becomes twice the sample, if the sample is
//     at least two thirds of the present estimate and the rate is the highest yet; 16 MiB is the end.
//
// What that looks like on the wire depends on both peers, for each batches what it has to say (controlbuf.go, run).
// Small unary calls one after another:
//   - Server with --handler-delay and default windows, client with both static windows: every request is answered by
//     30 octets alone, WINDOW_UPDATE and PING, then the client's PING ACK of 17.
//   - Both with default windows, --handler-delay, and calls some milliseconds apart (--rate): the same, and after every
//     response the client's own 30 octets.
//   - The same, each call at the heels of the other: the ACK of the client's PING shares the server's write, 47 octets.
//   - No delay: the response often shares it too.
//
// A server with the http transport (--h2c) has the windows of Go's net/http instead, and no estimator.
type windows struct {
	stream int
	conn   int
}

func windowFlags(flags *flag.FlagSet) *windows {
	w := &windows{}
	flags.IntVar(&w.stream, "stream-window", 0, "static stream window in octets, at least 65535; 0: grpc-go's own")
	flags.IntVar(&w.conn, "conn-window", 0, "static connection window in octets, at least 65535; 0: grpc-go's own")
	return w
}

func (w *windows) serverOptions() []grpc.ServerOption {
	var options []grpc.ServerOption
	if w.stream > 0 {
		options = append(options, grpc.StaticStreamWindowSize(int32(w.stream)))
	}
	if w.conn > 0 {
		options = append(options, grpc.StaticConnWindowSize(int32(w.conn)))
	}
	return options
}

func (w *windows) dialOptions() []grpc.DialOption {
	var options []grpc.DialOption
	if w.stream > 0 {
		options = append(options, grpc.WithStaticStreamWindowSize(int32(w.stream)))
	}
	if w.conn > 0 {
		options = append(options, grpc.WithStaticConnWindowSize(int32(w.conn)))
	}
	return options
}
