package main

import "google.golang.org/grpc/mem"

// The messages of protos/penstock/demo/v1/flow.proto; field numbers are those of that file.

type unaryRequest struct {
	payload       []byte
	responseBytes uint32
	delayMs       uint32
}

func (m *unaryRequest) marshal() mem.BufferSlice {
	var e encoder
	e.varint(2, uint64(m.responseBytes))
	e.varint(3, uint64(m.delayMs))
	return e.withPayload(1, m.payload)
}

func (m *unaryRequest) unmarshal(octets []byte) error {
	return eachField(octets, func(f field) {
		switch f.number {
		case 1:
			m.payload = f.bytes
		case 2:
			m.responseBytes = uint32(f.varint)
		case 3:
			m.delayMs = uint32(f.varint)
		}
	})
}

type unaryResponse struct {
	payload       []byte
	receivedBytes uint32
}

func (m *unaryResponse) marshal() mem.BufferSlice {
	var e encoder
	e.varint(2, uint64(m.receivedBytes))
	return e.withPayload(1, m.payload)
}

func (m *unaryResponse) unmarshal(octets []byte) error {
	return eachField(octets, func(f field) {
		switch f.number {
		case 1:
			m.payload = f.bytes
		case 2:
			m.receivedBytes = uint32(f.varint)
		}
	})
}

type downloadRequest struct {
	bytes        uint64
	messageBytes uint32
	delayMs      uint32
}

func (m *downloadRequest) marshal() mem.BufferSlice {
	var e encoder
	e.varint(1, m.bytes)
	e.varint(2, uint64(m.messageBytes))
	e.varint(3, uint64(m.delayMs))
	return e.slice()
}

func (m *downloadRequest) unmarshal(octets []byte) error {
	return eachField(octets, func(f field) {
		switch f.number {
		case 1:
			m.bytes = f.varint
		case 2:
			m.messageBytes = uint32(f.varint)
		case 3:
			m.delayMs = uint32(f.varint)
		}
	})
}

type chunk struct {
	payload []byte
	delayMs uint32
}

func (m *chunk) marshal() mem.BufferSlice {
	var e encoder
	e.varint(2, uint64(m.delayMs))
	return e.withPayload(1, m.payload)
}

func (m *chunk) unmarshal(octets []byte) error {
	return eachField(octets, func(f field) {
		switch f.number {
		case 1:
			m.payload = f.bytes
		case 2:
			m.delayMs = uint32(f.varint)
		}
	})
}

type uploadSummary struct {
	bytes    uint64
	messages uint32
}

func (m *uploadSummary) marshal() mem.BufferSlice {
	var e encoder
	e.varint(1, m.bytes)
	e.varint(2, uint64(m.messages))
	return e.slice()
}

func (m *uploadSummary) unmarshal(octets []byte) error {
	return eachField(octets, func(f field) {
		switch f.number {
		case 1:
			m.bytes = f.varint
		case 2:
			m.messages = uint32(f.varint)
		}
	})
}

type chatMessage struct {
	sequence uint32
	text     []byte
	payload  []byte
	delayMs  uint32
}

func (m *chatMessage) marshal() mem.BufferSlice {
	var e encoder
	e.varint(1, uint64(m.sequence))
	e.bytes(2, m.text)
	e.varint(4, uint64(m.delayMs))
	return e.withPayload(3, m.payload)
}

func (m *chatMessage) unmarshal(octets []byte) error {
	return eachField(octets, func(f field) {
		switch f.number {
		case 1:
			m.sequence = uint32(f.varint)
		case 2:
			m.text = f.bytes
		case 3:
			m.payload = f.bytes
		case 4:
			m.delayMs = uint32(f.varint)
		}
	})
}

type failRequest struct {
	code    uint32
	message []byte
}

func (m *failRequest) marshal() mem.BufferSlice {
	var e encoder
	e.varint(1, uint64(m.code))
	e.bytes(2, m.message)
	return e.slice()
}

func (m *failRequest) unmarshal(octets []byte) error {
	return eachField(octets, func(f field) {
		switch f.number {
		case 1:
			m.code = uint32(f.varint)
		case 2:
			m.message = f.bytes
		}
	})
}

type failResponse struct{}

func (*failResponse) marshal() mem.BufferSlice { return nil }

func (*failResponse) unmarshal([]byte) error { return nil }
