import type { CallPurpose } from '../../models/model';

/** What a step of a run gives, in words for people. */
export const STEP: Readonly<Record<CallPurpose, string>> = {
  cast: 'points of view',
  plan: 'plan',
  draft: 'drafts',
  revise: 'revisions',
  review: 'review',
  attack: 'attacks',
  analyse: 'comparison',
  answer: 'answer',
  follow_ups: 'follow-up prompts',
  judge: 'verdicts',
};
