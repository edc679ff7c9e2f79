package main

import (
	"fmt"

	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/encoding/protowire"

	// Registers the codec that wireCodec falls back to.
	_ "google.golang.org/grpc/encoding/proto"
)

// wireMessage is a message of flow.proto that encodes itself, so that building this module needs no protoc.
type wireMessage interface {
	marshal() mem.BufferSlice
	unmarshal(octets []byte) error
}

// wireCodec handles wireMessages itself and hands all others (health's are generated) to grpc-go's own codec. Its
// name is that codec's, so the content-type on the wire is the usual one.
type wireCodec struct{}

func (wireCodec) Name() string { return "proto" }

func (wireCodec) Marshal(value any) (mem.BufferSlice, error) {
	if message, ok := value.(wireMessage); ok {
		return message.marshal(), nil
	}
	return encoding.GetCodecV2("proto").Marshal(value)
}

func (wireCodec) Unmarshal(data mem.BufferSlice, value any) error {
	if message, ok := value.(wireMessage); ok {
		return message.unmarshal(data.Materialize())
	}
	return encoding.GetCodecV2("proto").Unmarshal(data, value)
}

// encoder appends fields; proto3 leaves out those with their default value.
type encoder struct{ octets []byte }

func (e *encoder) varint(number protowire.Number, value uint64) {
	if value == 0 {
		return
	}
	e.octets = protowire.AppendTag(e.octets, number, protowire.VarintType)
	e.octets = protowire.AppendVarint(e.octets, value)
}

func (e *encoder) bytes(number protowire.Number, value []byte) {
	if len(value) == 0 {
		return
	}
	e.octets = protowire.AppendTag(e.octets, number, protowire.BytesType)
	e.octets = protowire.AppendBytes(e.octets, value)
}

// withPayload ends the message with a bytes field that is not copied.
func (e *encoder) withPayload(number protowire.Number, payload []byte) mem.BufferSlice {
	if len(payload) == 0 {
		return e.slice()
	}
	e.octets = protowire.AppendTag(e.octets, number, protowire.BytesType)
	e.octets = protowire.AppendVarint(e.octets, uint64(len(payload)))
	return mem.BufferSlice{mem.SliceBuffer(e.octets), mem.SliceBuffer(payload)}
}

func (e *encoder) slice() mem.BufferSlice {
	return mem.BufferSlice{mem.SliceBuffer(e.octets)}
}

// field is one field as it stands on the wire: number, and the value of whichever type it has.
type field struct {
	number protowire.Number
	varint uint64
	bytes  []byte
}

// eachField hands on the varint and length-delimited fields in order; others are skipped. Values are parts of octets.
func eachField(octets []byte, visit func(field)) error {
	for len(octets) > 0 {
		number, wireType, n := protowire.ConsumeTag(octets)
		if n < 0 {
			return fmt.Errorf("flow.proto: %w", protowire.ParseError(n))
		}
		octets = octets[n:]
		found := field{number: number}
		switch wireType {
		case protowire.VarintType:
			found.varint, n = protowire.ConsumeVarint(octets)
		case protowire.BytesType:
			found.bytes, n = protowire.ConsumeBytes(octets)
		default:
			n = protowire.ConsumeFieldValue(number, wireType, octets)
		}
		if n < 0 {
			return fmt.Errorf("flow.proto, field %d: %w", number, protowire.ParseError(n))
		}
		octets = octets[n:]
		if wireType == protowire.VarintType || wireType == protowire.BytesType {
			visit(found)
		}
	}
	return nil
}
