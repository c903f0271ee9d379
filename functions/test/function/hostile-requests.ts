import type { SeededRandom } from '../proof/seeded-random';
import { chance, hostileBody, pick } from './hostile-bodies';

/** Bytes that a hostile client sends, and the replies that it must get. */
export interface HostileRequest {
  readonly bytes: Buffer;
  /**
   * `reply`: one, and the connection goes on unless it says otherwise. `closed`: at least one, and the connection is closed.
   * `left`: the client is gone before there is any.
   */
  readonly expects: 'reply' | 'closed' | 'left';
  /** Its reply has no body, whatever its headers say. */
  readonly isHead: boolean;
  /** Largest number of replies; default: one. */
  readonly messages?: number;
}

const PATHS = [
  ...[
    '/v1/chat/completions',
    '/v1/responses',
    '/v1/evaluations',
    '/openai/v1/chat/completions',
    '/openai/v1/responses',
  ],
  ...['/anthropic/v1/messages', '/anthropic/v1/messages/count_tokens', '/anthropic/v1/messages?beta=true', '/mcp'],
];
const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'HEAD', 'PROPFIND', 'M-SEARCH', 'QUERY'];
const DATES = ['2026-01', '2026-13-01', '0000-00-00', '-1', '+275760-09-13', '1e400', '9'.repeat(65)];
/** One a blank. */
const TARGETS = `
  / // * /v1 /v1/ /v1//usage /V1/usage /v1/usage/ /v1/../v1/usage /v1/usage;a=b /v1/usage#a /% /%00 /%E0%A4%A
  /%2e%2e/%2e%2e /v1/models/__proto__ /favicon.ico /robots.txt http://[bad/x https://a.example/v1/models
  javascript:alert(1) /v1/models?__proto__[a]=1 /v1/models?%
  /openai /openai/ /openai/v1 /openai//v1/models /openai/v1/models/%00 /openai/v1/responses/resp_1 /openai/v1/v1/models
  /anthropic /anthropic/v1/messages/ /anthropic/v1/messages/batches /anthropic/v1/models/../models /anthropic/v1/models?limit=-1
  ${'/'.padEnd(8_000, 'a')}
`
  .trim()
  .split(/\s+/);
/** Headers that are in order, whatever stands in them. */
const ODD_HEADERS = [
  ...`
    Content-Type: text/html
    Content-Type: application/json; charset=nonsense
    Content-Type: ;
    Content-Encoding: gzip
    Content-Encoding: identity
    Content-Encoding: br, br, br
    Expect: 100-continue
    Expect: bananas
    Accept: */*;q=1e400
    Accept-Encoding: *;q=-1
    TE: trailers, deflate
    Idempotency-Key: __proto__
    Traceparent: 00-zz-00-00
    X-Cloud-Trace-Context: ;;;/
    Date: Thu, 99 Foo 99999 99:99:99 GMT
    If-Modified-Since: never
    If-None-Match: *
    Range: bytes=-1,-1,5-2
    Origin: null
    Cookie: __proto__=1; ;;=;
    Host: b.example
    X-Forwarded-For: 127.0.0.1
    X-HTTP-Method-Override: DELETE
    Connection: keep-alive, x
    Upgrade: h2c
    __proto__: 1
    X-Request-Id: mine
    Transfer-Encoding: gzip, chunked
    Anthropic-Version: 2026-13-99
    Anthropic-Version: __proto__
    Anthropic-Beta: ,,;
    Mcp-Protocol-Version: 9999-99-99
    Mcp-Method: tools/call
    Mcp-Session-Id: __proto__
    Mcp-Param-X: =?base64?AA==?=
  `
    .trim()
    .split(/\n\s*/),
  'Content-Type: \xff',
  'Anthropic-Version: \xff',
  'Mcp-Name: \xff\xfe',
  'Content-Encoding: \xe9',
  'Idempotency-Key: ',
  'Idempotency-Key: \xff\xfe',
  `Idempotency-Key: ${'k'.repeat(300)}`,
  `Traceparent: 00-${'0'.repeat(32)}-${'0'.repeat(16)}-00`,
  'Origin: \xc3\x28',
  'Access-Control-Request-Headers: \xff',
  'Access-Control-Request-Headers: a\x7fb',
  'Forwarded: for="[::1]"',
  `X-Long: ${'x'.repeat(6_000)}`,
];

