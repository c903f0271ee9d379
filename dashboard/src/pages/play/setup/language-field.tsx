import styles from './setup.module.css';

/** Those that the server can tell apart, by ISO 639-1. */
const CODES = 'ar bn de el en es fi fr he hi hu it ja ko nl no pl pt ro ru sv th tr zh'.split(' ');

interface LanguageFieldProps {
  /** Empty: any. */
  readonly value: string;
  readonly onChange: (code: string) => void;
}

/** Which language the answer is checked for, by its name in the reader's own. */
export function LanguageField({ value, onChange }: LanguageFieldProps) {
  const names = new Intl.DisplayNames(undefined, { type: 'language' });
  return (
    <label className={styles.language}>
      Language of the answer
      <select value={value} onChange={({ target }) => onChange(target.value)}>
        <option value="">That of the prompt, unchecked</option>
        {CODES.map((code) => (
          <option key={code} value={code}>
            {names.of(code) ?? code}
          </option>
        ))}
      </select>
    </label>
  );
}
