import type { StrategyName } from '../../../src/ensemble/strategies/strategies';
import type { CallPurpose } from '../../../src/models/model';
import { type HeardCall, type Part, UMPIRE } from './wave-models';

/** One run of the proof. */
export interface Setup {
  /** Members in seat order; `ash2` is a second seat of ash's model. */
  readonly members: readonly string[];
  readonly rounds: number;
  /** True if an explanation is asked for. */
  readonly explained: boolean;
  /** True if models write the JSON and the last lines they are asked for; else all say plain prose. */
  readonly formal: boolean;
  /** Calls that fail, as `ash.2`: that call of ash in round 2. */
  readonly silent?: readonly string[];
}

/** A member in a round. */
export interface Turn {
  readonly who: string;
  readonly round: number;
}

/** A call as it is promised: exactly these tokens are in its input, each as often as it is named here. */
export interface ExpectedCall extends Part {
  /** In the text marked as the reader's own. */
  readonly own?: readonly string[];
  /** Anywhere else. */
  readonly sees?: readonly string[];
}

/** Calls that are open together. */
export interface ExpectedWave {
  readonly round: number;
  readonly calls: readonly ExpectedCall[];
}

/** Promise of one strategy, written from docs/strategies.md and not from the code. */
export interface StrategyProof {
  readonly strategy: StrategyName;
  /** Everybody who speaks, where it is not the members. */
  speakers?(members: readonly string[]): readonly string[];
  waves(setup: Setup): ExpectedWave[];
  /** Reply in the form asked for; undefined where prose was asked for, or a comparison as any other. */
  speak(heard: HeardCall, setup: Setup): string | undefined;
}

const NAMES = 'ash birch cedar dogwood elm fir ginkgo holly ivy juniper kapok larch maple nutmeg oak pine'.split(' ');

/** The first `n` of sixteen, in seat order. */
export function members(n: number): string[] {
  return NAMES.slice(0, n);
}

/** A model id that is no word of any prompt. `ash2` has ash's. */
export function modelIdOf(who: string): string {
  return `zq-${who.replace(/\d+$/, '')}-70b`;
}

/** Words by which a model names itself. */
export function selfOf(who: string): string {
  return `I am ${modelIdOf(who)}`;
}

/** The token in a text: its author, what it was for, its round, and which part of the reply. */
export function token({ who, does, round }: Part & Turn, part?: string | number): string {
  return `~${[who, does, round, ...(part === undefined ? [] : [part])].join('.')}~`;
}

/** Words around a reply's token; everybody says who it is, in several ways. */
export function prose(heard: HeardCall): string {
  const name = modelIdOf(heard.who);
  return `In short: ${token(heard)}, ${selfOf(heard.who)}. As ${name}, I know better: my name is ${name}.`;
}

/** Everybody but one. */
export function others(everybody: readonly string[], who: string): string[] {
  return everybody.filter((other) => other !== who);
}

/** One wave for each of the rounds `from` to the last. */
export function eachRound(
  { rounds }: Setup,
  from: number,
  waveOf: (round: number) => readonly ExpectedCall[],
): ExpectedWave[] {
  const waves: ExpectedWave[] = [];
  for (let round = from; round <= rounds; round += 1) waves.push({ round, calls: waveOf(round) });
  return waves;
}

/** The end of a run: with an explanation the arbiter compares first, and has its comparison before it when it writes. */
export function closing({ explained }: Setup, material: readonly string[]): ExpectedWave[] {
  const ANALYSIS = ['umpire.analyse.0.rationale', 'umpire.analyse.0.point'];
  if (!explained) return [{ round: 0, calls: [{ who: UMPIRE, does: 'answer', sees: material }] }];
  return [
    { round: 0, calls: [{ who: UMPIRE, does: 'analyse', sees: material }] },
    { round: 0, calls: [{ who: UMPIRE, does: 'answer', sees: [...material, ...ANALYSIS] }] },
  ];
}

/** A comparison in the form asked for, with the one list that every strategy asks for. */
export function analysisOf(heard: HeardCall): string {
  const point = [`It turns on ${token(heard, 'point')}`];
  const rationale = `Because of ${token(heard, 'rationale')}`;
  return JSON.stringify({ missing: point, rationale, order: [], winner: null });
}

/** Members that are asked, and their last texts, when some calls fail. A first text in `first` (1 unless said) or later. */
export class ExpectedTexts {
  readonly #setup: Setup;
  readonly #first: number;

  constructor(setup: Setup, first = 1) {
    this.#setup = setup;
    this.#first = first;
  }

  /** Those of `everybody` still worth asking in `round`: they have failed once at most. */
  asked(everybody: readonly string[], round: number): string[] {
    const { silent = [] } = this.#setup;
    const failures = (who: string) =>
      silent.filter((key) => key.startsWith(`${who}.`) && Number(key.split('.')[1]) < round);
    return everybody.filter((who) => failures(who).length < 2);
  }

  speaks(who: string, round: number): boolean {
    return this.asked([who], round).length > 0 && !this.#setup.silent?.includes(`${who}.${round}`);
  }

  /** The rounds up to `round` in which `who` spoke. */
  spoken(who: string, round: number): number[] {
    const rounds = Array.from({ length: Math.max(0, round - this.#first + 1) }, (_, index) => this.#first + index);
    return rounds.filter((each) => this.speaks(who, each));
  }

  /** The token of the last text `who` had given after `round`, in a list; none before its first. */
  last(who: string, round: number): string[] {
    const rounds = this.spoken(who, round);
    const latest = rounds.at(-1);
    if (latest === undefined) return [];
    const does: CallPurpose = rounds.length === 1 ? 'draft' : 'revise';
    return [`${who}.${does}.${latest}`];
  }

  /** Those of `everybody` whose first text came. */
  present(everybody: readonly string[]): string[] {
    return everybody.filter((who) => this.speaks(who, this.#first));
  }
}
