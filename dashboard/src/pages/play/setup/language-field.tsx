import { SelectField } from '../../../ui/select-field';

/** Those that the server can tell apart, by ISO 639-1. */
const CODES = 'ar bn de el en es fi fr he hi hu it ja ko nl no pl pt ro ru sv th tr zh'.split(' ');

interface LanguageFieldProps {
  /** Empty: any. */
  readonly value: string;
  readonly onChange: (code: string) => void;
}

/** The language that the answer is checked for, by its name in the reader's own. */
export function LanguageField({ value, onChange }: LanguageFieldProps) {
  const names = new Intl.DisplayNames(undefined, { type: 'language' });
  const byName = CODES.map((code) => ({ id: code, label: names.of(code) ?? code })).sort((one, other) =>
    one.label.localeCompare(other.label),
  );
  const options = [{ id: '', label: 'The language of the prompt, not checked' }, ...byName];
  return <SelectField label="Language of the answer" options={options} value={value} onChange={onChange} />;
}
