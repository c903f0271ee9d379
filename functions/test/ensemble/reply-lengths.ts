import type { CallPurpose, ProviderCall } from '../../src/models/model';
import { seededRandom } from '../proof/seeded-random';
import type { Script, ScriptedReply } from '../support/scripted-models';

/** A text that is taken for one token. */
export const TOKEN = 'even ';

/** Repeatable numbers from 0 to 1. */
export function fractions(seed: number): () => number {
  const { below } = seededRandom(1 + seed * 7_919);
  return () => below(2 ** 30) / 2 ** 30;
}

const FORMS: Partial<Readonly<Record<CallPurpose, (words: string) => object>>> = {
  cast: (focus) => ({ lenses: [{ name: 'Cook', focus }] }),
  plan: (task) => ({ items: [task, task] }),
  review: (defect) => ({ verdict: 'revise', defects: [{ item: 1, severity: 'major', defect }] }),
  attack: (why) => ({ findings: [{ severity: 'major', why }] }),
  analyse: (rationale) => ({ winner: null, rationale }),
};

let revisions = 0;

/** A reply of about so many tokens in the form its call asks for: judgements that go on, of a quarter of that. No two revisions are the same. */
export function replyOfLength({ purpose }: ProviderCall, tokens: number, lastLine = ''): string {
  const form = FORMS[purpose];
  if (form) return JSON.stringify(form(TOKEN.repeat(Math.ceil(tokens / 4))));
  if (purpose !== 'revise') return TOKEN.repeat(Math.round(tokens));
  revisions += 1;
  return `${revisions} ${TOKEN.repeat(Math.round(tokens))}${lastLine}`;
}

/** Models that stop where they are told to, as every provider sees to. */
export function obedient(script: Script): (call: ProviderCall) => ScriptedReply {
  return (call) => {
    const reply = script(call);
    const { outputTokensMax = Infinity } = call;
    const text = reply.text.slice(0, TOKEN.length * outputTokensMax);
    return text === reply.text ? reply : { ...reply, text, finishReason: 'length' };
  };
}
