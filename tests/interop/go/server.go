package main

import (
	"context"
	"errors"
	"flag"
	"net"
	"net/http"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/health"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"

	// The server answers in gzip where the request was in gzip.
	_ "google.golang.org/grpc/encoding/gzip"
)

// grace is how long open calls may go on after the server was told to stop.
const grace = 500 * time.Millisecond

func runServer(args []string) error {
	flags := flag.NewFlagSet("server", flag.ExitOnError)
	listen := flags.String("listen", "127.0.0.1:0", "address")
	delay := flags.Duration("handler-delay", 0, "pause before every handler, health's too: the server's own frames\n"+
		"(WINDOW_UPDATE and PING) then go out before the response's")
	streams := flags.Uint("max-concurrent-streams", 0, "SETTINGS_MAX_CONCURRENT_STREAMS; 0: none")
	h2c := flags.Bool("h2c", false, "serve through Go's net/http HTTP/2 server: another implementation of flow control")
	window := windowFlags(flags)
	if err := flags.Parse(args); err != nil {
		return err
	}
	listener, err := net.Listen("tcp", *listen)
	if err != nil {
		return err
	}
	options := append(window.serverOptions(),
		grpc.ForceServerCodecV2(wireCodec{}),
		grpc.MaxRecvMsgSize(8<<20),
		grpc.UnaryInterceptor(func(
			ctx context.Context, request any, _ *grpc.UnaryServerInfo, handle grpc.UnaryHandler,
		) (any, error) {
			if err := pause(ctx, *delay); err != nil {
				return nil, err
			}
			return handle(ctx, request)
		}),
		grpc.StreamInterceptor(func(
			server any, stream grpc.ServerStream, _ *grpc.StreamServerInfo, handle grpc.StreamHandler,
		) error {
			if err := pause(stream.Context(), *delay); err != nil {
				return err
			}
			return handle(server, stream)
		}))
	if *streams > 0 {
		options = append(options, grpc.MaxConcurrentStreams(uint32(*streams)))
	}
	server := grpc.NewServer(options...)
	healthServer := health.NewServer()
	healthServer.SetServingStatus(flowName, healthpb.HealthCheckResponse_SERVING)
	healthpb.RegisterHealthServer(server, healthServer)
	server.RegisterService(&flowDesc, &flowServer{})

	ctx, cancel := untilStopped()
	defer cancel()
	printLine(map[string]string{"listening": listener.Addr().String()})
	if *h2c {
		return serveHTTP(ctx, listener, server, *streams)
	}
	go func() {
		<-ctx.Done()
		impatience := time.AfterFunc(grace, server.Stop)
		server.GracefulStop()
		impatience.Stop()
	}()
	return server.Serve(listener)
}

// serveHTTP hands HTTP/2 with prior knowledge (RFC 9113 §3.3) to net/http, and its requests to grpc-go's handler.
func serveHTTP(ctx context.Context, listener net.Listener, handler http.Handler, streams uint) error {
	protocols := new(http.Protocols)
	protocols.SetUnencryptedHTTP2(true)
	server := &http.Server{Handler: handler, Protocols: protocols}
	if streams > 0 {
		server.HTTP2 = &http.HTTP2Config{MaxConcurrentStreams: int(streams)}
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		<-ctx.Done()
		patience, cancel := context.WithTimeout(context.Background(), grace)
		defer cancel()
		if server.Shutdown(patience) != nil {
			server.Close()
		}
	}()
	err := server.Serve(listener)
	if !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	<-ended
	return nil
}
