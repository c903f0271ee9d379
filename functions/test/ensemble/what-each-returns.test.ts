import { chainOfThought } from './visibility/chain-of-thought';
import { collaborativeSynthesis } from './visibility/collaborative-synthesis';
import { competitiveRefinement } from './visibility/competitive-refinement';
import { debateTournament } from './visibility/debate-tournament';
import { expertPanel } from './visibility/expert-panel';
import { hierarchical } from './visibility/hierarchical';
import { readPrompt, tokensIn } from './visibility/read-prompt';
import { redTeamBlueTeam } from './visibility/red-team-blue-team';
import { analysisOf, members, type Setup, type StrategyProof } from './visibility/setup';
import { startVisibilityApp, type VisibilityApp } from './visibility/visibility-app';
import type { HeardCall } from './visibility/wave-models';

/** Four members in two rounds: ash, birch, cedar, dogwood. */
const SCENE: Setup = { members: members(4), rounds: 2, explained: true, formal: true };
const OFFERED = { options: { includeCandidates: true } };

/** What a strategy gives back (docs/strategies.md). */
interface Row {
  readonly proof: StrategyProof;
  /** Each candidate: its model, the tokens of its text, and its part in the strategy. */
  readonly candidates: readonly (readonly [who: string, tokens: string, note: string])[];
  /** What the explanation says beside the arbiter’s own comparison. */
  readonly explains: readonly string[];
}

const EVERYBODY = SCENE.members.map((who) => [who, `${who}.revise.2`, ''] as const);
const ROWS: readonly Row[] = [
  { proof: competitiveRefinement, candidates: EVERYBODY, explains: [] },
  { proof: collaborativeSynthesis, candidates: EVERYBODY, explains: [] },
  {
    proof: expertPanel,
    candidates: EVERYBODY.map(([who, text], index) => [who, text, `~umpire.cast.0.name${index}~, I am [a model]`]),
    explains: ['zq-ash-70b: ~umpire.cast.0.name0~', 'zq-dogwood-70b: ~umpire.cast.0.name3~'],
  },
  {
    proof: debateTournament,
    candidates: EVERYBODY.map(([who, text], index) => [who, text, index % 2 === 0 ? 'proposition' : 'opposition']),
    explains: ['The proposition wins', 'zq-ash-70b: proposition', 'zq-birch-70b: opposition'],
  },
  {
    proof: hierarchical,
    candidates: [
      ['birch', 'birch.revise.2', '~ash.plan.0.title0~, I am [a model]'],
      ['cedar', 'cedar.revise.2', '~ash.plan.0.title1~, I am [a model]'],
    ],
    explains: [
      '1. ~ash.plan.0.title0~, I am [a model] (zq-birch-70b)',
      '2. ~ash.plan.0.title1~, I am [a model] (zq-cedar-70b)',
      'Not approved',
      'major: ~dogwood.review.2.birch~',
      'major: ~dogwood.review.2.cedar~',
    ],
  },
  {
    proof: chainOfThought,
    candidates: EVERYBODY.map(([who, text]) => [who, `${who}.final ${text}`, '']),
    explains: [
      '~ash.final~, I am zq-ash-70b: zq-ash-70b',
      '~dogwood.final~, I am zq-dogwood-70b: zq-dogwood-70b',
      'zq-birch-70b: step 2: ~ash.revise.2.check~',
      'zq-ash-70b: step 2: ~dogwood.revise.2.check~',
    ],
  },
  {
    proof: redTeamBlueTeam,
    candidates: [
      ['ash', 'ash.revise.2', ''],
      ['cedar', 'cedar.revise.2', ''],
    ],
    explains: ['zq-ash-70b, major: ~birch.attack.2.ash.why~', 'zq-cedar-70b, major: ~dogwood.attack.2.cedar.why~'],
  },
];

