import { parsedJson } from '../../lib/json';
import type { RequestPart } from '../../models/model';
import { ModelFault, type ModelFaultKind, type ModelFaultOptions } from '../../models/model-fault';
import { fieldsOf, isSystemError, textOf } from './reply-fields';
import { bodyText, type UpstreamResponse } from './upstream-request';

/** Words of the providers for a failure, in `type`, `code` or `status` of a report. */
const KINDS_OF_WORDS: readonly (readonly [RegExp, ModelFaultKind])[] = [
  [/^(?:rate_limit(?:_error|_exceeded)?|too_many_requests|resource_exhausted)$/i, 'rate_limited'],
  [/^(?:overloaded(?:_error)?|unavailable)$/i, 'overloaded'],
  [/^(?:timeout_error|deadline_exceeded)$/i, 'timeout'],
  [/^(?:authentication_error|permission_error|unauthenticated|permission_denied)$/i, 'unauthorized'],
  [/^not_found(?:_error)?$/i, 'not_found'],
  [/^invalid_(?:request_error|argument)$/i, 'bad_request'],
];

const KINDS_OF_STATUS: Readonly<Record<number, ModelFaultKind>> = {
  401: 'unauthorized',
  402: 'out_of_credit',
  403: 'unauthorized',
  404: 'not_found',
  408: 'timeout',
  413: 'context_length',
  429: 'rate_limited',
  503: 'overloaded',
  504: 'timeout',
  529: 'overloaded',
};

/** A refusal's report is shorter; more of it is not read. */
const REPORT_MAX_BYTES = 64 * 1024;

/** Fault of a response that is not a 2xx. A report that is too long, or cut off, is as good as none. Never rejects. */
export async function refusalOf(response: UpstreamResponse): Promise<ModelFault> {
  const { statusCode: status = 0, headers } = response;
  const report = reportIn((await bodyText(response, REPORT_MAX_BYTES).catch(() => '')).trim());
  const kind = isElsewhere(status, report) ? 'wrong_address' : meantBy(report, kindOfStatus(status));
  return faultOf(kind, report, { retryAfterSeconds: retryAfterSeconds(headers), cause: { status, error: report } });
}

/** Fault of an error reported inside a stream that had begun well: an object, or a bare text. */
export function reportedFault(reported: unknown): ModelFault {
  return faultOf(meantBy(reported, kindOfReport(reported)), reported, { cause: reported });
}

/** Fault of whatever a call threw, which is its cause, for the log. After an abort every error is a consequence of that. */
export function toModelFault(
  error: unknown,
  { signal, address }: { readonly signal: AbortSignal; readonly address: string },
): ModelFault {
  if (!(error instanceof ModelFault)) {
    const kind = isSystemError(error) ? 'network' : 'protocol';
    return new ModelFault(signal.aborted ? 'aborted' : kind, { cause: error });
  }
  // A wrong address is named, without a key or a query.
  const url = error.kind === 'wrong_address' ? URL.parse(address) : null;
  return url ? new ModelFault(error.kind, { address: `${url.origin}${url.pathname}`, cause: error.cause }) : error;
}

/** Report in the body of a refusal: its `error`, or else all of it; undefined for an empty body. */
export function reportIn(body: string): unknown {
  const parsed = parsedJson(body);
  if (parsed === undefined) return body || undefined;
  const first: unknown = Array.isArray(parsed) ? parsed[0] : parsed;
  const { error } = fieldsOf(first);
  return typeof error === 'object' && error ? error : first;
}

/** No API of a provider redirects, refuses the method, or has a page or nothing to say of a model that it does not know. */
function isElsewhere(status: number, report: unknown): boolean {
  if (status === 404) return typeof report !== 'object';
  return (status >= 300 && status < 400) || status === 405;
}

function kindOfStatus(status: number): ModelFaultKind {
  return KINDS_OF_STATUS[status] ?? (status >= 500 ? 'server' : 'bad_request');
}

function kindOfReport(report: unknown): ModelFaultKind {
  const { code, status, type } = fieldsOf(report);
  const number = [code, status].map(Number).find((each) => each >= 400 && each < 600);
  if (number !== undefined) return kindOfStatus(number);
  const words = [code, type, status].map(textOf);
  return words.flatMap((word) => KINDS_OF_WORDS.find(([pattern]) => pattern.test(word))?.[1] ?? [])[0] ?? 'server';
}

function faultOf(kind: ModelFaultKind, report: unknown, more: ModelFaultOptions): ModelFault {
  const retryAfterSeconds = more.retryAfterSeconds ?? waitSecondsIn(report);
  const refuses = kind === 'bad_request' ? refusedIn(report) : [];
  const contextTokens = kind === 'context_length' ? windowIn(report) : undefined;
  return new ModelFault(kind, { ...more, retryAfterSeconds, refuses, contextTokens });
}

/** A day's name and what may follow: the date parser makes a date of nearly anything, `-3` for one. */
const HTTP_DATE = /^[A-Z][a-z]{2,8},? [\w: -]{8,40}$/;

