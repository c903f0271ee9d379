import type { ChatTurn } from '../../models/model';
import { alternatingTurns } from './turns';

/** Turns by the first letter of their role; images by their number. */
function turns(...texts: readonly string[]): ChatTurn[] {
  return texts.map((text) => {
    const [, role, images = '', words = ''] = /^([ua])(\d*):(.*)$/s.exec(text) ?? [];
    const pictures = [...images].map((base64) => ({ mediaType: 'image/png' as const, base64 }));
    return { role: role === 'u' ? 'user' : 'assistant', text: words, ...(images && { images: pictures }) };
  });
}

test.each([
  ['that alternate stay as they are', ['u:One', 'a:Two', 'u:Three'], ['u:One', 'a:Two', 'u:Three']],
  [
    'of one role in a row become one, joined by a blank line',
    ['u:One', 'u:Two', 'a:Three', 'a:Four', 'a:Five', 'u:Six'],
    ['u:One\n\nTwo', 'a:Three\n\nFour\n\nFive', 'u:Six'],
  ],
  ['that are blank are left out, and their neighbours become one', ['u:One', 'a: \n', 'u:Two'], ['u:One\n\nTwo']],
  ['that are all blank are kept, so that the provider says what is wrong', ['u:'], ['u:']],
  ['that the assistant opened get one in front', ['a:Hi', 'u:One'], ['u:(start of conversation)', 'a:Hi', 'u:One']],
  ['that become one keep the images of all', ['u1:One', 'u2:Two'], ['u12:One\n\nTwo']],
  ['of an image without words add none to their neighbour', ['u1:', 'u:Two'], ['u1:Two']],
  ['of an image alone are kept', ['u1:'], ['u1:']],
])('turns %s', (_, given, expected) => {
  const frozen = Object.freeze(turns(...given).map((turn) => Object.freeze(turn)));
  expect(alternatingTurns(frozen)).toEqual(turns(...expected));
});
