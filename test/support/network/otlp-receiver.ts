import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import protobuf from 'protobufjs';

/** The fields of OTLP messages that tests read (opentelemetry-proto, trace/v1 and collector/trace/v1). */
const { root } = protobuf.parse(`
  syntax = "proto3";
  message Request { repeated ResourceSpans resource_spans = 1; }
  message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
  message Resource { repeated KeyValue attributes = 1; }
  message ScopeSpans { repeated Span spans = 2; }
  message Span {
    bytes trace_id = 1; bytes span_id = 2; bytes parent_span_id = 4; string name = 5; int32 kind = 6;
    repeated KeyValue attributes = 9;
  }
  message KeyValue { string key = 1; AnyValue value = 2; }
  message AnyValue { oneof value { string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4; } }
`);

/** A received span. Ids are hexadecimal; `parent` is empty for the root of a trace. */
export interface ReceivedSpan {
  readonly service: string;
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly id: string;
  readonly parent: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** A receiver of traces: OTLP over HTTP, in protobuf. */
export interface OtlpReceiver {
  readonly url: string;
  readonly spans: ReceivedSpan[];
  /** The headers of every export. */
  readonly headers: IncomingHttpHeaders[];
  stop(): Promise<void>;
}

export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      receiver.headers.push(request.headers);
      if (request.url === '/v1/traces') spans.push(...read(body, request.headers['content-encoding']));
      response.writeHead(request.url === '/v1/traces' ? 200 : 404).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: OtlpReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    headers: [],
    async stop() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
  return receiver;
}

function read(body: Buffer, encoding: string | undefined): ReceivedSpan[] {
  const type = root.lookupType('Request');
  const message = type.toObject(type.decode(encoding === 'gzip' ? gunzipSync(body) : body), {
    bytes: String,
    longs: Number,
    arrays: true,
  }) as { resourceSpans: any[] };
  return message.resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(attributesOf(resource?.attributes ?? [])['service.name']);
    return scopeSpans.flatMap((scope: any) =>
      scope.spans.map((span: any) => ({
        service,
        name: span.name ?? '',
        kind: span.kind ?? 0,
        traceId: hex(span.traceId),
        id: hex(span.spanId),
        parent: hex(span.parentSpanId),
        attributes: attributesOf(span.attributes),
      })),
    );
  });
}

const hex = (base64: string | undefined): string => Buffer.from(base64 ?? '', 'base64').toString('hex');

function attributesOf(pairs: any[]): Record<string, unknown> {
  return Object.fromEntries(pairs.map(({ key, value }) => [key, Object.values(value ?? {})[0]]));
}
