import { useSession } from '../../../session/session-context';
import type { Json, SampleCall } from '../../../ui/call-snippets';
import { CodeSample } from '../../../ui/code-sample';
import { bodyOf } from './run-body';
import type { RunSettings } from './run-settings';
import styles from './setup.module.css';

const KEY = 'YOUR_API_KEY';

/** The same request as a program, with a key of the user's to be filled in. */
export default function RunCode({ settings }: { readonly settings: RunSettings }) {
  const { baseUrl } = useSession();
  const { attachments: _files, store: _keep, ...body } = bodyOf(settings);
  const call: SampleCall = {
    baseUrl,
    apiKey: KEY,
    body: body as unknown as { readonly [field: string]: Json },
  };
  return (
    <div className={styles.stack}>
      <CodeSample label="The call in" call={call} />
      {settings.files.length > 0 && (
        <p className="soft">
          The files are not in it: the API takes images as parts of a message, and texts in the message itself.
        </p>
      )}
    </div>
  );
}
