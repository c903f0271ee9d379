const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };
const ENTITY = /&(?:#(?<decimal>\d{1,7})|#x(?<hex>[\da-f]{1,6})|(?<name>amp|lt|gt|quot|apos|nbsp));/gi;
const HEX = 16;
const CODE_POINT_MAX = 0x10ffff;

/** The characters that a text of Markdown names, such as `&lt;`; they are characters of a text, never of markup. */
export function decodeEntities(text: string): string {
  return text.replace(ENTITY, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return NAMED[name.toLowerCase()] ?? whole;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, HEX);
    return code > 0 && code <= CODE_POINT_MAX ? String.fromCodePoint(code) : whole;
  });
}
