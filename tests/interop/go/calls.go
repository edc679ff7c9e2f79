package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

// makeCall makes one call and measures it, from before its headers to its status.
func makeCall(ctx context.Context, conn *grpc.ClientConn, kind string, index int, want *load) callResult {
	ctx, cancel := callContext(ctx, index, want)
	defer cancel()
	result := callResult{Kind: kind, Call: index + 1}
	start := time.Now()
	var err error
	switch kind {
	case "unary":
		err = callUnary(ctx, conn, want, &result)
	case "download":
		err = callDownload(ctx, conn, want, &result)
	case "upload":
		err = callUpload(ctx, conn, want, &result)
	case "chat":
		err = callChat(ctx, conn, want, &result)
	case "health":
		err = callHealth(ctx, conn, &result)
	default:
		panic("no such kind: " + kind)
	}
	took := time.Since(start)
	result.Ms = float64(took.Microseconds()) / 1000
	result.MiBPerSecond = float64(result.Bytes) / (1 << 20) / took.Seconds()
	result.Status = statusName(status.Code(err))
	if err != nil {
		result.Message = status.Convert(err).Message()
	}
	return result
}

// callContext bounds a call. A context's deadline would go onto the wire as a grpc-timeout that differs from call to
// call; calls that shall have equal header blocks are cancelled by a timer instead.
func callContext(ctx context.Context, index int, want *load) (context.Context, context.CancelFunc) {
	if !want.uniqueHeaders {
		ctx, cancel := context.WithCancel(ctx)
		timer := time.AfterFunc(want.patience, cancel)
		return ctx, func() { timer.Stop(); cancel() }
	}
	var ids [24]byte
	rand.Read(ids[:])
	// https://www.w3.org/TR/trace-context/#traceparent-header: version, trace id, parent id, flags.
	parent := "00-" + hex.EncodeToString(ids[:16]) + "-" + hex.EncodeToString(ids[16:]) + "-01"
	ctx = metadata.AppendToOutgoingContext(ctx, "traceparent", parent)
	return context.WithTimeout(ctx, want.patience+time.Duration(index)*time.Microsecond)
}

// statusName is the name that the gRPC specification gives a status code: DEADLINE_EXCEEDED.
func statusName(code codes.Code) string {
	names := [...]string{
		"OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND", "ALREADY_EXISTS",
		"PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED", "OUT_OF_RANGE", "UNIMPLEMENTED",
		"INTERNAL", "UNAVAILABLE", "DATA_LOSS", "UNAUTHENTICATED",
	}
	if int(code) < len(names) {
		return names[code]
	}
	return fmt.Sprint(uint32(code))
}

// unexpected is a response that is not what was asked for. Its status was OK, so it gets one of its own.
func unexpected(format string, values ...any) error {
	return status.Errorf(codes.DataLoss, format, values...)
}

func callHealth(ctx context.Context, conn *grpc.ClientConn, result *callResult) error {
	response, err := healthpb.NewHealthClient(conn).Check(ctx, &healthpb.HealthCheckRequest{})
	if err != nil {
		return err
	}
	result.Messages = 1
	if response.Status != healthpb.HealthCheckResponse_SERVING {
		return unexpected("the server is %v", response.Status)
	}
	return nil
}

func callUnary(ctx context.Context, conn *grpc.ClientConn, want *load, result *callResult) error {
	size := min(want.bytes, largestPayload)
	request := &unaryRequest{payload: pattern[:size], responseBytes: uint32(size), delayMs: uint32(want.delayMs)}
	response := &unaryResponse{}
	if err := conn.Invoke(ctx, "/"+flowName+"/Unary", request, response); err != nil {
		return err
	}
	result.Messages = 1
	result.Bytes = int64(len(response.payload))
	if int(response.receivedBytes) != size || !bytes.Equal(response.payload, pattern[:size]) {
		return unexpected("%d bytes arrived and %d came back, of %d", response.receivedBytes, len(response.payload), size)
	}
	return nil
}

