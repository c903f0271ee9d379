import { settingsIn, writtenSettings } from './kept-settings';
import type { RunSettings } from './run-settings';
import { NEW_SETTINGS } from './run-settings';

/** Longer addresses are not taken everywhere, and nobody could read them. */
const CHARACTERS_MAX = 2_000;

/**
 * The settings behind the `#` of an address, which no browser sends to a server; empty where they are not short enough.
 * What is as in a new run is left out; what is no text stands there as JSON.
 */
export function addressOf(settings: RunSettings): string {
  const changed = Object.entries(writtenSettings(settings)).flatMap(([name, value]) => {
    const usual = NEW_SETTINGS[name as keyof RunSettings];
    const text = typeof usual === 'string' ? String(value) : JSON.stringify(value);
    return text === usual || text === JSON.stringify(usual) ? [] : [[name, text]];
  });
  const isShort = changed.every(([, text = '']) => text.length <= CHARACTERS_MAX);
  const address = isShort ? new URLSearchParams(changed).toString() : '';
  return address.length > CHARACTERS_MAX ? '' : address;
}

/** The settings in an address, whoever has made it; undefined where it has none. One without a panel leaves that open. */
export function settingsAt(address: string): Partial<RunSettings> | undefined {
  const words = new URLSearchParams(address.slice(0, CHARACTERS_MAX + 1));
  if (!words.has('prompt') && !words.has('arbiter')) return undefined;
  const { participants, arbiter, ...usual } = NEW_SETTINGS;
  const given = [...words].map(([name, text]) => {
    return [name, typeof NEW_SETTINGS[name as keyof RunSettings] === 'string' ? text : parsed(text)];
  });
  return { ...usual, ...(words.has('arbiter') && { participants, arbiter }), ...settingsIn(Object.fromEntries(given)) };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
