import type { RequestPart } from '../../models/model';
import type { ModelFaultKind } from '../../models/model-fault';

/** Characters of a report that are read: it may repeat the prompt. */
const REPORT_CHARACTERS_MAX = 4_000;

/** Meanings of reports, in prose or by a code; the first that fits counts. No pattern repeats anything without a bound. */
const MEANINGS: readonly (readonly [ModelFaultKind, ...RegExp[]])[] = [
  [
    'out_of_credit',
    /insufficient[ _](?:account )?(?:quota|balance|credit|fund)|not[ _]enough[ _](?:balance|credit)|payment required/i,
    /(?:credits|balance|funds) (?:is|are|has been) (?:too low|depleted|exhausted|insufficient|used up)|余额不足|欠费/i,
    /all available credits|(?:more|any|no) credits|credit limit|account ?(?:balance|overdue)|arrearage|(?:and|not) billing/i,
    /exceeded[ _](?:your )?current[ _](?:token )?quota|billing[ _](?:hard|not|details)|(?:spend|spending|key) limit /i,
    /(?:reached|exceeded) (?:its|your) [a-z ]{0,30}(?:spend|spending|usage) limit/i,
  ],
  [
    'unsupported_region',
    /unsupported_country|user location|regionerror|(?:country|region|territory)[a-z, ]{0,30} not /i,
    /not (?:supported|available) in (?:your|this) (?:country|region|location|territory)/i,
  ],
  [
    'content_filter',
    /content[ _]?(?:policy|filter|management policy|exists risk)|moderation|(?:was|been) flagged|敏感内容|不安全/i,
    /safety (?:system|polic|check|filter)|safety_check|usage (?:polic|guideline)|data_?inspection/i,
    /(?:inappropriate|sensitive|prohibited)[ _]?content/i,
  ],
  [
    'context_length',
    /context[ _]?(?:length|window|size)|maximum context|exceed_context|input (?:length|token count)|超长/i,
    /max(?:imum)? (?:prompt|input|model) length|longer than the (?:maximum )?model|less than \d+ tokens/i,
    /(?:prompt|inputs?|request|messages?)[`'" ]{0,2} (?:is |are )?too (?:long|large)|max_new_tokens. must/i,
    /exceeds? (?:the )?(?:max(?:imum)?|configured|token|input) (?:[a-z]+ )?(?:length|tokens|limit of \d)/i,
    /exceeds? the limit of \d|\btokens (?:count )?exceeds?|too many (?:input )?tokens|max message tokens/i,
    /(?:model|max) token limit|tokens?_limit|reduce (?:the|your) (?:length|message|prompt|input|number)/i,
  ],
  [
    'wrong_address',
    /invalid url|unknown (?:request )?url|unknown_url|no route|cannot post|unexpected endpoint|resource not found/i,
    /"(?:detail|message|error|title)":"(?:file |page |path )?not found\.?"/i,
  ],
  // Gemini's word beside a 400.
  ['unauthorized', /API_KEY_INVALID/],
  // Chat templates say so, behind a 500 where the server has no better word for it.
  ['bad_request', /roles? must alternate|jinja|template ?error/i],
];
/** Gemini says of an account with a limit a minute what others say of one that is empty. */
const FOR_THE_MOMENT =
  /quota exceeded for metric|(?:re)?try (?:again )?(?:in|after) \d|please wait|per[ _-]?minute|RetryInfo/i;
const UNCLEAR: readonly ModelFaultKind[] = ['bad_request', 'server', 'unauthorized', 'not_found', 'rate_limited'];

/** Words by which servers name a part that they refuse. */
const PARTS: readonly (readonly [RequestPart, RegExp])[] = [
  ['reasoningEffort', /reasoning[ _.]?effort|\beffort\b|thinking/i],
  ['streamOptions', /stream[ _]?options|include[ _]?usage/i],
  ['limitName', /\bmax[ _]?(?:completion[ _]?|output[ _]?)?tokens\b/i],
  ['parallelToolCalls', /parallel[ _]?tool[ _]?calls/i],
  ['topP', /\btop[ _]?p\b/i],
  ['temperature', /\btemperature\b/i],
  ['reasoning', /\breasoning_(?:content|details)\b/i],
  ['names', /\bmessages?\b[^{}]{0,60}\bname\b/i],
  ['turnsInARow', /alternat(?:e|ing)\b|successive|interleave|consecutive|in a row|message_order/i],
];
/** A value of these that is refused says nothing of others: they count where none would do. */
const VALUED: ReadonlySet<RequestPart> = new Set(['limitName', 'topP', 'temperature']);
const UNSUPPORTED =
  /unsupported|n[o']t (?:support|permitted|allowed|accept|available)|unknown|unrecogni[sz]ed|unexpected|extra|forbidden|deprecated|only the default|cannot both|instead|no longer/i;
/** Some name all fields that they know. */
const KNOWN_FIELDS = /expected one of|\b(?:supported|valid|allowed|permitted) (?:fields|parameters|properties)/i;

/** Kind of fault that a report means, where its status alone stands for `kind`. */
export function meantBy(report: unknown, kind: ModelFaultKind): ModelFaultKind {
  const text = wordsOf(report);
  if (!UNCLEAR.includes(kind) || (kind === 'rate_limited' && FOR_THE_MOMENT.test(text))) return kind;
  return MEANINGS.find(([, ...patterns]) => patterns.some((words) => words.test(text)))?.[0] ?? kind;
}

/** Parts of a request that a refusal names, wherever in its report. */
export function refusedIn(report: unknown): RequestPart[] {
  const [text = ''] = wordsOf(report).split(KNOWN_FIELDS, 1);
  const named = PARTS.filter(([part, words]) => words.test(text) && (!VALUED.has(part) || UNSUPPORTED.test(text)));
  return named.map(([part]) => part);
}

/** Wait that a report asks for, as Gemini's do with a protobuf duration: seconds with an `s`. */
export function waitSecondsIn(report: unknown): number | undefined {
  const seconds = /"retryDelay":"(\d{1,9}(?:\.\d{1,9})?)s"/.exec(wordsOf(report))?.[1];
  return seconds === undefined ? undefined : Number(seconds);
}

/** The words of a report in all its depth, but for the input that it repeats. */
function wordsOf(report: unknown): string {
  const withoutInput = (key: string, value: unknown): unknown => (key === 'input' ? undefined : value);
  const text = typeof report === 'string' ? report : JSON.stringify(report, withoutInput);
  return (text ?? '').slice(0, REPORT_CHARACTERS_MAX);
}
