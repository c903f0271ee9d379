import { InvalidArgumentError } from 'commander';

const NANO = 1_000_000_000;

/** Options that do not fit together; the message names them. */
export class UsageError extends Error {}

/** Reads a text that is not blank. */
export function text(value: string): string {
  if (value.trim() === '') throw new InvalidArgumentError('It must not be empty.');
  return value.trim();
}

/** Reads values separated by commas. */
export function listOf(value: string): string[] {
  const items = value.split(',').map((item) => item.trim());
  if (items.includes('')) throw new InvalidArgumentError('It must be a list separated by commas.');
  return items;
}

/** Reads a whole number above 0. */
export function wholeNumber(value: string): number {
  if (!/^[1-9]\d{0,8}$/.test(value)) throw new InvalidArgumentError('It must be a whole number above 0.');
  return Number(value);
}

/** Reads US dollars, in nano-USD. */
export function dollars(value: string): number {
  if (!/^\$?\d{1,6}(\.\d{1,9})?$/.test(value.trim()))
    throw new InvalidArgumentError('It must be an amount in US dollars, such as 5 or 0.25.');
  return Math.round(Number(value.trim().replace('$', '')) * NANO);
}

/** Writes an amount for people: `$5.00`, with more digits only where cents do not say it all. */
export function formatUsd(nanoUsd: number): string {
  const fraction = String(nanoUsd % NANO)
    .padStart(9, '0')
    .replace(/0{0,7}$/, '');
  return `$${Math.floor(nanoUsd / NANO)}.${fraction}`;
}
