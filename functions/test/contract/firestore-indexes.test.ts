import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface IndexFile {
  readonly indexes: readonly {
    collectionGroup: string;
    queryScope: string;
    fields: readonly { fieldPath: string }[];
  }[];
  readonly fieldOverrides: readonly { collectionGroup: string; fieldPath: string; ttl?: boolean; indexes: unknown[] }[];
}

describe('firestore.indexes.json', () => {
  const file: IndexFile = JSON.parse(readFileSync(join(__dirname, '../../../firestore.indexes.json'), 'utf8'));
  const overrides = new Map(file.fieldOverrides.map((one) => [`${one.collectionGroup}.${one.fieldPath}`, one]));

  it('has the indexes of the queries that need one: acts of a user; expired open and recently closed records, spread over shards; what budgets are checked against', () => {
    const fields = file.indexes.map((index) => [
      index.collectionGroup,
      ...index.fields.map(({ fieldPath }) => fieldPath),
    ]);
    expect(fields).toEqual([
      ['acts', 'uid', 'at'],
      ['usageLedger', 'state', 'shard', 'leaseUntil'],
      ['usageLedger', 'shard', 'settledAt'],
      ['usageLedger', 'uid', 'estimateNano'],
      ['usageLedger', 'month', 'estimateNano'],
      ['usage', 'month', 'costNano'],
    ]);
    // Months of all users together.
    expect(file.indexes.map(({ queryScope }) => queryScope)).toEqual([
      ...Array(5).fill('COLLECTION'),
      'COLLECTION_GROUP',
    ]);
  });

  it('lets the database remove what has an end', () => {
    const expiring = file.fieldOverrides
      .filter(({ ttl }) => ttl)
      .map((one) => `${one.collectionGroup}.${one.fieldPath}`);
    const collections = [
      'acts',
      'rateLimits',
      'usageLedger',
      'idempotency',
      'replyParts',
      'audits',
      'byok',
      'runs',
      'runParts',
    ];
    expect(expiring).toEqual(collections.map((name) => `${name}.expireAt`));
  });

  it.each([
    'acts',
    'apiKeys',
    'keyIds',
    'tagKeys',
    'rateLimits',
    'usageLedger',
    'usage',
    'audits',
    'idempotency',
    'replyParts',
    'server',
    'private',
    'byok',
    'runs',
    'runParts',
  ])(
    'indexes no field of %s that is not named: maps would go beyond 40,000 entries, times make hot spots',
    (collection) => {
      expect(overrides.get(`${collection}.*`)?.indexes).toEqual([]);
    },
  );

  it('leaves a collection as it is that is in the database of Stripe’s extension as well', () => {
    expect([...file.indexes, ...file.fieldOverrides].map((one) => one.collectionGroup)).not.toContain('subscriptions');
  });

  it('keeps the indexes that list the runs of a user, from either end, and find events by their place', () => {
    const orders = (field: string) => overrides.get(field)?.indexes;
    const queryScope = 'COLLECTION';
    expect(orders('runs.startedAt')).toEqual([
      { order: 'ASCENDING', queryScope },
      { order: 'DESCENDING', queryScope },
    ]);
    expect(orders('runParts.to')).toEqual([{ order: 'ASCENDING', queryScope }]);
  });

  it('keeps the index that finds the keys of a user', () => {
    expect(overrides.get('apiKeys.uid')?.indexes).toEqual([{ order: 'ASCENDING', queryScope: 'COLLECTION' }]);
  });
});
