import { useState } from 'react';
import { Form } from 'react-aria-components';
import { fieldErrors } from '../../api/field-error';
import type { Action } from '../../api/use-action';
import { Button } from '../../ui/button';
import { Choice } from '../../ui/choice';
import { Choices } from '../../ui/choices';
import { DialogActions } from '../../ui/dialog';
import { ErrorState } from '../../ui/error-state';
import { TextField } from '../../ui/text-field';
import { EXPIRY_CHOICES, type Expiry } from './expiry';
import { ENDPOINTS, type KeyFieldValues, type KeyFlaws, type KeyWish, wishOf } from './key-wish';
import styles from './keys.module.css';

const FIELDS = ['name', 'expiresAt', 'budgetUsd', 'models', 'endpoints', 'requestsPerMinute'] as const;
const NAME_CHARACTERS_MAX = 100;

interface KeyFieldsProps {
  readonly start: KeyFieldValues;
  readonly action: Pick<Action<never, unknown>, 'isPending' | 'error' | 'forgetError'>;
  readonly words: { readonly submit: string; readonly pending: string; readonly failed: string };
  readonly onSubmit: (wish: KeyWish) => void;
  readonly onCancel: () => void;
}

/** Name, end and limits of a key. */
export function KeyFields({ start, action, words, onSubmit, onCancel }: KeyFieldsProps) {
  const [values, setValues] = useState(start);
  const [flaws, setFlaws] = useState<KeyFlaws>({});
  const change = (part: Partial<KeyFieldValues>): void => {
    setValues({ ...values, ...part });
    setFlaws({});
    action.forgetError();
  };
  const submit = (): void => {
    const wish = wishOf(values, Date.now());
    if ('flaws' in wish) setFlaws(wish.flaws);
    else onSubmit(wish);
  };
  const { byField, other } = fieldErrors(action.error, FIELDS);
  const errors = { ...byField, ...flaws };
  return (
    <Form
      className={styles.form ?? ''}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <TextField
        label="Name"
        description="The program that uses it, so that you recognise it later."
        value={values.name}
        onChange={(name) => change({ name })}
        error={errors.name}
        maxLength={NAME_CHARACTERS_MAX}
        isRequired
        autoFocus
        autoComplete="off"
      />
      {values.expiry && (
        <ExpiryField value={values.expiry} onChange={(expiry) => change({ expiry })} error={errors.expiresAt} />
      )}
      <TextField
        label="Budget per month, in US dollars"
        description="Leave it empty for no limit. Once it is spent, the key is refused until the next month begins (UTC)."
        unit="$"
        inputMode="decimal"
        value={values.budget}
        onChange={(budget) => change({ budget })}
        error={errors.budgetUsd}
        autoComplete="off"
      />
      <TextField
        label="Models"
        description="Ids, separated by commas; * stands for any characters, as in gpt-*. Empty: all."
        value={values.models}
        onChange={(models) => change({ models })}
        error={errors.models}
        autoComplete="off"
        spellCheck="false"
      />
      <Choices
        label="Endpoints"
        description="None chosen: all."
        options={ENDPOINTS}
        value={values.endpoints}
        onChange={(endpoints) => change({ endpoints })}
        error={errors.endpoints}
      />
      <TextField
        label="Requests a minute"
        description="Empty: as many as all your keys together."
        inputMode="numeric"
        value={values.requestsPerMinute}
        onChange={(requestsPerMinute) => change({ requestsPerMinute })}
        error={errors.requestsPerMinute}
        autoComplete="off"
      />
      {other !== undefined && <ErrorState title={words.failed} error={other} />}
      <DialogActions>
        <Button onPress={onCancel}>Cancel</Button>
        <Button kind="primary" type="submit" isPending={action.isPending} pendingText={words.pending}>
          {words.submit}
        </Button>
      </DialogActions>
    </Form>
  );
}

interface ExpiryFieldProps {
  readonly value: Expiry;
  readonly onChange: (value: Expiry) => void;
  readonly error: string | undefined;
}

function ExpiryField({ value, onChange, error }: ExpiryFieldProps) {
  return (
    <>
      <Choice
        label="Expires"
        options={EXPIRY_CHOICES}
        value={value.choice}
        onChange={(choice) => onChange({ ...value, choice })}
      />
      {value.choice === 'date' && (
        <TextField
          label="Last day"
          description="It works until the end of this day, in your time zone."
          type="date"
          value={value.day}
          onChange={(day) => onChange({ ...value, day })}
          error={error}
          isRequired
        />
      )}
      {value.choice !== 'date' && error !== undefined && <p role="alert">{error}</p>}
    </>
  );
}
