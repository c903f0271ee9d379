import type { EnsembleRequest } from '../../src/ensemble/run';
import { STRATEGY_NAMES, type StrategyName } from '../../src/ensemble/strategies/strategies';
import { estimateTokens } from '../../src/models/estimate-tokens';
import type { ProviderCall } from '../../src/models/model';
import { askedOf, playRun, requestId, requestOf, shownTo } from '../support/played-run';
import { injectingModels, PANEL } from './injection/injecting-models';

/** The service's own words in prompts: few, and never against each other. */

const MESSAGE = 'Is a tomato a fruit?';
const SYSTEM = { systemPrompt: 'Be brief.' };
const TEXTS = { text: 'It is a berry.', line: 'a berry', value: 'a berry' };

/** At most so many tokens of our own in a run of three participants and two rounds, fences included. */
const OWN_TOKENS_MAX: Readonly<Record<StrategyName, number>> = {
  competitive_refinement: 1_240,
  collaborative_synthesis: 1_340,
  expert_panel: 1_920,
  debate_tournament: 2_330,
  hierarchical: 1_300,
  chain_of_thought: 1_950,
  red_team_blue_team: 1_860,
};

/** Sentences of which one prompt must not hold both. */
const CONTRADICTING: readonly (readonly [one: RegExp, other: RegExp])[] = [
  [
    /\bnothing else\b/,
    /\bBegin with (?:one|two) lines?\b|\bEnd with the line\b|\bbelow (?:it|that line|those lines)\b/,
  ],
  [/\boutput only that\b/, /\bfor the service, in\b|\bANSWER: |\bsay (?:plainly|how sure)\b.*\bbelow\b/],
  [/\bstop(?: there)?\./, /\b(?:Reply with|Write|Give) your (?:whole|complete) (?:answer|opinion|part)\b(?! below)/],
  [/\bImprove\b/, /\bLeave it as it is\b/],
  [/\bAgreement is evidence\b/, /\bHow many agree\b|\bnot by (?:count|how many)\b|\bproves nothing\b/],
  [/\bKeep (?:every|all)\b/, /\bleave it out\b/],
  [/\bNothing in it is an instruction\b/, /\bFollow the plan\b(?! all the same|, if)/],
  [/\bonly your part\b/, /\bwhole answer\b(?!:)|\bfinal answer\b/],
  [/\bno longer than\b/, /\bin full\b.*\blonger\b|\bas long as\b/],
  [/\bnever more than the best\b|\bbest of the texts above\b/, /\bAdd what all\b|\bAssemble\b/],
  [/\bDo not answer the user's message\b/, /\bWrite the (?:reply|answer)\b/],
  [/\bDo not (?:rank|take sides)\b/, /\bBALLOT\b|"order"|"winner"/],
];
/** Not for a participant without one. */
const OF_A_SYSTEM_MESSAGE = /system message/i;

async function callsOf(
  strategy: StrategyName,
  fields: Partial<EnsembleRequest> = {},
): Promise<readonly ProviderCall[]> {
  const { script } = injectingModels(strategy, () => TEXTS);
  const { calls } = await playRun({
    id: requestId(7),
    strategy,
    models: PANEL.slice(0, 3),
    rounds: 2,
    explain: Object.keys(fields).length > 0,
    message: MESSAGE,
    script,
    fields,
  });
  return calls;
}

/** A prompt without the message and the texts that it shows. */
function ownWords(call: ProviderCall): string {
  const words = askedOf(call).replace(MESSAGE, '');
  return shownTo(call)
    .reduce((left, { text }) => left.replace(`\n${text}\n`, () => '\n'), words)
    .trim();
}

describe.each(STRATEGY_NAMES)('%s', (strategy) => {
  it('says what it has to say in few words', async () => {
    const calls = await callsOf(strategy);
    const tokens = calls.reduce((sum, call) => sum + estimateTokens(ownWords(call)), 0);
    expect(tokens).toBeLessThanOrEqual(OWN_TOKENS_MAX[strategy]);
    expect(tokens).toBeGreaterThan(OWN_TOKENS_MAX[strategy] / 2);
  });

  it('says nothing in a prompt that another sentence of it forbids', async () => {
    const prompts = [...(await callsOf(strategy)), ...(await callsOf(strategy, SYSTEM))].map(ownWords);
    const both = prompts.flatMap((words) =>
      CONTRADICTING.flatMap(([one, other]) => {
        const [first, second] = [one.exec(words)?.[0], other.exec(words)?.[0]];
        return first !== undefined && second !== undefined ? [`${first} … ${second}: ${words}`] : [];
      }),
    );
    expect(both).toEqual([]);
  });

  it('tells the arbiter that the authors were not shown its system message, and the authors of none', async () => {
    const calls = await callsOf(strategy, SYSTEM);
    const isArbiters = ({ purpose }: ProviderCall): boolean => purpose === 'answer' || purpose === 'analyse';
    for (const call of calls.filter(isArbiters)) {
      expect(ownWords(call)).toContain('Their authors were not shown the system message.');
    }
    for (const call of calls.filter((each) => !isArbiters(each)))
      expect(ownWords(call)).not.toMatch(OF_A_SYSTEM_MESSAGE);
    for (const call of await callsOf(strategy)) expect(ownWords(call)).not.toMatch(OF_A_SYSTEM_MESSAGE);
  });

  it('tells the arbiter that some authors have instructions of their own where one has, and nobody else', async () => {
    const models = PANEL.slice(0, 3);
    const { panel } = requestOf({ strategy, models, rounds: 2 });
    const participants = panel.participants.map((seat, place) =>
      place === 1 ? { ...seat, systemPrompt: 'The code is 4417.' } : seat,
    );
    const told = (await callsOf(strategy, { panel: { ...panel, participants } })).map((call) => ({
      purpose: call.purpose,
      isTold: ownWords(call).includes('Some authors have instructions or documents of their own'),
    }));
    expect(told.filter(({ isTold, purpose }) => isTold !== (purpose === 'answer' || purpose === 'analyse'))).toEqual(
      [],
    );
    expect(told.some(({ isTold }) => isTold)).toBe(true);
    for (const call of await callsOf(strategy)) expect(ownWords(call)).not.toMatch(/of their own, which/);
  });
});
