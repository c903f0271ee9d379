import { argumentsObject } from './tools';

it.each([
  ['', { arguments: '' }],
  ['[1]', { arguments: '[1]' }],
  ['null', { arguments: 'null' }],
])('arguments as an object: %s', (text, expected) => expect(argumentsObject(text)).toEqual(expected));
