package main

import (
	"context"

	"google.golang.org/grpc"
)

// flowDesc is what protoc-gen-go-grpc would write for flow.proto.
var flowDesc = grpc.ServiceDesc{
	ServiceName: flowName,
	HandlerType: (*any)(nil),
	Methods: []grpc.MethodDesc{
		unaryMethod("Unary", (*flowServer).unary),
		unaryMethod("Fail", (*flowServer).fail),
	},
	Streams: []grpc.StreamDesc{
		streamMethod("Download", false, true, (*flowServer).download),
		streamMethod("Upload", true, false, (*flowServer).upload),
		streamMethod("Chat", true, true, (*flowServer).chat),
	},
	Metadata: "penstock/demo/v1/flow.proto",
}

func unaryMethod[Request, Response any](
	name string,
	handle func(*flowServer, context.Context, *Request) (*Response, error),
) grpc.MethodDesc {
	handler := func(
		server any, ctx context.Context, decode func(any) error, interceptor grpc.UnaryServerInterceptor,
	) (any, error) {
		request := new(Request)
		if err := decode(request); err != nil {
			return nil, err
		}
		call := func(ctx context.Context, request any) (any, error) {
			return handle(server.(*flowServer), ctx, request.(*Request))
		}
		if interceptor == nil {
			return call(ctx, request)
		}
		info := &grpc.UnaryServerInfo{Server: server, FullMethod: "/" + flowName + "/" + name}
		return interceptor(ctx, request, info, call)
	}
	return grpc.MethodDesc{MethodName: name, Handler: handler}
}

func streamMethod(
	name string, clientStreams, serverStreams bool, handle func(*flowServer, grpc.ServerStream) error,
) grpc.StreamDesc {
	return grpc.StreamDesc{
		StreamName:    name,
		ClientStreams: clientStreams,
		ServerStreams: serverStreams,
		Handler: func(server any, stream grpc.ServerStream) error {
			return handle(server.(*flowServer), stream)
		},
	}
}
