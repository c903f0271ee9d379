import { jsonValuesAgree } from '../../../src/ensemble/agreement/answers-agree';
import { parseAnalysis } from '../../../src/ensemble/arbiter/analysis';
import { schemaRule } from '../../../src/ensemble/checks/rules';
import { agreementByPlace } from '../../../src/ensemble/form/agreement-by-place';
import { readAnswer } from '../../../src/ensemble/form/answer-form';
import { comparison } from '../../../src/ensemble/strategies/auto/comparison';
import { DRAFT_ANALYSIS } from '../../../src/ensemble/strategies/competitive-refinement';
import { parseLenses } from '../../../src/ensemble/strategies/expert-panel/lenses';
import { parseWorkPlan, parseWorkReview } from '../../../src/ensemble/strategies/hierarchical/replies';
import { parseAttack } from '../../../src/ensemble/strategies/red-team-blue-team/findings';
import { readVerdict } from '../../../src/evaluation/verdict';
import { jsonExcess, parsedJson } from '../../../src/lib/json';
import { lastJson, listInReply, objectInReply, textsInReply } from '../../../src/prompting/json-in-reply';
import { relaxedJson } from '../../../src/prompting/relaxed-json';
import { readsInLinearTime } from './growth';
import { HOSTILE_JSON, HOSTILE_TEXTS } from './hostile-texts';
import { byName, nothing } from './inputs';

/** Readers of JSON: hostile JSON is read as well. */
readsInLinearTime(
  {
    ...byName(parsedJson, relaxedJson, parseWorkReview, parseAttack),
    jsonExcess: (text) => jsonExcess(Buffer.from(text)),
    objectInReply: (text) => objectInReply(text, ['a']),
    listInReply: (text) => listInReply(text, { list: 'items', items: ['a'] }),
    textsInReply: (text) => textsInReply(text, { list: 'texts', max: 3 }),
    lastJson: (text) => lastJson(text, nothing),
    'relaxedJson, in a text': (text) => relaxedJson(`{"a": "${text}`),
    'relaxedJson, in curved quotes': (text) => relaxedJson(`{“a”: “${text}`),
    'relaxedJson, in a list': (text) => relaxedJson(`[${text}`),
    readAnswer: (text) => readAnswer(text, { name: 'n', schema: {} }),
    agreementByPlace: (text) => agreementByPlace(text, [text, text]),
    comparison: (text) => comparison([text, `${text} `], { answerForm: { name: 'n' } }),
    jsonValuesAgree: (text) => jsonValuesAgree([text, text]),
    schemaRule: (text) => schemaRule({ type: 'object' }).check(text),
    readVerdict: (text) => readVerdict(text, [{ label: 'A' }, { label: 'BCDF', role: 'redTeam' }]),
    parseAnalysis: (text) => parseAnalysis(text, DRAFT_ANALYSIS),
    parseLenses: (text) => parseLenses(text, 16),
    parseWorkPlan: (text) => parseWorkPlan(text, 4),
  },
  [...HOSTILE_TEXTS, ...HOSTILE_JSON],
);
