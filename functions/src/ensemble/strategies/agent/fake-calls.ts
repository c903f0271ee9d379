/** Longer advice is cut. */
const CHARACTERS_MAX = 4_000;

/** Beginning of a call of a tool as models write one in a text. */
const TAG = /<\|?(?:antml:)?(tool_calls?|tool_use|tool_code|function_calls?|invoke)\b|\[TOOL_CALLS\]|<\|python_tag\|>/i;
/** Code that is nothing but a call in JSON. */
const JSON_CALL = /```[a-z_]{0,20}\s{0,20}\{\s{0,20}"(?:name|tool|function)"\s{0,20}:[^`]{0,4000}```/g;

/** A text of a model that has no tools, without the calls that it makes nevertheless; of a long one the beginning. */
export function withoutFakeCalls(text: string): string {
  let left = text.slice(0, CHARACTERS_MAX).toWellFormed().replace(JSON_CALL, '');
  for (let tag = TAG.exec(left); tag; tag = TAG.exec(left)) {
    const [opening, name] = tag;
    const behind = left.slice(tag.index + opening.length);
    const end = name === undefined ? null : new RegExp(`</[a-z:]{0,5}${name}[^>]{0,20}>`, 'i').exec(behind);
    left = left.slice(0, tag.index) + (end ? behind.slice(end.index + end[0].length) : '');
  }
  return left.trim();
}