/** Wait that a reply asks for; an HTTP date is counted from the reply’s own `Date`. Never negative. @internal */
export function retryAfterSeconds(headers: UpstreamResponse['headers']): number | undefined {
  const { 'retry-after-ms': milliseconds, 'retry-after': retryAfter = '', date } = headers;
  const waitMs = secondsIn(milliseconds);
  if (waitMs !== undefined) return waitMs / 1_000;
  if (!HTTP_DATE.test(retryAfter)) return secondsIn(retryAfter);
  const seconds = (Date.parse(retryAfter) - (date === undefined ? Date.now() : Date.parse(date))) / 1_000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}

function secondsIn(header: string | string[] | undefined): number | undefined {
  return /^\s*\d{1,9}(?:\.\d{1,9})?\s*$/.test(String(header)) ? Number(header) : undefined;
}

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
    'takes_no_images',
    /(?:images?(?:[ _](?:input|url))?|vision|multi-?modal\w*)["'` ]{0,2} (?:is |are )?(?:not|only) (?:be )?(?:support|accept|allow)/i,
    /(?:does|do)(?: not|n't) (?:support|accept|have|take)[a-z ]{0,20} (?:image|vision|multi-?modal)/i,
    /support image input|(?:not a|non-) ?(?:multi-?modal|vision)|required for image|at most 0 image/i,
    /unknown (?:variant `|part type: )(?:image_url|file)\b/i,
  ],
  [
    'takes_no_tools',
    /(?:does|do)(?: not|n't) support (?:tools?|function)\b|support tool use|tool choice requires|tools? (?:is|are) not supported/i,
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
  ['thoughtsBesideTools', /tools with reasoning_effort/i],
  ['reasoningEffort', /reasoning[ _.]?effort|\beffort\b|thinking/i],
  ['streamOptions', /stream[ _]?options|include[ _]?usage/i],
  ['limitName', /\bmax[ _]?(?:completion[ _]?|output[ _]?)?tokens\b/i],
  ['parallelToolCalls', /parallel[ _]?tool[ _]?calls/i],
  ['cacheMarks', /\bcache[ _]?control\b/i],
  ['promptCacheKey', /prompt[ _]?cache[ _]?key/i],
  ['topP', /\btop[ _]?p\b/i],
  ['temperature', /\btemperature\b/i],
  ['reasoning', /\breasoning_(?:content|details)\b/i],
  ['names', /\bmessages?\b[^{}]{0,60}\bname\b/i],
  ['turnsInARow', /alternat(?:e|ing)\b|successive|interleave|consecutive|in a row|message_order/i],
];
/** A value of these that is refused says nothing of others: they count where none would do. */
const VALUED: ReadonlySet<RequestPart> = new Set(['limitName', 'cacheMarks', 'topP', 'temperature']);
const UNSUPPORTED =
  /unsupported|n[o']t (?:support|permitted|allowed|accept|available)|unknown|unrecogni[sz]ed|unexpected|extra|forbidden|deprecated|only the default|cannot both|instead|no longer/i;
/** Some name all fields that they know. */
const KNOWN_FIELDS = /expected one of|\b(?:supported|valid|allowed|permitted) (?:fields|parameters|properties)/i;

/** Kind of fault that a report means, where its status alone stands for `kind`. @internal */
export function meantBy(report: unknown, kind: ModelFaultKind): ModelFaultKind {
  const text = wordsOf(report);
  if (!UNCLEAR.includes(kind) || (kind === 'rate_limited' && FOR_THE_MOMENT.test(text))) return kind;
  return MEANINGS.find(([, ...patterns]) => patterns.some((words) => words.test(text)))?.[0] ?? kind;
}

/** Parts of a request that a refusal names, wherever in its report. @internal */
export function refusedIn(report: unknown): RequestPart[] {
  const [text = ''] = wordsOf(report).split(KNOWN_FIELDS, 1);
  const named = PARTS.filter(([part, words]) => words.test(text) && (!VALUED.has(part) || UNSUPPORTED.test(text)));
  return named.map(([part]) => part);
}

/** Wait that a report asks for, as Gemini's do with a protobuf duration: seconds with an `s`. @internal */
export function waitSecondsIn(report: unknown): number | undefined {
  const seconds = /"retryDelay":"(\d{1,9}(?:\.\d{1,9})?)s"/.exec(wordsOf(report))?.[1];
  return seconds === undefined ? undefined : Number(seconds);
}

/** Words before the number of tokens that a window holds. */
const WINDOW =
  /(?:(?:context|prompt|model|allowed) length(?: is| of only| of|:| \()|size \(|allowed \(|"n_ctx":|token limit:|limit of|limit is|less than|should be \[1,|must be <=|model with|tokens >) ?(\d[\d,]{2,10})(?!\d)/i;

/** Window of a model that a refusal for the length of the prompt names, in tokens. */
function windowIn(report: unknown): number | undefined {
  const tokens = WINDOW.exec(wordsOf(report))?.[1];
  return tokens === undefined ? undefined : Number(tokens.replaceAll(',', ''));
}

/** The words of a report in all its depth, but for the input that it repeats. */
function wordsOf(report: unknown): string {
  const withoutInput = (key: string, value: unknown): unknown => (key === 'input' ? undefined : value);
  const text = typeof report === 'string' ? report : JSON.stringify(report, withoutInput);
  return (text ?? '').slice(0, REPORT_CHARACTERS_MAX);
}
