package main

import (
	"context"
	"errors"
	"io"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

const (
	flowName            = "penstock.demo.v1.Flow"
	largestPayload      = 4 << 20
	largestDownload     = 1 << 40
	longestDelayMs      = 60_000
	defaultMessageBytes = 16 << 10
)

// pattern counts 0 to 255 over and over; every payload is a part of it and nobody writes into it.
var pattern = func() []byte {
	octets := make([]byte, largestPayload)
	for i := range octets {
		octets[i] = byte(i)
	}
	return octets
}()

// flowServer is penstock.demo.v1.Flow, as flow.proto describes it.
type flowServer struct{}

func limits(payloadBytes, delayMs uint32) error {
	if payloadBytes > largestPayload {
		return status.Errorf(codes.InvalidArgument, "a payload has at most %d bytes", largestPayload)
	}
	if delayMs > longestDelayMs {
		return status.Errorf(codes.InvalidArgument, "a delay is at most %d ms", longestDelayMs)
	}
	return nil
}

// pause waits, or fails with the status of a call that ended before.
func pause(ctx context.Context, delay time.Duration) error {
	if delay <= 0 {
		return nil
	}
	timer := time.NewTimer(delay)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return status.FromContextError(ctx.Err()).Err()
	}
}

func milliseconds(count uint32) time.Duration { return time.Duration(count) * time.Millisecond }

func (s *flowServer) unary(ctx context.Context, request *unaryRequest) (*unaryResponse, error) {
	if err := limits(request.responseBytes, request.delayMs); err != nil {
		return nil, err
	}
	if received, ok := metadata.FromIncomingContext(ctx); ok {
		if values := received.Get("demo-bin"); len(values) > 0 {
			if err := grpc.SendHeader(ctx, metadata.MD{"echo-bin": values}); err != nil {
				return nil, err
			}
		}
	}
	if err := pause(ctx, milliseconds(request.delayMs)); err != nil {
		return nil, err
	}
	return &unaryResponse{payload: pattern[:request.responseBytes], receivedBytes: uint32(len(request.payload))}, nil
}

func (s *flowServer) fail(_ context.Context, request *failRequest) (*failResponse, error) {
	if request.code < 1 || request.code > 16 {
		return nil, status.Error(codes.InvalidArgument, "a status code that fails is 1 to 16")
	}
	return nil, status.Error(codes.Code(request.code), string(request.message))
}

func (s *flowServer) download(stream grpc.ServerStream) error {
	var request downloadRequest
	if err := stream.RecvMsg(&request); err != nil {
		return err
	}
	if request.messageBytes == 0 {
		request.messageBytes = defaultMessageBytes
	}
	if err := limits(request.messageBytes, request.delayMs); err != nil {
		return err
	}
	if request.bytes > largestDownload {
		return status.Errorf(codes.InvalidArgument, "a download has at most %d bytes", int64(largestDownload))
	}
	for left := request.bytes; left > 0; {
		if err := pause(stream.Context(), milliseconds(request.delayMs)); err != nil {
			return err
		}
		size := min(left, uint64(request.messageBytes))
		if err := stream.SendMsg(&chunk{payload: pattern[:size]}); err != nil {
			return err
		}
		left -= size
	}
	return nil
}

func (s *flowServer) upload(stream grpc.ServerStream) error {
	var summary uploadSummary
	for {
		var received chunk
		err := stream.RecvMsg(&received)
		if errors.Is(err, io.EOF) {
			return stream.SendMsg(&summary)
		}
		if err != nil {
			return err
		}
		summary.bytes += uint64(len(received.payload))
		summary.messages++
		if err := limits(0, received.delayMs); err != nil {
			return err
		}
		if err := pause(stream.Context(), milliseconds(received.delayMs)); err != nil {
			return err
		}
	}
}

func (s *flowServer) chat(stream grpc.ServerStream) error {
	for {
		var received chatMessage
		err := stream.RecvMsg(&received)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := limits(0, received.delayMs); err != nil {
			return err
		}
		if err := pause(stream.Context(), milliseconds(received.delayMs)); err != nil {
			return err
		}
		if err := stream.SendMsg(&received); err != nil {
			return err
		}
	}
}
