import type { CallListener, ChatTurn, ProviderCall, ReportedUsage } from '../../src/models/model';
import { ModelFault } from '../../src/models/model-fault';

import type { Reasoning } from '../../src/models/reasoning';
import type { ToolCallPiece } from '../../src/models/tools';
import type { WebReport } from '../../src/models/web-search';

/** A call with one user turn, unless told otherwise. */
export function callOf(overrides: Partial<ProviderCall> = {}): ProviderCall {
  return {
    providerModel: 'some-model',
    prompt: { turns: [{ role: 'user', text: 'Hello' }] },
    sampling: {},
    purpose: 'answer',
    signal: new AbortController().signal,
    ...overrides,
  };
}

/** A turn with two images; their bytes are the words `png` and `jpg`. */
export const LOOK: ChatTurn = {
  role: 'user',
  text: 'Look',
  images: [
    { mediaType: 'image/png', base64: 'cG5n' },
    { mediaType: 'image/jpeg', base64: 'anBn' },
  ],
};

/** Writes down what an adapter tells, in order. */
export class RecordingListener implements CallListener {
  readonly texts: string[] = [];
  readonly toolPieces: ToolCallPiece[] = [];
  readonly usages: ReportedUsage[] = [];
  readonly webReports: WebReport[] = [];
  readonly thoughts: Reasoning[] = [];
  aliveCount = 0;
  pendingMax = 0;

  text(delta: string): Promise<void> | undefined {
    this.texts.push(delta);
    return undefined;
  }

  toolCall(piece: ToolCallPiece): Promise<void> | undefined {
    this.toolPieces.push(piece);
    return undefined;
  }

  pending(characters: number): void {
    this.pendingMax = Math.max(this.pendingMax, characters);
  }

  usage(report: ReportedUsage): void {
    this.usages.push(report);
  }

  web(report: WebReport): void {
    this.webReports.push(report);
  }

  alive(): void {
    this.aliveCount += 1;
  }

  thought(piece: Reasoning): Promise<void> | undefined {
    this.aliveCount += 1;
    this.thoughts.push(piece);
    return undefined;
  }
}

/** The fault a run ends in; throws when it ends in anything else. */
export async function faultOf(run: Promise<unknown>): Promise<ModelFault> {
  const error = await run.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof ModelFault) return error;
  throw new Error('the run did not end in a ModelFault', { cause: error });
}
