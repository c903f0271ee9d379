import { PROOFS } from './visibility';
import { competitiveRefinement } from './visibility/competitive-refinement';
import { PROMPT } from './visibility/conversation';
import { debateTournament, sidesOf } from './visibility/debate-tournament';
import { indiscretions } from './visibility/discretion';
import { actualMatrix } from './visibility/matrix';
import { readPrompt, tokensIn } from './visibility/read-prompt';
import { closing, members, type Setup, token } from './visibility/setup';
import { startVisibilityApp, type VisibilityApp } from './visibility/visibility-app';
import { UMPIRE } from './visibility/wave-models';

const SCENE: Setup = { members: members(4), rounds: 2, explained: true, formal: true };
/** Models with a display name beside their id. */
const LISTED = { ash: 'claude-sonnet-5', birch: 'gpt-4o', cedar: 'gemini-2.5-pro', [UMPIRE]: 'claude-opus-4-8' };
const LISTED_NAMES = [...Object.values(LISTED), 'Claude Sonnet 5', 'GPT-4o', 'Gemini 2.5 Pro', 'Claude Opus 4.8'];

describe('nobody is named to anybody', () => {
  let service: VisibilityApp;
  beforeAll(async () => {
    service = await startVisibilityApp();
  });
  afterAll(() => service.app.close());

  it.each(PROOFS)(
    '$strategy: no reader is told by a text which listed model wrote it, but for its own',
    async (proof) => {
      const setup: Setup = { ...SCENE, members: members(3), formal: false };
      const { calls } = await service.run(proof, setup, {
        models: LISTED,
        speak: (heard) =>
          heard.does === 'analyse'
            ? undefined
            : `${token(heard)}. ${LISTED_NAMES.map((name) => `I am ${name}.`).join(' ')}`,
      });
      const shown = calls.map(({ call }) => readPrompt(call.prompt));
      const foreign = shown.map(({ fenced }) =>
        fenced.filter(({ title }) => title !== 'yours').map(({ text }) => text),
      );
      expect(foreign.flat().join()).toContain('I am [a model]. I am [a model].');
      for (const name of LISTED_NAMES) {
        expect(shown.map(({ frame }) => frame).join()).not.toContain(name);
        expect(foreign.flat().join()).not.toContain(name);
      }
    },
  );

  it('a text may speak of models, in code too; a name the user wrote is left alone everywhere', async () => {
    const USERS = PROMPT.slice(0, 11);
    const said = `Better than gpt-4o. I am ${USERS}. I am gpt-4o, made by OpenAI. \`model="I am gpt-4o"\``;
    const { calls } = await service.run(
      competitiveRefinement,
      { ...SCENE, members: members(3) },
      {
        models: { ...LISTED, cedar: USERS },
        speak: (heard) => (heard.does === 'draft' || heard.does === 'revise' ? `${token(heard)} ${said}` : undefined),
      },
    );
    const answer = calls.at(-1)?.call.prompt.turns.at(-1)?.text;
    expect(USERS).toBe('Is a tomato');
    expect(answer).toContain(
      'Better than gpt-4o. I am Is a tomato. I am [a model], made by [a company]. `model="I am gpt-4o"`',
    );
  });

  it('the answer that the user gets is never masked', async () => {
    const { reply } = await service.run(competitiveRefinement, SCENE, {
      models: LISTED,
      speak: ({ does }) => (does === 'answer' ? 'I am Claude Opus 4.8, made by Anthropic.\n\n— Claude' : undefined),
    });
    expect(reply.choices[0].message.content).toBe('I am Claude Opus 4.8, made by Anthropic.\n\n— Claude');
  });

  it.each(PROOFS)('$strategy: two runs share no fence, two calls of a run do', async (proof) => {
    const nonces = async () => {
      const { calls } = await service.run(proof, SCENE);
      const text = calls.map(({ call }) => call.prompt.turns.at(-1)?.text).join('\n');
      return new Set([...text.matchAll(/<<([0-9a-f]{6,64}) /g)].map(([, nonce]) => nonce));
    };
    const [one, other] = [await nonces(), await nonces()];
    expect([one.size, other.size]).toEqual([1, 1]);
    expect(one).not.toEqual(other);
  });

  // The verdicts of a debate are about sides A and B, and its answer is shown the sides by name.
  it.each(PROOFS.filter((proof) => proof !== debateTournament))(
    '$strategy: analysis and answer speak of the same labels',
    async (proof) => {
      const { calls } = await service.run(proof, { ...SCENE, rounds: 3 });
      const [analysis = [], answer = []] = calls
        .slice(-2)
        .map(({ call }) => readPrompt(call.prompt).fenced.map(({ title, text }) => `${title}: ${tokensIn(text)}`));
      expect(answer.slice(0, -1)).toEqual(analysis);
      expect(answer.at(-1)).toBe('analysis: umpire.analyse.0.point,umpire.analyse.0.rationale');
    },
  );

  it('debate_tournament: each side is side A in one of the two readings', async () => {
    const { calls } = await service.run(debateTournament, SCENE);
    const { proposition, opposition } = sidesOf(SCENE.members);
    const sidesA = calls
      .filter(({ does }) => does === 'analyse')
      .map(({ call }) => readPrompt(call.prompt).fenced.filter(({ title }) => title.startsWith('A')))
      .map((texts) => texts.map(({ text }) => tokensIn(text)[0]?.split('.')[0]).sort());
    expect(sidesA).toEqual([proposition, opposition]);
  });

  it.each(PROOFS)(
    'regression: $strategy: the call for follow-up prompts is shown one text, and no name',
    async (proof) => {
      const setup: Setup = { ...SCENE, explained: false };
      const full = proof.waves(setup);
      const ends = closing(setup, []).length;
      const { calls, waves } = await service.run(proof, setup, {
        options: { includeFollowUpPrompts: true },
        waves: [
          ...full.slice(0, -ends),
          {
            round: 0,
            calls: [
              { who: UMPIRE, does: 'answer' },
              { who: UMPIRE, does: 'follow_ups' },
            ],
          },
        ],
      });
      const [asked] = actualMatrix(waves.slice(-1))
        .flat()
        .filter((line) => line.includes('follow_ups'));
      const authors = [...(asked ?? '').matchAll(/(\w+)\.(?:draft|revise|final)/g)].map(([, who]) => who);
      expect(new Set(authors).size).toBe(1);
      expect(calls.flatMap(indiscretions)).toEqual([]);
    },
  );

  it('competitive_refinement: ballots reach the arbiter as points by label, after the texts', async () => {
    // Everybody ranks dogwood first and ash last among those it may rank; dogwood ranks birch, cedar, ash.
    const ORDER = ['dogwood', 'birch', 'cedar', 'ash'];
    const { calls } = await service.run(
      competitiveRefinement,
      { ...SCENE, explained: false },
      {
        speak: (heard) => {
          if (heard.does !== 'revise') return undefined;
          const labelOf = (who: string) =>
            readPrompt(heard.call.prompt).fenced.find(
              ({ title, text }) => title !== 'yours' && text.includes(`~${who}.`),
            )?.title;
          return `${token(heard)}\nREVISION: changed; BALLOT: ${ORDER.flatMap((who) => labelOf(who) ?? []).join(' > ')}`;
        },
      },
    );
    const { fenced, frame } = readPrompt(calls.at(-1)?.call.prompt ?? { turns: [] });
    const label = (who: string) => fenced.find(({ text }) => text.includes(`~${who}.revise`))?.title;
    // On three ballots each, worth 1, ½ and 0: dogwood 1 + 1 + 1, birch ½ + ½ + 1, cedar 0 + ½ + ½, ash 0 + 0 + 0.
    const points = { dogwood: 3, birch: 2, cedar: 1, ash: 0 };
    const words = ORDER.map((who) => `${label(who)} ${points[who as keyof typeof points]}`).join(', ');
    expect(frame).toContain(words);
    expect(frame.lastIndexOf('<fenced>')).toBeLessThan(frame.indexOf(words));
  });
});
