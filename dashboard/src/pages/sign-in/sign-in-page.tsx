import { type ReactNode, useState } from 'react';
import type { SignInState, SignInWays } from '../../session/session';
import { useSession } from '../../session/session-context';
import { Button } from '../../ui/button';
import { useWindowTitle } from '../../ui/use-window-title';
import { EmailForm } from './email-form';
import styles from './sign-in.module.css';
import { useAttempt } from './use-attempt';

interface SignInPageProps {
  readonly signIn: Extract<SignInState, { is: 'nobody' | 'link' }>;
}

/** Page shown in place of every other while nobody is signed in: Google, a link by e-mail, or the link of the server. */
export default function SignInPage({ signIn }: SignInPageProps) {
  const { ways } = useSession();
  useWindowTitle('Sign in');
  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <div className={styles.brand}>
          <img src="/icon.svg" alt="" width={24} height={24} />
          <span>Ensemble API</span>
        </div>
        {!ways && <NoLink />}
        {ways && signIn.is === 'link' && <OtherDevice ways={ways} />}
        {ways && signIn.is === 'nobody' && <Ways ways={ways} reason={signIn.reason} />}
      </div>
    </main>
  );
}

/** The server of one machine takes whoever comes with the link that it has printed. */
function NoLink() {
  return (
    <>
      <Head title="Open the link of this server" />
      <p role="alert">
        The dashboard opens with the link that <code>npm start</code> printed; it ends in <code>?token=…</code>. A link
        of an earlier start is out of date.
      </p>
    </>
  );
}

function Ways({ ways, reason }: { readonly ways: SignInWays; readonly reason: Error | undefined }) {
  const { trying, problem, attempt } = useAttempt<'google' | 'link'>(reason);
  const [sentTo, setSentTo] = useState<string>();
  const send = async (email: string) => {
    if (await attempt('link', () => ways.sendLink(email))) setSentTo(email);
  };
  if (sentTo !== undefined) return <Sent email={sentTo} onOther={() => setSentTo(undefined)} />;
  return (
    <>
      <Head title="Sign in" lead="Manage your API keys, plan and usage." />
      {problem && <Problem>{problem}</Problem>}
      <Button
        kind="primary"
        isPending={trying === 'google'}
        isDisabled={trying === 'link'}
        pendingText="Waiting for Google …"
        onPress={() => attempt('google', ways.withGoogle)}
      >
        Continue with Google
      </Button>
      <p className={styles.or}>or</p>
      <EmailForm action="Send a link by e-mail" pendingText="Sending …" isPending={trying === 'link'} onEmail={send} />
      <p className={styles.note}>The link signs you in once, without a password. A new address makes a new account.</p>
    </>
  );
}

function Sent({ email, onOther }: { readonly email: string; readonly onOther: () => void }) {
  return (
    <>
      <Head title="Check your e-mail" />
      <p role="status">
        A link is on its way to <span className={styles.address}>{email}</span>. Open it in this browser. If it does not
        come within a few minutes, look in the folder for spam.
      </p>
      <Button onPress={onOther}>Use another address or way</Button>
    </>
  );
}

/** The link was opened where it was not asked for: only whoever knows its address goes on. */
function OtherDevice({ ways }: { readonly ways: SignInWays }) {
  const { trying, problem, attempt } = useAttempt<'link'>();
  return (
    <>
      <Head title="Confirm your e-mail address" lead="To finish, enter the address that the link was sent to." />
      {problem && <Problem>{problem}</Problem>}
      <EmailForm
        action="Sign in"
        pendingText="Signing in …"
        isPending={trying !== undefined}
        isPrimary
        onEmail={(email) => attempt('link', () => ways.finishLink(email))}
      />
      <a href="/sign-in">Use another way to sign in</a>
    </>
  );
}

function Head({ title, lead }: { readonly title: string; readonly lead?: string }) {
  return (
    <div>
      <h1>{title}</h1>
      {lead && <p className={styles.lead}>{lead}</p>}
    </div>
  );
}

function Problem({ children }: { readonly children: ReactNode }) {
  return (
    <p role="alert" className={styles.error}>
      {children}
    </p>
  );
}
