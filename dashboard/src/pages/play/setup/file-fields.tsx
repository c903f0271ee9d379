import { useEffect, useRef, useState } from 'react';
import { visibleText } from '../../../text/visible-text';
import { Button } from '../../../ui/button';
import { Chip } from '../../../ui/chip';
import { count } from '../../../ui/format-number';
import type { RunSettings } from './run-settings';
import styles from './setup.module.css';
import { useDroppedFiles } from './use-dropped-files';
import type { RunModel } from './use-run-models';

/** Characters of base64 that stand for a kilobyte. */
const CHARACTERS_A_KB = (1024 / 3) * 4;
const UNREADABLE = { files: [], flaws: ['The files could not be read. Reload the page, then add them again.'] };

interface FileFieldsProps {
  readonly settings: RunSettings;
  /** Those who take part. */
  readonly models: readonly RunModel[];
  readonly onChange: (settings: RunSettings) => void;
}

/** The files that go with the prompt: chosen, dropped or pasted. */
export function FileFields({ settings, models, onChange }: FileFieldsProps) {
  const [flaws, setFlaws] = useState<readonly string[]>([]);
  const chooser = useRef<HTMLInputElement>(null);
  const latest = useRef(settings);
  useEffect(() => {
    latest.current = settings;
  });
  const add = async (chosen: readonly File[]): Promise<void> => {
    const there = latest.current.files;
    const read = await import('./read-run-file').then(
      ({ readRunFiles }) => readRunFiles(chosen, there),
      () => UNREADABLE,
    );
    const added = read.files.slice(there.length);
    // Something may have been written while they were read.
    const { files, lostFiles } = latest.current;
    const stillLost = lostFiles.filter((name) => !added.some((file) => file.name === name));
    setFlaws(read.flaws);
    onChange({ ...latest.current, files: [...files, ...added], lostFiles: stillLost });
  };
  const isOver = useDroppedFiles((dropped) => void add(dropped));
  const { files, lostFiles } = settings;
  const [blind = '', unsure = ''] = ([false, 'unknown'] as const).map((sight) =>
    models.flatMap(({ name, vision }) => (vision === sight ? [name] : [])).join(', '),
  );
  const hasImages = files.some(({ media_type: type }) => type.startsWith('image/'));
  return (
    <div className={styles.files}>
      <div className={styles.chips}>
        <input
          ref={chooser}
          type="file"
          multiple
          hidden
          onChange={({ target }) => {
            void add([...(target.files ?? [])]);
            // So that the same file can be chosen again.
            target.value = '';
          }}
        />
        <Button icon="plus" onPress={() => chooser.current?.click()}>
          Add files
        </Button>
        {files.map(({ name, data }, at) => (
          <Chip
            // biome-ignore lint/suspicious/noArrayIndexKey: two files may have one name
            key={`${at} ${name}`}
            name={name}
            onRemove={() => onChange({ ...settings, files: files.filter((_, place) => place !== at) })}
          >
            <bdi>{visibleText(name)}</bdi>
            <span className={styles.size}>{count(Math.ceil(data.length / CHARACTERS_A_KB))} KB</span>
          </Chip>
        ))}
        <span className={`soft ${styles.wide}`}>
          Text, code, PDF; images for models with vision. Drop or paste them anywhere here.
        </span>
      </div>
      {lostFiles.length > 0 && (
        <p className={styles.warn}>
          The browser keeps no files. To be added again: <bdi>{lostFiles.join(', ')}</bdi>{' '}
          <Button kind="quiet" onPress={() => onChange({ ...settings, lostFiles: [] })}>
            Run without
          </Button>
        </p>
      )}
      <div role="status">
        {hasImages && blind !== '' && (
          <p className={styles.warn}>{blind} cannot see images: choose others, or leave the images out.</p>
        )}
        {hasImages && unsure !== '' && (
          <p className="soft">It is not known if {unsure} can see images. The run tries, and says so if not.</p>
        )}
        {flaws.map((flaw) => (
          <p key={flaw} className={styles.warn}>
            {flaw}
          </p>
        ))}
      </div>
      {isOver && (
        <div className={styles.drop}>
          <p>Drop the files to add them</p>
        </div>
      )}
    </div>
  );
}
