import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApiDocument } from '../../src/api/openapi/document';
import type { Description, Json } from '../support/openapi';

/** The tables of docs/api.md and the schemas of `GET /v1/openapi.json` have the same fields. */

const PAGE = readFileSync(join(__dirname, '..', '..', '..', 'docs', 'api.md'), 'utf8');
const { components, paths } = openApiDocument() as unknown as Description;

/** The names in the first column of a section's table, counted from 0; without rows of what is ignored. */
function fieldsOfTable(section: string, index: number): string[] {
  const text = PAGE.split(/^###? /m).find((part) => part.startsWith(`${section}\n`)) ?? '';
  const table = text.split(/\n\n/).filter((part) => /^\| (field|parameter)/.test(part))[index] ?? '';
  const rows = table.split('\n').slice(2);
  return rows.filter((row) => !row.includes('| ignored')).flatMap((row) => namesOf(row.split('|')[1] ?? ''));
}

/** `responses[].modelId`, `.modelName` are two fields of the same object. */
function namesOf(cell: string): string[] {
  const names = [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name.replaceAll('[0]', '[]'));
  const [first = ''] = names;
  return names.map((name) => (name.startsWith('.') ? first.slice(0, first.lastIndexOf('.')) + name : name));
}

function schemaOf(name: string): Json {
  const schema = components.schemas[name];
  if (!schema) throw new Error(`no schema ${name}`);
  return schema;
}

/** The fields of an object and, below them, of the objects and lists in it, as the page writes them. */
function pathsOf(schema: Json, prefix = ''): string[] {
  const { $ref, items, properties } = schema as { $ref?: string; items?: Json; properties?: Record<string, Json> };
  if ($ref) return pathsOf(schemaOf($ref.split('/').at(-1) ?? ''), prefix);
  if (items) return pathsOf(items, `${prefix}[]`);
  return Object.entries(properties ?? {}).flatMap(([name, field]) => {
    const path = prefix === '' ? name : `${prefix}.${name}`;
    return [path, ...pathsOf(field, path)];
  });
}

const topOf = (schema: Json): string[] => Object.keys((schema['properties'] ?? {}) as object);

describe('fields of requests: the page and the schemas have the same', () => {
  it('bodies of chat completions, responses and evaluations', () => {
    expect(topOf(schemaOf('ChatCompletionRequest')).sort()).toEqual(fieldsOfTable('Chat completions', 0).sort());
    expect(topOf(schemaOf('ResponseRequest')).sort()).toEqual(fieldsOfTable('Responses', 0).sort());
    expect(pathsOf(schemaOf('EvaluationRequest')).sort()).toEqual(fieldsOfTable('Evaluations', 0).sort());
  });

  it('ensemble options, and entries of models', () => {
    const options = schemaOf('EnsembleOptions');
    expect(topOf(options).sort()).toEqual(fieldsOfTable('Ensemble options', 0).sort());
    const { models } = options['properties'] as Record<string, { items: { anyOf: Json[] } }>;
    const [, byId, byName] = models?.items.anyOf ?? [];
    const special = fieldsOfTable('Ensemble options', 1);
    expect(topOf(byId ?? {}).sort()).toEqual(['id', ...special].sort());
    expect(topOf(byName ?? {}).sort()).toEqual(['name', ...special].sort());
  });

  it('structured output, in both spellings', () => {
    const fields = fieldsOfTable('Structured output', 0);
    expect(pathsOf(schemaOf('ResponseFormat')).sort()).toEqual(fields.sort());
    const beside = fields.filter((field) => field !== 'json_schema').map((field) => field.replace('json_schema.', ''));
    expect(topOf(schemaOf('TextFormat')).sort()).toEqual([...new Set(beside)].sort());
  });

  it('parameters of usage', () => {
    const { parameters } = (paths['/v1/usage']?.['get'] ?? {}) as { parameters?: { name: string }[] };
    expect(parameters?.map(({ name }) => name).sort()).toEqual(fieldsOfTable('Usage', 0).sort());
  });
});

describe('fields of replies: the schemas have all that the page names', () => {
  it.each([
    ['ChatCompletion', 'Chat completions', 1],
    ['TokenUsage', 'Chat completions', 2],
    ['Candidate', 'Candidates', 0],
    ['Plan', 'Caps and plans', 0],
    ['Response', 'Responses', 1],
    ['Evaluation', 'Evaluations', 1],
    ['UsageRecord', 'Usage', 1],
    ['Model', 'Models', 0],
  ])('%s', (name, section, index) => {
    const documented = fieldsOfTable(section, index);
    expect(documented).not.toHaveLength(0);
    expect(pathsOf(schemaOf(name))).toEqual(expect.arrayContaining(documented));
    // Of a plan another section of the page tells.
    const told = new Set(['plan', ...documented.map((field) => field.split(/[.[]/)[0])]);
    expect(topOf(schemaOf(name)).filter((field) => !told.has(field))).toEqual([]);
  });
});

describe('the whole document', () => {
  it('says of every field of a request what it is', () => {
    const silent: string[] = [];
    const look = (schema: Json, path: string): void => {
      const { properties = {}, items } = schema as { properties?: Record<string, Json>; items?: Json };
      for (const [name, field] of Object.entries(properties)) {
        if (typeof field['description'] !== 'string') silent.push(`${path}.${name}`);
        look(field, `${path}.${name}`);
      }
      if (items) look(items, `${path}[]`);
    };
    for (const name of [
      'ChatCompletionRequest',
      'ResponseRequest',
      'EvaluationRequest',
      'EnsembleOptions',
      'Message',
    ]) {
      look(schemaOf(name), name);
    }
    expect(silent).toEqual([]);
  });

  it('has the limits that requests are validated by', () => {
    const { properties: request } = schemaOf('ChatCompletionRequest') as { properties: Record<string, Json> };
    const { properties: options } = schemaOf('EnsembleOptions') as { properties: Record<string, Json> };
    expect(request['temperature']).toMatchObject({ type: 'number', minimum: 0, maximum: 2 });
    expect(request['messages']).toMatchObject({ type: 'array', minItems: 1 });
    expect(request['model']).toMatchObject({ type: 'string', maxLength: 200 });
    expect(request['max_tokens']).toMatchObject({ type: 'integer', exclusiveMinimum: 0 });
    expect(options['models']).toMatchObject({ type: 'array', maxItems: 16 });
    expect(options['maxSeconds']).toMatchObject({ minimum: 1, maximum: 525 });
    expect(schemaOf('ChatCompletionRequest')).toMatchObject({ required: ['model', 'messages'] });
    expect(schemaOf('EvaluationRequest')).toMatchObject({ required: ['prompt', 'responses', 'judge_models'] });
  });
});