func openStream(ctx context.Context, conn *grpc.ClientConn, index int) (grpc.ClientStream, error) {
	description := &flowDesc.Streams[index]
	return conn.NewStream(ctx, description, "/"+flowName+"/"+description.StreamName)
}

// Positions in flowDesc.Streams.
const (
	downloadStream = iota
	uploadStream
	chatStream
)

func callDownload(ctx context.Context, conn *grpc.ClientConn, want *load, result *callResult) error {
	stream, err := openStream(ctx, conn, downloadStream)
	if err != nil {
		return err
	}
	request := &downloadRequest{
		bytes: uint64(want.bytes), messageBytes: uint32(want.messageBytes), delayMs: uint32(want.delayMs),
	}
	if err := sendLast(stream, request); err != nil {
		return err
	}
	for {
		if err := pause(ctx, want.readDelay); err != nil {
			return err
		}
		var received chunk
		err := stream.RecvMsg(&received)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		result.Messages++
		result.Bytes += int64(len(received.payload))
	}
	if result.Bytes != int64(want.bytes) {
		return unexpected("%d bytes came, of %d", result.Bytes, want.bytes)
	}
	return nil
}

func callUpload(ctx context.Context, conn *grpc.ClientConn, want *load, result *callResult) error {
	stream, err := openStream(ctx, conn, uploadStream)
	if err != nil {
		return err
	}
	for left := want.bytes; left > 0; {
		size := min(left, want.messageBytes)
		err := stream.SendMsg(&chunk{payload: pattern[:size], delayMs: uint32(want.delayMs)})
		if errors.Is(err, io.EOF) {
			// The server ended the call; its status comes with the next receive.
			break
		}
		if err != nil {
			return err
		}
		result.Messages++
		result.Bytes += int64(size)
		left -= size
	}
	if err := stream.CloseSend(); err != nil {
		return err
	}
	var received uploadSummary
	if err := stream.RecvMsg(&received); err != nil {
		return err
	}
	if received.bytes != uint64(want.bytes) || int(received.messages) != result.Messages {
		return unexpected("%d bytes in %d messages arrived, of %d in %d",
			received.bytes, received.messages, want.bytes, result.Messages)
	}
	return nil
}

// callChat sends each message when the echo of the one before has come.
func callChat(ctx context.Context, conn *grpc.ClientConn, want *load, result *callResult) error {
	stream, err := openStream(ctx, conn, chatStream)
	if err != nil {
		return err
	}
	for left := want.bytes; left > 0; {
		size := min(left, want.messageBytes)
		sent := &chatMessage{
			sequence: uint32(result.Messages), text: []byte("écluse"), payload: pattern[:size], delayMs: uint32(want.delayMs),
		}
		if err := stream.SendMsg(sent); err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if err := pause(ctx, want.readDelay); err != nil {
			return err
		}
		var received chatMessage
		if err := stream.RecvMsg(&received); err != nil {
			return endedEarly(err)
		}
		if received.sequence != sent.sequence || !bytes.Equal(received.payload, sent.payload) {
			return unexpected("echo %d is not what was sent", sent.sequence)
		}
		result.Messages++
		result.Bytes += int64(size)
		left -= size
	}
	if err := stream.CloseSend(); err != nil {
		return err
	}
	if err := stream.RecvMsg(&chatMessage{}); !errors.Is(err, io.EOF) {
		if err == nil {
			return unexpected("an echo of nothing")
		}
		return err
	}
	return nil
}

func endedEarly(err error) error {
	if errors.Is(err, io.EOF) {
		return unexpected("the server ended the call before its echo")
	}
	return err
}

func sendLast(stream grpc.ClientStream, message any) error {
	// EOF: the server has ended the call; the next receive tells its status.
	if err := stream.SendMsg(message); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	return stream.CloseSend()
}
