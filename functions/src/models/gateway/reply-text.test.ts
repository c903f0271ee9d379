import fc from '../../../test/support/properties';
import { ReplyText } from './reply-text';

it('a reply is its pieces in order, whenever it is looked at', () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { maxLength: 1_000 }), fc.nat(1_000), (pieces, lookAt) => {
      const text = new ReplyText();
      for (const [index, piece] of pieces.entries()) {
        text.add(piece);
        if (index === lookAt) expect(String(text)).toBe(pieces.slice(0, index + 1).join(''));
      }
      expect(String(text)).toBe(pieces.join(''));
    }),
  );
});
