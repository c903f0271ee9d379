import { codeSpans } from './code-spans';

describe('codeSpans', () => {
  it.each([
    ['no code', []],
    ['a `b` c `d`', ['`b`', '`d`']],
    ['a ``b ` c`` d', ['``b ` c``']],
    ['a ` b `` c', []],
    ['it`s\nnot`code', []],
    ['x\n```js\na\n```\ny', ['```js\na\n```']],
    ['````\n```\na\n````\ny', ['````\n```\na\n````']],
    ['~~~\na\n```\n~~~', ['~~~\na\n```\n~~~']],
    ['x\n```\na', ['```\na']],
    ['> ```\n> a\n> ```\nb', ['> ```\n> a\n> ```']],
  ])('%j', (text, code) => expect(codeSpans(text).map(({ start, end }) => text.slice(start, end))).toEqual(code));
});
