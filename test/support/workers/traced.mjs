/**
 * Plugins of an author whose process creates its own traces, as both kinds of worker: `traced.mjs OTLP-ENDPOINT
 * SECRETS-FOLDER`.
 */
import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { definePlugin, runActivityWorker, runHttpWorker } from '@knowledge-warehouse/plugin';

const [endpoint = '', secretsFolder = ''] = process.argv.slice(2);
const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces` });
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
propagation.setGlobalPropagator(new W3CTraceContextPropagator());
trace.setGlobalTracerProvider(
  new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'author' }),
    spanProcessors: [new SimpleSpanProcessor(exporter)],
  }),
);

const plugin = (kind) =>
  definePlugin({
    id: `traced-${kind}`,
    name: 'Traced',
    version: '1.0.0',
    configSchema: { type: 'object' },
    produces: [kind],
    async run(ctx) {
      const span = trace.getTracer('author').startSpan(`work of ${kind}`);
      const text = (await ctx.source.buffer()).toString();
      await ctx.emit({ type: kind, content_type: 'text', content: text.toUpperCase() });
      span.end();
    },
  });

await Promise.all([
  runActivityWorker([plugin('activity')]),
  runHttpWorker([plugin('http')], { secretsFolder, port: 0 }),
]);
