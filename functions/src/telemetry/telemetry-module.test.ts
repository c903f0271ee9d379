import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { metrics, trace } from '@opentelemetry/api';
import { during } from '../../test/support/during';
import { temporaryDirectory } from '../../test/support/temporary-directory';
import { loadTelemetryModule } from './telemetry-module';

const API = JSON.stringify(require.resolve('@opentelemetry/api'));
const SDK = JSON.stringify(require.resolve('@opentelemetry/sdk-metrics'));
const REGISTERS = `require(${API}).metrics.setGlobalMeterProvider(new (require(${SDK}).MeterProvider)());`;

describe('loadTelemetryModule', () => {
  const folder = during('each', temporaryDirectory);
  afterEach(() => {
    metrics.disable();
    trace.disable();
  });

  const write = (path: string, text: string) => writeFileSync(join(folder.path, path), text);
  const load = (text: string) => {
    write('telemetry.cjs', text);
    return loadTelemetryModule('./telemetry.cjs', folder.path);
  };

  it('finds packages that are installed in the folder', async () => {
    mkdirSync(join(folder.path, 'node_modules', 'our-telemetry'), { recursive: true });
    write('node_modules/our-telemetry/index.js', REGISTERS);
    await expect(loadTelemetryModule('our-telemetry', folder.path)()).resolves.toBeUndefined();
  });

  it.each([
    ['registers nothing', 'exports.shutdown = () => {};', /^TELEMETRY_MODULE=\.\/telemetry\.cjs has registered no /],
    [
      'registers with an older API, which could not be reached',
      "globalThis[Symbol.for('opentelemetry.js.api.1')] = { version: '1.9.0', metrics: { getMeter: () => ({}) } };",
      /has registered no OpenTelemetry SDK, or one without @opentelemetry\/api 1\.10 or newer$/,
    ],
    [
      'cannot be loaded',
      "require('no-such-sdk');",
      /^TELEMETRY_MODULE=\.\/telemetry\.cjs cannot be loaded: .*no-such-sdk/,
    ],
  ])('refuses one that %s, and names the setting', (_, text, words) => {
    expect(() => load(text)).toThrow(words);
    delete (globalThis as Record<symbol, unknown>)[Symbol.for('opentelemetry.js.api.1')];
  });
});
