import type { ChatTurn } from '../../models/model';
import { alternatingTurns } from './turns';

function turns(...texts: readonly `${'u' | 'a'}:${string}`[]): ChatTurn[] {
  return texts.map((text) => ({ role: text.startsWith('u') ? 'user' : 'assistant', text: text.slice(2) }));
}

test('turns that alternate stay as they are', () => {
  const given = turns('u:One', 'a:Two', 'u:Three');
  expect(alternatingTurns(given)).toEqual(given);
});

test('turns of one role in a row become one, joined by a blank line', () => {
  const given = turns('u:One', 'u:Two', 'a:Three', 'a:Four', 'a:Five', 'u:Six');
  expect(alternatingTurns(given)).toEqual(turns('u:One\n\nTwo', 'a:Three\n\nFour\n\nFive', 'u:Six'));
});

test('blank turns are left out, and their neighbours become one', () => {
  expect(alternatingTurns(turns('u:One', 'a: \n', 'u:Two'))).toEqual(turns('u:One\n\nTwo'));
});

test('only blank turns are kept, so that the provider says what is wrong', () => {
  expect(alternatingTurns(turns('u:'))).toEqual(turns('u:'));
});

test('a conversation the assistant opened gets a turn of the user in front', () => {
  const [first, ...rest] = alternatingTurns(turns('a:Hi', 'u:One'));
  expect(first?.role).toBe('user');
  expect(first?.text.trim()).not.toBe('');
  expect(rest).toEqual(turns('a:Hi', 'u:One'));
});

test('the turns given are not changed', () => {
  const given = Object.freeze(turns('u:One', 'u:Two').map((turn) => Object.freeze(turn)));
  expect(() => alternatingTurns(given)).not.toThrow();
});

test('turns that become one keep the images of all', () => {
  const [one, two] = [
    { mediaType: 'image/png', base64: 'QQ==' } as const,
    { mediaType: 'image/gif', base64: 'QUI=' } as const,
  ];
  const given = [
    { role: 'user', text: 'One', images: [one] } as const,
    { role: 'user', text: 'Two', images: [two] } as const,
  ];
  expect(alternatingTurns(given)).toEqual([{ role: 'user', text: 'One\n\nTwo', images: [one, two] }]);
});

test('a turn of an image without words is kept, and adds none to its neighbour', () => {
  const image = { mediaType: 'image/png', base64: 'QQ==' } as const;
  const shown: ChatTurn = { role: 'user', text: '', images: [image] };
  expect(alternatingTurns([shown, ...turns('u:Two')])).toEqual([{ role: 'user', text: 'Two', images: [image] }]);
  expect(alternatingTurns([shown])).toEqual([shown]);
});
