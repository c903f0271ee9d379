// What lib/sdk-firestore.js is made of: names that `import()` finds, which it would not in the package's own CommonJS.
export { AggregateField, FieldValue, Firestore, Timestamp } from '@google-cloud/firestore';
