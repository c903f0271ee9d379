import type { ProviderCall } from '../../src/models/model';
import type { Script } from '../../src/providers/scripted';
import { startTestApp, type TestApp } from '../support/test-app';

/**
 * Who saw what in competitive refinement, proven with unique tokens: every scripted answer carries one that names its
 * author and round, so a prompt betrays exactly whose texts it was built from (reference: ensemble §5, §6.1).
 */

const SYSTEM = 'SYSTEM-PROMPT-TOKEN';
const PROMPT = 'PROMPT-TOKEN';
const EARLIER = 'HISTORY-TOKEN';
const MODELS = ['alpha-1', 'bravo-2', 'charlie-3'];
const ARBITER = 'umpire-9';

interface Seen {
  readonly model: string;
  readonly purpose: string;
  readonly text: string;
  readonly system: string | undefined;
}

/** A script that answers with a token of author, purpose and how often that author was called, and records prompts. */
function recorder(): { script: Script; seen: Seen[] } {
  const seen: Seen[] = [];
  const script: Script = ({ providerModel: model, purpose, prompt }: ProviderCall) => {
    const text = prompt.turns.map((turn) => turn.text).join('\n');
    const round = seen.filter((call) => call.model === model && call.purpose !== 'analyse').length + 1;
    seen.push({ model, purpose, text, system: prompt.system });
    if (purpose === 'analyse') return { text: '{"winner":"A","rationale":"Candidate A is right."}' };
    return { text: `An answer. TOKEN-${model}-${round}-END` };
  };
  return { script, seen };
}

function tokensIn(text: string): string[] {
  return (text.match(/TOKEN-[a-z]+-\d-\d+-END/g) ?? []).sort();
}

function token(model: string, round: number): string {
  return `TOKEN-${model}-${round}-END`;
}

const cases = [1, 2, 3].flatMap((n) => [1, 2, 3].flatMap((r) => [0, 1].map((v) => ({ n, r, v }))));

describe('information flow of competitive refinement', () => {
  let app: TestApp;
  let seen: Seen[];

  afterEach(() => app.close());

  describe.each(cases)('n = $n participants, r = $r rounds, v = $v', ({ n, r, v }) => {
    const models = MODELS.slice(0, n);

    beforeEach(async () => {
      const recording = recorder();
      seen = recording.seen;
      app = await startTestApp({ script: recording.script });
      const response = await app.chat({
        model: ARBITER,
        messages: [
          { role: 'system', content: SYSTEM },
          { role: 'user', content: EARLIER },
          { role: 'assistant', content: 'Earlier answer.' },
          { role: 'user', content: PROMPT },
        ],
        ai_ensemble: { models, rounds: r, includeReasoning: v === 1 },
      });
      expect(response.status).toBe(200);
    });

    it('makes n·r + 1 + v calls', () => {
      expect(seen).toHaveLength(n * r + 1 + v);
      expect(seen.filter((call) => call.purpose === 'draft')).toHaveLength(n);
      expect(seen.filter((call) => call.purpose === 'revise')).toHaveLength(n * (r - 1));
      expect(seen.filter((call) => call.purpose === 'analyse')).toHaveLength(v);
      expect(seen.filter((call) => call.model === ARBITER)).toHaveLength(1 + v);
    });

    it('shows everybody the history and the prompt', () => {
      for (const call of seen) {
        expect(call.text).toContain(EARLIER);
        expect(call.text).toContain(PROMPT);
      }
    });

    it('keeps round 1 independent: no draft has seen another answer', () => {
      for (const call of seen.filter(({ purpose }) => purpose === 'draft')) expect(tokensIn(call.text)).toEqual([]);
    });

    it('shows each reviser all last drafts, its own included, and nothing older', () => {
      for (const model of models) {
        const revisions = seen.filter((call) => call.purpose === 'revise' && call.model === model);
        for (const [index, call] of revisions.entries()) {
          expect(tokensIn(call.text)).toEqual(models.map((other) => token(other, index + 1)).sort());
        }
      }
    });

    it('shows the arbiter every last draft, and the first one where it changed', () => {
      const expected = models
        .flatMap((model) => (r === 1 ? [token(model, 1)] : [token(model, 1), token(model, r)]))
        .sort();
      for (const call of seen.filter(({ model }) => model === ARBITER)) expect(tokensIn(call.text)).toEqual(expected);
    });

    it('gives the system prompt to the arbiter and to nobody else', () => {
      for (const call of seen) {
        expect(call.system).toBe(call.model === ARBITER ? SYSTEM : undefined);
        expect(call.text).not.toContain(SYSTEM);
      }
    });
  });

  describe('anonymity', () => {
    const NAMES = [...MODELS, ARBITER];
    /** Every model signs its answer with its own name and names another. */
    const signing: Script = ({ providerModel: model, purpose, prompt }) => {
      const text = prompt.turns.map((turn) => turn.text).join('\n');
      seen.push({ model, purpose, text, system: prompt.system });
      if (purpose === 'analyse') return { text: '{"winner":"B","rationale":"Candidate B wins."}' };
      return { text: `I am ${model}, better than ${MODELS[0]}.` };
    };

    it('masks the names of the panel in everything but the author’s own draft', async () => {
      seen = [];
      app = await startTestApp({ script: signing });
      await app.chat({ model: ARBITER, ai_ensemble: { models: MODELS, rounds: 2, includeReasoning: true } });
      const arbiterTexts = seen.filter(({ model }) => model === ARBITER).map(({ text }) => text);
      expect(arbiterTexts).toHaveLength(2);
      for (const text of arbiterTexts) {
        for (const name of NAMES) expect(text).not.toContain(name);
      }
      for (const call of seen.filter(({ purpose }) => purpose === 'revise')) {
        for (const other of MODELS.slice(1).filter((name) => name !== call.model))
          expect(call.text).not.toContain(other);
      }
    });

    it('leaves a model name alone that the user wrote', async () => {
      seen = [];
      app = await startTestApp({ script: signing });
      const messages = [{ role: 'user', content: `Compare ${MODELS[0]} with itself` }];
      await app.chat({ model: ARBITER, messages, ai_ensemble: { models: MODELS } });
      const final = seen.find(({ purpose }) => purpose === 'answer');
      expect(final?.text).toContain(`better than ${MODELS[0]}`);
      expect(final?.text).not.toContain(MODELS[1]);
    });

    it('tells the user the winner by name, not by label', async () => {
      seen = [];
      app = await startTestApp({ script: signing });
      const response = await app.chat({ model: ARBITER, ai_ensemble: { models: MODELS, includeReasoning: true } });
      const body = (await response.json()) as { choices: [{ message: { explanation: string } }] };
      const { explanation } = body.choices[0].message;
      expect(MODELS.filter((name) => explanation.includes(`Strongest answer: ${name}.`))).toHaveLength(1);
      expect(MODELS.filter((name) => explanation.includes(`${name} wins.`))).toHaveLength(1);
    });
  });
});
