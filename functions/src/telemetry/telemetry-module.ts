import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createNoopMeter, metrics, type ProxyTracerProvider, trace } from '@opentelemetry/api';
import { SettingsError } from '../lib/settings-reader';

interface TelemetryModule {
  /** Sends what is not yet sent; waited for when the process ends. */
  readonly shutdown?: () => Promise<void>;
}

/** Loads the module that registers an OpenTelemetry SDK, or throws; returns what sends the rest at the end. */
export function loadTelemetryModule(name: string, folder: string): () => Promise<void> {
  const { shutdown } = required(name, folder);
  if (!isRegistered()) {
    throw new SettingsError(
      `TELEMETRY_MODULE=${name} has registered no OpenTelemetry SDK, or one without @opentelemetry/api 1.10 or newer`,
    );
  }
  return async () => shutdown?.();
}

function required(name: string, folder: string): TelemetryModule {
  try {
    return createRequire(join(folder, 'index.js'))(name) as TelemetryModule;
  } catch (error) {
    const [why] = String(error).split('\n', 1);
    throw new SettingsError(`TELEMETRY_MODULE=${name} cannot be loaded: ${why}`, { cause: error });
  }
}

function isRegistered(): boolean {
  const tracers = trace.getTracerProvider() as Partial<ProxyTracerProvider>;
  const hasTracer = tracers.getDelegateTracer?.('ensemble-api') !== undefined;
  return hasTracer || metrics.getMeter('ensemble-api') !== createNoopMeter();
}
