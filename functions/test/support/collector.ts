import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A name and a value, which stands under the name of its type. */
export interface OtlpAttribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** The part of OTLP's JSON for metrics that tests look at. */
export interface OtlpMetrics {
  readonly resourceMetrics: readonly {
    readonly resource: { readonly attributes: readonly OtlpAttribute[] };
    readonly scopeMetrics: readonly {
      readonly scope: { readonly name: string };
      readonly metrics: readonly OtlpHistogram[];
    }[];
  }[];
}

interface OtlpHistogram {
  readonly name: string;
  readonly unit: string;
  readonly histogram: {
    readonly dataPoints: readonly {
      readonly attributes: readonly OtlpAttribute[];
      readonly count: number;
      readonly sum: number;
      readonly explicitBounds: readonly number[];
    }[];
  };
}

/** The part of OTLP's JSON for traces that tests look at. */
export interface OtlpTraces {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly {
      readonly spans: readonly {
        readonly traceId: string;
        readonly spanId: string;
        readonly parentSpanId: string;
        readonly name: string;
        readonly kind: number;
        readonly status: { readonly code: number };
      }[];
    }[];
  }[];
}

/** An OpenTelemetry collector on a free port of 127.0.0.1: it takes OTLP over HTTP, as JSON, and keeps it. */
export async function startCollector() {
  const bodies: { readonly path: string; readonly body: string }[] = [];
  const server = createServer(async (request, response) => {
    bodies.push({ path: request.url ?? '', body: await text(request) });
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** What was sent to a path. */
    read: <Body>(path: string): Body[] =>
      bodies.filter((sent) => sent.path === path).map(({ body }) => JSON.parse(body) as Body),
    /** All that was sent. */
    text: () => bodies.map(({ body }) => body).join('\n'),
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