describe('what each strategy returns', () => {
  let service: VisibilityApp;
  beforeAll(async () => {
    service = await startVisibilityApp();
  });
  afterAll(() => service.app.close());

  it.each(ROWS)(
    '$proof.strategy: candidates are the last words, without what was not meant for the user',
    async (row) => {
      const { reply } = await service.run(row.proof, SCENE, OFFERED);
      const candidates = reply.choices[0].candidates ?? [];
      expect(candidates.map(({ modelId, response }) => [modelId, tokensIn(response).join(' ')])).toEqual(
        row.candidates.map(([who, tokens]) => [`zq-${who}-70b`, tokens]),
      );
      for (const { response } of candidates) {
        expect(response).toMatch(
          /^In short: ~\w+\.revise\.2~, I am zq-\w+-70b\. As zq-\w+-70b, I know better: my name is zq-\w+-70b\./,
        );
        expect(response).not.toMatch(/REVISION|DISSENT|STANCE|CHECK|RESPONSES/);
      }
    },
  );

  it.each(ROWS)('$proof.strategy: a stream tells what each candidate did', async (row) => {
    const { reply } = await service.stream(row.proof, SCENE, OFFERED);
    const told = reply.chunks.flatMap(({ candidates }) => candidates ?? []);
    expect(told.map(({ model, text, reasoning }) => [model, tokensIn(text).join(' '), reasoning])).toEqual(
      row.candidates.map(([who, tokens, note]) => [`zq-${who}-70b`, tokens, note]),
    );
    expect(reply.content).toBe('It is one. ~umpire.answer~');
  });

  it.each(ROWS)('$proof.strategy: the explanation', async ({ proof, explains }) => {
    const { reply } = await service.run(proof, SCENE);
    const { explanation = '' } = reply.choices[0].message;
    const parts = proof === debateTournament ? ['first', 'first.point'] : ['rationale', 'point'];
    const compared = parts.map((part) => `~umpire.analyse.0.${part}~`);
    for (const fact of [...compared, ...explains]) expect(explanation).toContain(fact);
  });

  it.each(ROWS)('$proof.strategy: without explanation and candidates there are none', async ({ proof }) => {
    const { reply } = await service.run(proof, { ...SCENE, explained: false });
    expect(reply.choices[0].message).toEqual({ role: 'assistant', content: 'It is one. ~umpire.answer~' });
    expect(reply.choices[0]).not.toHaveProperty('candidates');
  });

  it.each([
    { proof: competitiveRefinement, fails: 'birch', silent: ['birch.1'] },
    { proof: collaborativeSynthesis, fails: 'birch', silent: ['birch.1'] },
    { proof: expertPanel, fails: 'birch', silent: ['birch.1'] },
    { proof: debateTournament, fails: 'cedar', silent: ['cedar.1'] },
    { proof: hierarchical, fails: 'birch', silent: ['birch.1', 'birch.2'] },
    { proof: chainOfThought, fails: 'birch', silent: ['birch.1'] },
    { proof: redTeamBlueTeam, fails: 'cedar', silent: ['cedar.0'] },
  ])('$proof.strategy: one that never delivered is no candidate, and the explanation names it', async (row) => {
    const { reply } = await service.run(row.proof, { ...SCENE, silent: row.silent }, OFFERED);
    const [{ candidates, message }] = reply.choices;
    const ids = ROWS.find(({ proof }) => proof === row.proof)?.candidates.map(([who]) => who) ?? [];
    expect(candidates?.map(({ modelId }) => modelId)).toEqual(
      ids.filter((who) => who !== row.fails).map((who) => `zq-${who}-70b`),
    );
    expect(message.explanation).toContain(`zq-${row.fails}-70b did not answer in round 1 (not found)`);
  });

  it('hierarchical: one model alone offers no candidates: its parts are no answers', async () => {
    const { reply } = await service.run(hierarchical, { ...SCENE, members: members(1) }, OFFERED);
    expect(reply.choices[0]).not.toHaveProperty('candidates');
  });

  it('hierarchical: an approval is told as one, and leaves no defect open', async () => {
    const { reply } = await service.run(
      hierarchical,
      { ...SCENE, rounds: 1 },
      {
        speak: ({ does }) => (does === 'review' ? '{"verdict":"approve","defects":[]}' : undefined),
      },
    );
    const { explanation = '' } = reply.choices[0].message;
    expect(explanation).toContain('Approved.');
    expect(explanation).not.toContain('review.1');
  });

  it.each([
    { rule: 'an arbiter that always prefers the side shown first', says: () => 'A', verdict: 'Split' },
    { rule: 'an arbiter that prefers nobody', says: () => null, verdict: 'Split' },
    {
      rule: 'the opposition in either order',
      says: (isFirst: boolean) => (isFirst ? 'B' : 'A'),
      verdict: 'The opposition wins',
    },
  ])('debate_tournament: $rule: $verdict', async ({ says, verdict }) => {
    const { reply } = await service.run(debateTournament, SCENE, {
      speak: (heard) => {
        if (heard.does !== 'analyse') return undefined;
        const isFirst = /~(?:ash|cedar)\./.test(readPrompt(heard.call.prompt).fenced[0]?.text ?? '');
        return JSON.stringify({ winner: says(isFirst), rationale: 'So it is.' });
      },
    });
    expect(reply.choices[0].message.explanation).toMatch(new RegExp(`^${verdict}`));
  });

  it('labels in the arbiter’s comparison read as names', async () => {
    const labelOf = (heard: HeardCall, who: string) =>
      readPrompt(heard.call.prompt).fenced.find(({ text }) => text.includes(`~${who}.`))?.title;
    const { reply } = await service.run(collaborativeSynthesis, SCENE, {
      speak: (heard) => {
        if (heard.does !== 'analyse') return undefined;
        const provenance = [`the colour is from contribution ${labelOf(heard, 'cedar')}`];
        return JSON.stringify({ ...JSON.parse(analysisOf(heard)), provenance });
      },
    });
    expect(reply.choices[0].message.explanation).toContain('the colour is from zq-cedar-70b');
  });
});
