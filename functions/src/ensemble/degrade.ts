import type { Run } from './run';

/** Says openly that a run is less than what was asked for: while streaming, on the reply, and in the explanation. */
export function degrade(run: Run, text: string): void {
  run.notes.push(text);
  run.emit({ type: 'status', text });
  run.emit({ type: 'degraded', text });
}
