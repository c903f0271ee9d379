import { useState } from 'react';
import { FileTrigger } from 'react-aria-components';
import { Button } from '../../../ui/button';
import { Chip } from '../../../ui/chip';
import { count } from '../../../ui/format-number';
import { bytesOf, FILE_TYPES, readRunFiles } from './read-run-file';
import type { RunFile } from './run-settings';
import styles from './setup.module.css';
import type { RunModel } from './use-run-models';

const BYTES_A_KB = 1024;

interface FileFieldsProps {
  readonly files: readonly RunFile[];
  /** Those who take part. */
  readonly models: readonly RunModel[];
  readonly onChange: (files: readonly RunFile[]) => void;
}

/** The files that go with the prompt. */
export default function FileFields({ files, models, onChange }: FileFieldsProps) {
  const [flaws, setFlaws] = useState<readonly string[]>([]);
  const add = async (chosen: readonly File[]): Promise<void> => {
    const read = await readRunFiles(chosen, files);
    setFlaws(read.flaws);
    onChange(read.files);
  };
  const blind = models.filter(({ vision }) => vision === false).map(({ name }) => name);
  const hasImages = files.some(({ media_type: type }) => type.startsWith('image/'));
  return (
    <div className={styles.stack}>
      <div className={styles.chips}>
        <FileTrigger
          allowsMultiple
          acceptedFileTypes={[...FILE_TYPES]}
          onSelect={(list) => list && void add([...list])}
        >
          <Button icon="plus">Add files</Button>
        </FileTrigger>
        {files.map(({ name, data }, at) => (
          <Chip
            // biome-ignore lint/suspicious/noArrayIndexKey: two files may have one name
            key={`${at} ${name}`}
            name={name}
            onRemove={() => onChange(files.filter((_, place) => place !== at))}
          >
            <bdi>{name}</bdi>
            <span className={styles.soft}>{count(Math.ceil(bytesOf(data) / BYTES_A_KB))} KB</span>
          </Chip>
        ))}
      </div>
      <p className={styles.soft}>
        Images for models with vision, PDF and JSON for all. They are sent with this run alone.
      </p>
      {hasImages && blind.length > 0 && (
        <p role="alert" className={styles.warn}>
          {blind.join(', ')} cannot see images: choose others, or leave the images out.
        </p>
      )}
      {flaws.map((flaw) => (
        <p key={flaw} role="alert" className={styles.warn}>
          {flaw}
        </p>
      ))}
    </div>
  );
}
