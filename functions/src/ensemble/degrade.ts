import type { Run } from './run';

/** Says openly, once, that a run is less than what was asked for: while streaming, on the reply, in the explanation. */
export function degrade(run: Run, text: string): void {
  if (run.notes.includes(text)) return;
  run.notes.push(text);
  run.emit({ type: 'status', text });
  run.emit({ type: 'degraded', text });
}
