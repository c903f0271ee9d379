import { Readable } from 'node:stream';
import { readAttachments } from '../../../src/byok/attachments';
import { BlindLabels } from '../../../src/evaluation/blind-labels';
import { systemClock } from '../../../src/lib/clock';
import { createCatalog } from '../../../src/models/catalog';
import { askProvider } from '../../../src/models/gateway/attempt';
import { newMeter } from '../../../src/models/gateway/gateway-call';
import type { CallListener, CallPurpose, ProviderCall } from '../../../src/models/model';
import { CopiedFences } from '../../../src/prompting/copied-fences';
import { CopiedLines } from '../../../src/prompting/copied-lines';
import { fenceNonce } from '../../../src/prompting/fence';
import { newConversation } from '../../../src/prompting/prompt-draft';
import type { ReplyReader } from '../../../src/providers/transport/read-reply';
import { readReply } from '../../../src/providers/transport/read-reply';
import { SpokenText } from '../../../src/providers/transport/spoken-text';
import { event } from '../../support/fake-upstream';
import { scopeOf } from '../../support/request-scope';
import type { Reader, Readers } from './growth';
import { REQUEST_ID } from './hostile-texts';

/** Inputs of the readers, made of one hostile text. */

const PIECE_CHARACTERS = 64;
const signal = new AbortController().signal;
const ada = createCatalog().modelOf('demo-ada');
export const NONCE = fenceNonce(REQUEST_ID);
/** Bodies come whole here. */
export const nothing = () => undefined;
export const LISTENER: CallListener = {
  ...{
    text: nothing,
    toolCall: nothing,
    usage: nothing,
    web: nothing,
    alive: nothing,
    thought: nothing,
    pending: nothing,
  },
};

export function byName(...readers: readonly Reader[]): Readers {
  return Object.fromEntries(readers.map((reader) => [reader.name, reader]));
}

export function piecesOf(text: string, characters = PIECE_CHARACTERS): string[] {
  return Array.from({ length: Math.ceil(text.length / characters) }, (_, index) =>
    text.slice(index * characters, (index + 1) * characters),
  );
}

/** Takes a text in pieces; its reader is returned. */
export function inPieces<Into>(text: string, reader: Into, read: (reader: Into, piece: string) => unknown): Into {
  for (const piece of piecesOf(text)) void read(reader, piece);
  return reader;
}

export function turnsOf(text: string, roles: readonly ('user' | 'assistant')[] = ['user', 'assistant']) {
  return piecesOf(text).map((piece, index) => ({ role: roles[index % 2] ?? 'user', text: piece }));
}

export function signInOf(headers: Readonly<Record<string, string>>, remoteAddress: string) {
  return { method: 'POST', httpVersion: '1.1', recent: false, headers, remoteAddress };
}

export function copiedFences(pieces: readonly string[]): void {
  const fences = new CopiedFences(NONCE);
  for (const piece of pieces) fences.read(piece);
  fences.end();
}

/** Reads pieces as a reply to a task that begins like them, from a user who has said `usersText`. */
export function copiedLines(pieces: readonly string[], usersText = ''): void {
  const task = ['Write it again and again and then once more.', pieces.join('').slice(0, 4_096)];
  const lines = new CopiedLines({ task, usersTexts: [usersText] });
  for (const piece of pieces) lines.read(piece);
  lines.end();
}

export function draftOf(text: string) {
  return {
    system: 'x',
    conversation: newConversation({ requestId: REQUEST_ID, history: turnsOf(text), message: 'x' }),
    task: ['x', { title: 'A', text }, { title: 'B', text: `${text}!`, minor: true }],
  };
}

export function callOf(purpose: CallPurpose, text: string, providerModel = 'demo-ada'): ProviderCall {
  const schema = { properties: { winner: {}, unique: {}, items: { items: { properties: { accuracy: {} } } } } };
  const outputSchema = { name: 's', schema };
  return { providerModel, purpose, signal, sampling: {}, prompt: { turns: [{ role: 'user', text }] }, outputSchema };
}

/** Plays a reply that is these chunks of a body. */
export function bodyOf(reply: ReplyReader, chunks: Iterable<string | Buffer>) {
  return readReply(Readable.from(chunks), reply, { signal, listener: LISTENER });
}

export function eventsOf(reply: ReplyReader, text: string, chunkOf: (piece: string, index: number) => object) {
  return bodyOf(
    reply,
    piecesOf(text).map((piece, index) => event(chunkOf(piece, index))),
  );
}

export function chunksOf(text: string, bytesEach: number): Buffer[] {
  const bytes = Buffer.from(text);
  return Array.from({ length: Math.ceil(bytes.length / bytesEach) }, (_, index) =>
    bytes.subarray(index * bytesEach, (index + 1) * bytesEach),
  );
}

export function speak(text: string, call: { readonly thoughtsUnopened?: boolean } = {}): void {
  const spoken = new SpokenText(call, LISTENER);
  for (const piece of piecesOf(text, 3)) void spoken.text(piece);
  void spoken.end();
}

export function attemptIn(text: string): Promise<unknown> {
  const call = {
    ...{ scope: scopeOf(REQUEST_ID), model: ada, prompt: { turns: [{ role: 'user' as const, text: 'x' }] } },
    ...{ purpose: 'answer' as const, signal, budgetMs: 600_000, onText: nothing },
    openAttempt: () => ({ meter: newMeter(), close: nothing, cancel: nothing }),
  };
  const run = async (_: ProviderCall, listener: CallListener) => {
    for (const piece of piecesOf(text)) await listener.text(piece);
    return 'stop' as const;
  };
  const endsAtMs = systemClock.nowMs() + 600_000;
  return askProvider({ clock: systemClock, provider: () => ({ run }) }, call, { number: 1, endsAtMs });
}

export function attach(media_type: 'application/json' | 'application/pdf' | 'image/png', data: string, text: string) {
  const file = { name: text.slice(0, 200) || 'x', media_type, data };
  return readAttachments([file], { requestId: REQUEST_ID, userId: 'u1', readPdf: async () => ({ text }) });
}

export function blindLabels(text: string): BlindLabels {
  const responses = [text, `${text}!`].map((response) => ({ modelId: 'm', modelName: 'm', response }));
  return new BlindLabels(new Uint8Array(32), { message: text, responses } as never);
}
