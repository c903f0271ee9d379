import { estimatePromptTokens, estimateTokens } from '../../models/estimate-tokens';
import { finalCheckWords } from '../checks/check-words';
import { finalFormWords } from '../form/form-words';
import type { EnsembleRequest } from '../run';
import type { PlannedCall } from './planned-wave';

/** What a call shows its model, in tokens. */
export interface ShownTokens {
  /** The conversation, for everybody. */
  readonly conversation: number;
  /** Instructions, checks and the form of the answer, which its author is sent as a schema too. */
  readonly instructions: number;
}

/** What the calls of one request show beside texts of the panel and our own words. */
export function shownTokensOf(request: EnsembleRequest): (call: PlannedCall) => ShownTokens {
  const { message, images, history, tools, toolResults, panel, systemPrompt = '', sharedPrompt = '' } = request;
  const { answerForm, checks } = request;
  const turn = { role: 'user' as const, text: message, ...(images && { images }), ...(toolResults && { toolResults }) };
  const conversation = estimatePromptTokens({ turns: [...history, turn], ...(tools && { tools }) });
  const words = [...finalFormWords(answerForm), ...finalCheckWords(checks)];
  const form = words.reduce((sum, each) => sum + estimateTokens(each), 0);
  return ({ purpose, seat: { id, systemPrompt: own = '' } }) => {
    const shared = id === panel.arbiter.id ? systemPrompt : sharedPrompt;
    const copies = purpose === 'answer' && answerForm?.schema ? 2 : 1;
    return { conversation, instructions: estimateTokens(shared + own) + copies * form };
  };
}
