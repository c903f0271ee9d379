import { settingsIn, writtenSettings } from './kept-settings';
import { NEW_SETTINGS, type RunSettings } from './run-settings';

/** Longer addresses are not taken everywhere, and nobody could read them. */
const CHARACTERS_MAX = 2_000;
/** Lists in an address, an entry each, and their fields. */
const LISTS = { participant: 'participants', file: 'lostFiles' } as const;

/**
 * The settings behind the `#` of an address, which no browser sends to a server; empty where they are not short enough.
 * What is as in a new run is left out.
 */
export function addressOf(settings: RunSettings): string {
  const written = writtenSettings(settings) as RunSettings;
  if (JSON.stringify(written).length > 2 * CHARACTERS_MAX) return '';
  const address = new URLSearchParams(entriesOf(written)).toString();
  return address.length > CHARACTERS_MAX ? '' : address;
}

function entriesOf(written: RunSettings): string[][] {
  const plain = Object.entries(NEW_SETTINGS).flatMap(([name, usual]) => {
    const value = written[name as keyof RunSettings];
    return typeof usual === 'object' || value === usual ? [] : [[name, String(value)]];
  });
  const lists = Object.entries(LISTS).flatMap(([name, field]) => written[field].map((entry) => [name, entry]));
  const messages = written.history.map(({ role, content }) => [role, content]);
  const usual: Readonly<Record<string, boolean>> = { ...NEW_SETTINGS.options };
  const switches = Object.entries(written.options).filter(([name, isOn]) => isOn !== usual[name]);
  return [...plain, ...lists, ...messages, ...switches.map(([name, isOn]) => [isOn ? 'on' : 'off', name])];
}

/** The settings in an address, whoever has made it; undefined where it has none. One without a panel leaves that open. */
export function settingsAt(address: string): Partial<RunSettings> | undefined {
  const words = new URLSearchParams(address.slice(0, CHARACTERS_MAX + 1));
  if (!words.has('prompt') && !words.has('arbiter')) return undefined;
  const messages = [...words].map(([role, content]) => ({ role, content }));
  const switched = (isOn: boolean) => words.getAll(isOn ? 'on' : 'off').map((name) => [name, isOn]);
  const lists = Object.entries(LISTS).map(([name, field]) => [field, words.getAll(name)]);
  const { participants: _none, arbiter: _nobody, ...usual } = NEW_SETTINGS;
  const panel = words.has('arbiter') ? NEW_SETTINGS : usual;
  const given = {
    ...Object.fromEntries([...words, ...lists]),
    ...(!words.has('participant') && { participants: undefined }),
    shareInstructions: !words.has('shareInstructions'),
    history: messages.filter(({ role }) => role === 'user' || role === 'assistant'),
    options: Object.fromEntries([...switched(true), ...switched(false)]),
  };
  return { ...panel, ...settingsIn(given) };
}