/** An endless series of them, the same for a seed. `keys` are keys of as many users. */
export function hostileRequests(random: SeededRandom, keys: readonly string[]): () => HostileRequest {
  const authorization = (): string => {
    if (chance(random, 75)) return `Authorization: Bearer ${pick(random, keys)}\r\n`;
    const key = pick(random, keys);
    return pick(random, [
      '',
      'Authorization: \r\n',
      `Authorization: Basic ${key}\r\n`,
      `Authorization: Bearer ${key.slice(0, -1)}\r\n`,
      `Authorization: Bearer ${key.toUpperCase()}\r\n`,
      `Authorization: Bearer ${key}\r\nAuthorization: Bearer none\r\n`,
      `Authorization: Bearer ${'\xff'.repeat(60)}\r\n`,
      `Authorization: Bearer sk-ens_${'A'.repeat(49)}\r\n`,
      `Authorization: Bearer ${'a'.repeat(5_000)}\r\n`,
      `x-api-key: ${key}\r\n`,
      `x-api-key: ${key}\r\nx-api-key: ${key}\r\n`,
      `x-api-key: ${'\xff'.repeat(60)}\r\n`,
    ]);
  };
  const head = (method: string, target: string, ...headers: string[]): string =>
    `${method} ${target} HTTP/1.1\r\nHost: x\r\n${authorization()}${headers.map((line) => `${line}\r\n`).join('')}`;
  const oddHeaders = (): string[] => {
    const flood = chance(random, 3) ? Array.from({ length: 400 }, (_, index) => `X-${index}: y`) : [];
    return [...Array.from({ length: random.below(4) }, () => pick(random, ODD_HEADERS)), ...flood];
  };
  const bytesOf = (text: string, body?: Buffer): Buffer =>
    Buffer.concat([Buffer.from(text, 'latin1'), ...(body ? [body] : [])]);

  const posted = (): HostileRequest => {
    const path = pick(random, PATHS);
    const isHarmless = random.below(400) === 0;
    const body = hostileBody(random, path, isHarmless);
    const headers = isHarmless ? [] : oddHeaders();
    const isCoded = headers.some((line) => line.startsWith('Transfer-Encoding'));
    const text = head('POST', path, ...headers);
    const bytes =
      isCoded || chance(random, 30)
        ? bytesOf(`${text}${isCoded ? '' : 'Transfer-Encoding: chunked\r\n'}\r\n`, chunked(random, body))
        : bytesOf(`${text}Content-Length: ${body.length}\r\n\r\n`, body);
    return { bytes, expects: 'reply', isHead: false };
  };
  const asked = (): HostileRequest => {
    const range = `/v1/usage?startDate=${pick(random, DATES)}&endDate=${pick(random, DATES)}`;
    const target = chance(random, 40) ? range : pick(random, TARGETS);
    const method = chance(random, 60) ? 'GET' : pick(random, METHODS);
    // Without a body no coding can be announced: the parser would wait for chunks.
    const headers = oddHeaders().filter((line) => !line.startsWith('Transfer-Encoding'));
    return { bytes: bytesOf(`${head(method, target, ...headers)}\r\n`), expects: 'reply', isHead: method === 'HEAD' };
  };
  const unreadable = (): HostileRequest => {
    const good = head('POST', pick(random, PATHS));
    const smuggled = 'GET /v1/models HTTP/1.1\r\nHost: x\r\n\r\n';
    const text = pick(random, [
      `${good}Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
      `${good}Transfer-Encoding: chunked\r\nContent-Length: 6\r\n\r\n0\r\n\r\n${smuggled}`,
      `${good}Content-Length: 0\r\nContent-Length: ${smuggled.length}\r\n\r\n${smuggled}`,
      `${good}Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc`,
      `${good}Content-Length: -1\r\n\r\n`,
      `${good}Content-Length: 1e3\r\n\r\n`,
      `${good}Content-Length: 0x10\r\n\r\n`,
      `${good}Content-Length: 99999999999999999999\r\n\r\n`,
      `${good}Transfer-Encoding: xchunked\r\n\r\n${smuggled}`,
      `${good}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${smuggled}`,
      `${good}Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n${smuggled}`,
      `${good}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${smuggled}`,
      `${good}Transfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n0\r\n\r\n`,
      `${good}Transfer-Encoding: chunked\r\n\r\n3\r\nabcdef\r\n0\r\n\r\n`,
      `${good}Transfer-Encoding: chunked\r\n\r\n-1\r\n\r\n`,
      `${good}Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n`,
      `${good}Transfer-Encoding: chunked\r\n\r\n1;${'a'.repeat(20_000)}\r\n{\r\n0\r\n\r\n`,
      `${good}X-Folded: a\r\n b\r\n\r\n`,
      `${good}X-Nul: a\0b\r\n\r\n`,
      `${good}X-Return: a\rb\r\n\r\n`,
      `${good}no colon\r\n\r\n`,
      `${good}: no name\r\n\r\n`,
      `${good}X-Long: ${'x'.repeat(20_000)}\r\n\r\n`,
      `${good}${'X: y\r\n'.repeat(4_000)}\r\n`,
      good.replaceAll('\r\n', '\n').concat('\n'),
      `GET /${'a'.repeat(17_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
      'GET /v1/models HTTP/9.9\r\nHost: x\r\n\r\n',
      'SHOUT /v1/models HTTP/1.1\r\nHost: x\r\n\r\n',
      'CONNECT a.example:443 HTTP/1.1\r\nHost: x\r\n\r\n',
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      '\x16\x03\x01\x00\xc8\x01\x00\x00\xc4\x03\x03',
      `\0\xff${String.fromCharCode(random.below(256), random.below(256))}\r\n\r\n`,
    ]);
    return { bytes: bytesOf(text), expects: 'closed', isHead: false };
  };
  /** Makes a request whose bytes beyond its length are a second message, which no parser can read. */
  const tooShort = (): HostileRequest => {
    const text = `${head('POST', pick(random, PATHS))}Content-Length: 3\r\n\r\n{"model":"demo-ada"}`;
    return { bytes: bytesOf(text), expects: 'closed', isHead: false, messages: 2 };
  };
  const abandoned = (): HostileRequest => {
    const { bytes } = posted();
    return { bytes: bytes.subarray(0, random.below(bytes.length)), expects: 'left', isHead: false };
  };
  return () => {
    const kind = random.below(100);
    if (kind < 55) return posted();
    if (kind < 85) return asked();
    if (kind < 94) return unreadable();
    return kind < 96 ? tooShort() : abandoned();
  };
}

/** A body in chunks of any size, now and then with extensions and a trailer. */
function chunked(random: SeededRandom, body: Buffer): Buffer {
  const pieces: Buffer[] = [];
  for (let at = 0; at < body.length; ) {
    const length = Math.min(body.length - at, 1 + random.below(Math.max(1, body.length)));
    const extension = chance(random, 10) ? ';a="b";c' : '';
    pieces.push(
      Buffer.from(`${length.toString(16)}${extension}\r\n`),
      body.subarray(at, at + length),
      Buffer.from('\r\n'),
    );
    at += length;
  }
  const trailer = chance(random, 10) ? 'Authorization: Bearer none\r\n' : '';
  return Buffer.concat([...pieces, Buffer.from(`0\r\n${trailer}\r\n`)]);
}
