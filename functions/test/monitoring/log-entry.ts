/** A log entry, as far as filters look at it. */
export interface LogEntry {
  readonly resource: { readonly type: string; readonly labels: { readonly service_name: string } };
  readonly severity: string;
  readonly timestamp?: string;
  readonly trace?: string;
  readonly jsonPayload?: Readonly<Record<string, unknown>>;
  readonly textPayload?: string;
}

/**
 * What Cloud Run makes of a line on stdout: the fields that Cloud Logging knows leave the payload, and a message that is
 * left alone becomes text.
 */
export function entryOf(line: string, service: string): LogEntry {
  const {
    severity,
    time,
    'logging.googleapis.com/trace': trace,
    ...payload
  } = JSON.parse(line) as Record<string, unknown>;
  const isTextAlone = Object.keys(payload).join() === 'message';
  return {
    resource: { type: 'cloud_run_revision', labels: { service_name: service } },
    severity: String(severity),
    ...(time !== undefined && { timestamp: String(time) }),
    ...(trace !== undefined && { trace: String(trace) }),
    ...(isTextAlone ? { textPayload: String(payload['message']) } : { jsonPayload: payload }),
  };
}

/** The value at a path such as `jsonPayload."error.type"`; undefined where there is none. */
export function valueAt(entry: LogEntry, path: string): unknown {
  const names = [...path.matchAll(/"([^"]+)"|([^."]+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
  return names.reduce<unknown>((at, name) => (isRecord(at) ? at[name] : undefined), entry);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
