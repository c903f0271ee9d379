import { fieldsIn, listIn, textIn } from '../../../drafts/kept-form';
import { NEW_SETTINGS, PARTICIPANTS_MAX, type RunSettings } from './run-settings';
import { STRATEGY_ROWS } from './strategies';

const ID_CHARACTERS_MAX = 200;

/** The settings in what was kept or linked to, by this page, an older one, or anybody: what is not of its form is left out. */
export function settingsIn(kept: unknown): Partial<RunSettings> | undefined {
  const fields = fieldsIn(kept);
  const found = Object.entries(NEW_SETTINGS).flatMap(([name, usual]) => {
    if (fields[name] === undefined) return [];
    const value = READERS[name]?.(fields[name]) ?? valueLike(fields[name], usual);
    return value === undefined ? [] : [[name, value]];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

/** Fields whose form says more than their type. */
const READERS: Readonly<Record<string, (value: unknown) => unknown>> = {
  strategy: (value) => STRATEGY_ROWS.find(({ id }) => id === value)?.id ?? NEW_SETTINGS.strategy,
  rounds: (value) => (/^([1-9]|10)$/.test(String(value)) ? String(value) : NEW_SETTINGS.rounds),
  participants: (value) => texts(value).slice(0, PARTICIPANTS_MAX),
  files: () => NEW_SETTINGS.files,
  lostFiles: texts,
  history: (value) =>
    listIn(value)
      .map(fieldsIn)
      .flatMap(({ role, content }) =>
        role === 'user' || role === 'assistant' ? [{ role, content: textIn(content) }] : [],
      ),
  options: (value) => {
    const given = fieldsIn(value);
    const switches = Object.entries(NEW_SETTINGS.options);
    return Object.fromEntries(switches.map(([name, usual]) => [name, valueLike(given[name], usual) ?? usual]));
  },
};

function valueLike(value: unknown, usual: unknown): unknown {
  return typeof value === typeof usual && typeof value !== 'object' ? value : undefined;
}

function texts(value: unknown): readonly string[] {
  return listIn(value).filter((text) => typeof text === 'string' && text.length <= ID_CHARACTERS_MAX) as string[];
}

/** The settings as they are written: of files the names alone. */
export function writtenSettings({ files, lostFiles, ...settings }: RunSettings): object {
  return { ...settings, lostFiles: [...lostFiles, ...files.map(({ name }) => name)] };
}

/** The set-up without the question: strategy, panel, instructions and options. */
export function setUpOf(settings: RunSettings): Omit<RunSettings, 'prompt' | 'history' | 'files' | 'lostFiles'> {
  const { prompt: _prompt, history: _history, files: _files, lostFiles: _lost, ...setUp } = settings;
  return setUp;
}
