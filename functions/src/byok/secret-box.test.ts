import { webcrypto } from 'node:crypto';
import { systemClock } from '../lib/clock';
import { type KeyRing, open, parseKeyRing, type SealedSecret, seal } from './secret-box';

const KEY_A = Buffer.alloc(32, 0xa1);
const KEY_B = Buffer.alloc(32, 0xb2);
const A = `a:${KEY_A.toString('base64')}`;
const B = `b:${KEY_B.toString('base64url')}`;
const RING = parseKeyRing(A);
const SECRET = 'sk-or-v1-0123456789abcdef0123456789abcdef';

const sealFor = (userId: string, ring: KeyRing = RING): SealedSecret => seal(SECRET, { userId, ring }, systemClock);
const openFor = (userId: string, box: SealedSecret, ring: KeyRing = RING) => open(box, { userId, ring });

describe('a sealed secret', () => {
  it('opens for the user it was sealed for and shows nothing of itself', () => {
    const box = sealFor('ada');
    expect(openFor('ada', box)).toBe(SECRET);
    expect(JSON.stringify(box)).not.toContain(SECRET.slice(-8));
    expect(JSON.stringify(box)).not.toContain(Buffer.from(SECRET).toString('base64url').slice(-16, -4));
  });

  it.each([['wdek'], ['iv'], ['ct'], ['tag']] as const)(
    'is rejected when any one bit of its %s is another',
    (field) => {
      const box = sealFor('ada');
      const bytes = Buffer.from(box[field], 'base64url');
      const opened: unknown[] = [];
      for (let bit = 0; bit < bytes.length * 8; bit += 1) {
        const flipped = Buffer.from(bytes);
        flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        opened.push(openFor('ada', { ...box, [field]: flipped.toString('base64url') }));
      }
      expect(opened).toHaveLength(bytes.length * 8);
      expect(opened.every((secret) => secret === undefined)).toBe(true);
    },
  );

  it('is rejected for another user, whole or in part', () => {
    const [ada, bob] = [sealFor('ada'), sealFor('bob')];
    expect(openFor('bob', ada)).toBeUndefined();
    expect(openFor('ada', { ...ada, wdek: bob.wdek })).toBeUndefined();
    expect(openFor('bob', { ...ada, wdek: bob.wdek })).toBeUndefined();
    expect(openFor('ada|b', sealFor('ada'))).toBeUndefined();
  });

  it('is rejected under the name of another key, even one with the same bytes', () => {
    const twins = parseKeyRing(`${A},twin:${KEY_A.toString('base64')}`);
    expect(openFor('ada', { ...sealFor('ada', twins), kid: 'twin' }, twins)).toBeUndefined();
  });
});

describe('the format', () => {
  const AAD = Buffer.from('v1|routerKey|ada|a');

  async function keyOf(bytes: Uint8Array): Promise<webcrypto.CryptoKey> {
    return webcrypto.subtle.importKey('raw', new Uint8Array(bytes), 'AES-GCM', false, ['encrypt', 'decrypt']);
  }

  it('is plain AES-256-GCM: WebCrypto opens what we seal', async () => {
    const box = sealFor('ada');
    const wrapped = Buffer.from(box.wdek, 'base64url');
    const wrapping = { name: 'AES-GCM', iv: wrapped.subarray(0, 12), additionalData: AAD };
    const dataKey = await webcrypto.subtle.decrypt(wrapping, await keyOf(KEY_A), wrapped.subarray(12));
    expect(dataKey.byteLength).toBe(32);
    const content = { name: 'AES-GCM', iv: Buffer.from(box.iv, 'base64url'), additionalData: AAD };
    const sealed = Buffer.concat([Buffer.from(box.ct, 'base64url'), Buffer.from(box.tag, 'base64url')]);
    const secret = await webcrypto.subtle.decrypt(content, await keyOf(new Uint8Array(dataKey)), sealed);
    expect(Buffer.from(secret).toString()).toBe(SECRET);
  });
});

describe('parseKeyRing', () => {
  it('takes the current key first and both forms of base64', () => {
    const ring = parseKeyRing(` ${B} , ${A},`);
    expect(ring.map(({ kid }) => kid)).toEqual(['b', 'a']);
    expect(ring.map(({ key }) => key.toString('hex'))).toEqual(['b2'.repeat(32), 'a1'.repeat(32)]);
    expect(parseKeyRing('')).toEqual([]);
  });

  it.each([
    ['a key that is too short', `a:${Buffer.alloc(31, 0xc3).toString('base64')}`],
    ['a key that is too long', `a:${Buffer.alloc(33, 0xc3).toString('base64')}`],
    ['a key that is not base64', `a:${'w8PD!'.repeat(9)}`],
    ['base64 with more before it', `a:!${KEY_A.toString('base64')}`],
    ['base64 with more behind it', `a:${KEY_A.toString('base64')}!`],
    ['a third part', `${A}:more`],
    ['no name', `:${KEY_A.toString('base64')}`],
    ['no colon', KEY_A.toString('base64')],
    ['a name with a bar', `a|b:${KEY_A.toString('base64')}`],
    ['one name twice', `${A},a:${KEY_B.toString('base64')}`],
  ])('refuses %s without quoting a key', (_, setting) => {
    const parse = () => parseKeyRing(setting);
    expect(parse).toThrow(/^ROUTER_KEY_SECRET/);
    expect(parse).not.toThrow(/[A-Za-z0-9+/]{20}/);
  });
});
