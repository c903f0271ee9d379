import { metrics } from '@opentelemetry/api';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { askedAttributes, recordCall } from './call-metrics';

const ASKED = askedAttributes({ provider: 'google', model: 'gemini-2.5-pro' });

it('records durations and, as far as they were reported, tokens; of a failure its word', async () => {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.DELTA);
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
  const provider = new MeterProvider({ readers: [reader] });
  metrics.setGlobalMeterProvider(provider);
  recordCall(ASKED, { durationMs: 1_500, promptTokens: 9, completionTokens: 4 });
  recordCall(ASKED, { durationMs: 250, promptTokens: 7, fault: 'overloaded' });
  await reader.forceFlush();
  const told = exporter.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics));
  const points = told.flatMap(({ descriptor: { name }, dataPoints }) =>
    dataPoints.map(({ attributes, value }) => ({ name, attributes, sum: (value as { sum: number }).sum })),
  );
  expect(points).toEqual([
    { name: 'gen_ai.client.operation.duration', attributes: ASKED, sum: 1.5 },
    { name: 'gen_ai.client.operation.duration', attributes: { ...ASKED, 'error.type': 'overloaded' }, sum: 0.25 },
    { name: 'gen_ai.client.token.usage', attributes: { ...ASKED, 'gen_ai.token.type': 'input' }, sum: 16 },
    { name: 'gen_ai.client.token.usage', attributes: { ...ASKED, 'gen_ai.token.type': 'output' }, sum: 4 },
  ]);
  expect(ASKED).toEqual({
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'gcp.gemini',
    'gen_ai.request.model': 'gemini-2.5-pro',
  });
  metrics.disable();
  await provider.shutdown();
});
