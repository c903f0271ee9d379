// Firestore's client reads 410 files, most of them for other interfaces than the one that the store uses: administration,
// access policies, long operations, locations. This esbuild plugin leaves those out of the client's file in lib/: half of
// the time from loading it to its first answer (docs/adr/0051). What is left out throws as soon as somebody uses it.
import { readFileSync } from 'node:fs';

const throws = (name) => `throw new Error('${name} is left out of lib/sdk-firestore.js')`;
const client = (name) => `class ${name} { constructor() { ${throws(name)}; } }`;

/** What stands in for a module, by the end of its path. */
const INSTEAD = {
  // The whole interface written out as JavaScript. The client reads it from JSON, and uses this for a part of pipelines only.
  '@google-cloud/firestore-api/build/protos/protos.js': `const Value = { fromObject() { ${throws('Value')}; } };
    exports.google = { firestore: { v1: { Value } } };`,
  '@google-cloud/firestore-api/build/src/v1/firestore_admin_client.js': `${client('FirestoreAdminClient')}
    exports.FirestoreAdminClient = FirestoreAdminClient;`,
  'google-gax/build/protos/iam_service.js': '',
  'google-gax/build/protos/locations.js': '',
  'google-gax/build/protos/operations.js': '',
  'google-gax/build/src/iamService.js': `${client('IamClient')} exports.IamClient = IamClient;`,
  'google-gax/build/src/operationsClient.js': `${client('OperationsClient')}
    exports.OperationsClient = exports.OperationsClientBuilder = OperationsClient;
    exports.SERVICE_ADDRESS = ''; exports.ALL_SCOPES = [];`,
  // Describes each message once more, for servers that tell their interface.
  'protobufjs/ext/descriptor/index.js': `const { Enum, Root, Type } = require('../..');
    const described = { $type: { toObject: () => ({}) } };
    Root.prototype.toDescriptor = () => ({ file: [] });
    Type.prototype.toDescriptor = Enum.prototype.toDescriptor = () => described;`,
  // For a Node without streams of the web.
  'web-streams-polyfill/dist/ponyfill.es2018.js': throws('The polyfill of streams'),
  // Every client of Firestore makes one, and closes it.
  'google-gax/build/src/locationService.js': 'exports.LocationsClient = class { async close() {} };',
};
const PROTOS = '@google-cloud/firestore-api/build/protos/protos.json';

export const leanFirestore = {
  name: 'lean-firestore',
  setup(build) {
    const left = new Set(Object.keys(INSTEAD));
    build.onLoad(
      { filter: /[\\/](?:firestore-api|google-gax|protobufjs|web-streams-polyfill)[\\/].*\.js(?:on)?$/ },
      ({ path }) => {
        const file = path.replaceAll('\\', '/');
        if (file.endsWith(PROTOS)) return { contents: withoutAdmin(readFileSync(path, 'utf8')), loader: 'json' };
        const name = Object.keys(INSTEAD).find((end) => file.endsWith(end));
        left.delete(name);
        return name === undefined ? undefined : { contents: INSTEAD[name], loader: 'js' };
      },
    );
    build.onStart(() => {
      for (const name of Object.keys(INSTEAD)) left.add(name);
    });
    // A name that changed would be in the bundle again, and nobody would see it.
    build.onEnd(() => ({
      errors: [...left].map((name) => ({ text: `lean-firestore.mjs leaves out ${name}, which is not there` })),
    }));
  },
};

/** The interface without that of administration, and of the long operations that it starts. */
function withoutAdmin(json) {
  const protos = JSON.parse(json);
  const { google } = protos.nested;
  delete google.nested.firestore.nested.admin;
  delete google.nested.longrunning;
  return JSON.stringify(protos);
}
