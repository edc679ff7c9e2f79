import {
  type CallOptions,
  type Client,
  Metadata,
  type MethodDefinition,
  type ServiceError,
  type StatusObject,
  status,
} from '@grpc/grpc-js';

/** How one call of the demo ended. `fault` says what was wrong with a response whose status may be right. */
export interface CallResult {
  status: string;
  detail: string;
  fault?: string;
}

/** A call that finished: its status and what the client received. */
export interface Finished<Response> {
  status: string;
  message: string;
  headers: Metadata;
  responses: Response[];
}

/**
 * No call may hang the demo: without a deadline of its own, a call ends with DEADLINE_EXCEEDED after 30 seconds.
 */
const patienceMs = 30_000;

function callOptions(deadlineMs: number | undefined): CallOptions {
  return { deadline: Date.now() + (deadlineMs ?? patienceMs) };
}

function finishedWith<Response>(
  end: Pick<StatusObject, 'code' | 'details'>,
  headers: Metadata,
  responses: Response[],
): Finished<Response> {
  return { status: status[end.code] ?? String(end.code), message: end.details, headers, responses };
}

/** Makes a unary or client-streaming call: sends `requests` and waits for the status. Never rejects. */
export function callForOne<Request, Response>(
  client: Client,
  method: MethodDefinition<Request, Response>,
  requests: Iterable<Request>,
  metadata = new Metadata(),
  deadlineMs?: number,
): Promise<Finished<Response>> {
  return new Promise((resolve) => {
    let headers = new Metadata();
    const responses: Response[] = [];
    const take = (_error: ServiceError | null, response?: Response) => {
      if (response !== undefined) responses.push(response);
    };
    const { path, requestSerialize, responseDeserialize } = method;
    const options = callOptions(deadlineMs);
    // Both kinds of call emit `status` after the callback.
    if (method.requestStream) {
      const call = client.makeClientStreamRequest(path, requestSerialize, responseDeserialize, metadata, options, take);
      call.on('metadata', (received: Metadata) => {
        headers = received;
      });
      call.on('status', (end: StatusObject) => resolve(finishedWith(end, headers, responses)));
      for (const request of requests) call.write(request);
      call.end();
      return;
    }
    const [request] = requests;
    const call = client.makeUnaryRequest(
      path,
      requestSerialize,
      responseDeserialize,
      request as Request,
      metadata,
      options,
      take,
    );
    call.on('metadata', (received: Metadata) => {
      headers = received;
    });
    call.on('status', (end: StatusObject) => resolve(finishedWith(end, headers, responses)));
  });
}

/**
 * Makes a server-streaming call. Never rejects.
 * @param enough cancels the call after that many responses
 */
export function callForMany<Request, Response>(
  client: Client,
  method: MethodDefinition<Request, Response>,
  request: Request,
  enough = Number.POSITIVE_INFINITY,
): Promise<Finished<Response>> {
  return new Promise((resolve) => {
    const responses: Response[] = [];
    const { path, requestSerialize, responseDeserialize } = method;
    const call = client.makeServerStreamRequest(
      path,
      requestSerialize,
      responseDeserialize,
      request,
      callOptions(undefined),
    );
    call.on('data', (response: Response) => {
      responses.push(response);
      if (responses.length >= enough) call.cancel();
    });
    // The status says the same.
    call.on('error', () => undefined);
    call.on('status', (end: StatusObject) => resolve(finishedWith(end, new Metadata(), responses)));
  });
}

/** Makes a bidirectional call in which each request waits for the response to the one before. Never rejects. */
export function converse<Request, Response>(
  client: Client,
  method: MethodDefinition<Request, Response>,
  requests: readonly Request[],
): Promise<Finished<Response>> {
  return new Promise((resolve) => {
    const responses: Response[] = [];
    const { path, requestSerialize, responseDeserialize } = method;
    const call = client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize, callOptions(undefined));
    const next = () => {
      const request = requests[responses.length];
      if (request === undefined) call.end();
      else call.write(request);
    };
    call.on('data', (response: Response) => {
      responses.push(response);
      next();
    });
    call.on('error', () => undefined);
    call.on('status', (end: StatusObject) => resolve(finishedWith(end, new Metadata(), responses)));
    next();
  });
}
