import type { Store } from '../../src/store/store';
import { accessContract } from './access.contract';
import { actContract } from './act.contract';
import { admissionContract } from './admission.contract';
import { auditContract } from './audit.contract';
import { budgetContract } from './budget.contract';
import { grantContract } from './grant.contract';
import { idempotencyContract } from './idempotency.contract';
import { keyContract } from './key.contract';
import { ledgerContract } from './ledger.contract';
import { presetContract } from './preset.contract';
import { requestLogContract } from './request-log.contract';
import { routerKeyContract } from './router-key.contract';
import { routerModelContract } from './router-model.contract';
import { runContract } from './run.contract';
import { settlementContract } from './settlement.contract';
import { turnContract } from './turn.contract';
import { usageContract } from './usage.contract';

/** A store under test and what releases it together with its data. */
export interface OpenedStore {
  readonly store: Store;
  close(): Promise<void>;
}

/** Gives a part of the contract the store of the current test. */
export type CurrentStore = () => Store;

/**
 * Contract of every store, as jest tests: each sentence of the ports in `src/store/store.ts`.
 * `open` gives an empty store for one test. Times and ids come from the tests, never from the store.
 */
export function storeContract(name: string, open: () => Promise<OpenedStore>): void {
  describe(`${name} keeps the store contract`, () => {
    let opened: OpenedStore;
    beforeEach(async () => {
      opened = await open();
    });
    afterEach(() => opened.close());
    const current: CurrentStore = () => opened.store;

    describe('keys', () => keyContract(current));
    describe('subscriptions and access', () => accessContract(current));
    describe('acts', () => actContract(current));
    describe('admission', () => admissionContract(current));
    describe('budgets', () => budgetContract(current));
    describe('ledger', () => ledgerContract(current));
    describe('settlement', () => settlementContract(current));
    describe('idempotency keys', () => idempotencyContract(current));
    describe('kept runs', () => runContract(current));
    describe('presets', () => presetContract(current));
    describe('turns of users', () => turnContract(current));
    describe('usage', () => usageContract(current));
    describe('the log of requests', () => requestLogContract(current));
    describe('audit', () => auditContract(current));
    describe('router keys', () => routerKeyContract(current));
    describe('router models', () => routerModelContract(current));
    describe('token grants', () => grantContract(current));
  });
}
