// Generates the OpenAPI 3.1 document from the operations and the contract's schemas. Knows no operation by name.
import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { analysisSchema, apkDetailSchema, apkReferenceSchema, apkSchema } from '../contract/catalogue/apk.ts';
import { feedPackageSchema } from '../contract/catalogue/feed.ts';
import { androguardReportSchema, cuckooReportSchema } from '../contract/engine/reports.ts';
import { errorSchema, fieldErrorsSchema } from '../contract/error.ts';
import { failures } from '../contract/failure.ts';
import { findingSchema } from '../contract/findings/finding.ts';
import { jobSchema } from '../contract/jobs/job.ts';
import {
  legacyApkSchema,
  legacyCommentSchema,
  legacyNotificationSchema,
  legacyRulesetSchema,
} from '../contract/legacy.ts';
import { pageQuerySchema } from '../contract/list.ts';
import {
  type AnswerShape,
  type FileTypes,
  type Method,
  methods,
  type Operation,
  type Operations,
} from '../contract/operations/operation.ts';
import { accountSchema, sessionSchema, tokenSchema } from '../contract/people/account.ts';
import { analystPageQuerySchema, analystSchema } from '../contract/people/analyst.ts';
import { commentSchema } from '../contract/people/comment.ts';
import { notificationSchema } from '../contract/people/notification.ts';
import { voteSchema } from '../contract/people/vote.ts';
import { matchSchema } from '../contract/rules/match.ts';
import { rulesetDetailSchema, rulesetSchema, savedRulesetSchema } from '../contract/rules/ruleset.ts';
import { healthSchema } from '../contract/workstation/health.ts';

/** Schemas that stand once in the document and are referred to by name. */
const named: Record<string, z.ZodType> = {
  Account: accountSchema,
  Analysis: analysisSchema,
  Analyst: analystSchema,
  AndroguardReport: androguardReportSchema,
  Apk: apkSchema,
  ApkDetail: apkDetailSchema,
  ApkReference: apkReferenceSchema,
  Comment: commentSchema,
  CuckooReport: cuckooReportSchema,
  Error: errorSchema,
  FeedPackage: feedPackageSchema,
  FieldErrors: fieldErrorsSchema,
  Finding: findingSchema,
  Health: healthSchema,
  Job: jobSchema,
  LegacyApk: legacyApkSchema,
  LegacyComment: legacyCommentSchema,
  LegacyNotification: legacyNotificationSchema,
  LegacyRuleset: legacyRulesetSchema,
  Match: matchSchema,
  Notification: notificationSchema,
  Ruleset: rulesetSchema,
  RulesetDetail: rulesetDetailSchema,
  SavedRuleset: savedRulesetSchema,
  Session: sessionSchema,
  Token: tokenSchema,
  Vote: voteSchema,
};

type JsonObject = Record<string, unknown>;
const refTo = (name: string) => `#/components/schemas/${name}`;

const registry = z.registry<{ id: string }>();
for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });

/** JSON Schema without the keywords that have no meaning inside an OpenAPI document. */
function cleaned({ $schema: _dialect, $id: _id, ...schema }: JsonObject): JsonObject {
  return schema;
}

/** zod gives every integer JavaScript's bounds; OpenAPI has the format `int64` for that. */
const integersByFormat: Parameters<typeof z.toJSONSchema>[1] = {
  unrepresentable: 'any',
  override({ jsonSchema }) {
    if (jsonSchema.type !== 'integer') return;
    if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    if (jsonSchema.maximum !== Number.MAX_SAFE_INTEGER) return;
    delete jsonSchema.maximum;
    jsonSchema.format = 'int64';
  },
};

function componentSchemas(): JsonObject {
  const { schemas } = z.toJSONSchema(registry, { uri: refTo, ...integersByFormat });
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, cleaned(schema as JsonObject)]));
}

/** A schema in place; where it is named, or a page of named ones, by reference. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
  const name = Object.keys(named).find((key) => named[key] === schema);
  if (name !== undefined) return { $ref: refTo(name) };
  if (schema instanceof z.ZodObject && schema.shape.results instanceof z.ZodArray) {
    const items = schemaOf(schema.shape.results.element as z.ZodType, io);
    const envelope = cleaned(z.toJSONSchema(schema.omit({ results: true }), { ...integersByFormat, io }) as JsonObject);
    const properties = { ...(envelope.properties as JsonObject), results: { type: 'array', items } };
    return { ...envelope, properties, required: [...(envelope.required as string[]), 'results'] };
  }
  return cleaned(z.toJSONSchema(schema, { ...integersByFormat, io }) as JsonObject);
}

const json = (schema: JsonObject) => ({ 'application/json': { schema } });

const paging = { cursor: pageQuerySchema.shape, number: analystPageQuerySchema.shape };

function parametersOf(path: string, operation: Operation): JsonObject[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const query = (operation.query ?? z.object({})).extend(
    operation.paging === undefined ? {} : paging[operation.paging],
  );
  const { properties = {} } = z.toJSONSchema(query, { ...integersByFormat, io: 'input' });
  return [...inPath, ...Object.entries(properties).map(([name, schema]) => ({ name, in: 'query', schema }))];
}

function requestBodyOf({ body }: Operation): JsonObject {
  if (body === 'file') {
    const binary = { type: 'string', format: 'binary' };
    const form = { type: 'object', properties: { file: binary } };
    const content = { 'application/octet-stream': { schema: binary }, 'multipart/form-data': { schema: form } };
    return { requestBody: { required: true, content } };
  }
  if (body === undefined) return {};
  const schema = schemaOf(body, 'input');
  const types = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'];
  const required = !body.safeParse({}).success;
  return { requestBody: { required, content: Object.fromEntries(types.map((type) => [type, { schema }])) } };
}

/** Statuses of refusals: those that follow from access, path and body, and those that the operation names. */
function refusedStatuses(path: string, { access, policyRefusal, body, refusals = [] }: Operation): number[] {
  const statuses = new Set<number>(refusals.map((id) => failures[id].status));
  statuses.add(400);
  statuses.add(429);
  if (access === 'token' || access === 'optional') statuses.add(401);
  if (access === 'token') statuses.add(403);
  if (policyRefusal !== undefined) statuses.add(failures[policyRefusal].status);
  if (path.includes('{')) statuses.add(404);
  if (body !== undefined) statuses.add(408).add(413).add(415);
  return [...statuses].toSorted((one, other) => one - other);
}

/** Refusals with a shape or a header of their own. */
const refusals: Record<number, string> = { 400: 'BadRequest', 401: 'Unauthenticated', 429: 'Throttled' };

function refusal(status: number): JsonObject {
  return { $ref: `#/components/responses/${refusals[status] ?? 'Error'}` };
}

const isFile = (shape: AnswerShape): shape is FileTypes => Array.isArray(shape);

function fileContent(types: FileTypes): JsonObject {
  const text = { type: 'string' };
  const contentOf = (type: string) => (type.startsWith('text/') ? text : { ...text, format: 'binary' });
  return Object.fromEntries(types.map((type) => [type, { schema: contentOf(type) }]));
}

const capitalised = (word: string) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;

/** `getApksBySha256AnalyzeStatic`: clients that are generated from the document name their functions so. */
function operationIdOf(method: Method, path: string): string {
  const words = (path === '/' ? 'index' : path.slice(0, -1))
    .split(/[/_.-]/)
    .map((word) => (word.startsWith('{') ? `By${capitalised(word.slice(1, -1))}` : word));
  return [method.toLowerCase(), ...words.map(capitalised)].join('');
}

const answerTexts: Record<string, string> = {
  200: 'Done',
  201: 'Created',
  204: 'Done, without a body',
  206: 'A part of it',
  302: 'Elsewhere',
  304: 'The client holds it already',
};

function operationObject(method: Method, path: string, operation: Operation): JsonObject {
  const refused = refusedStatuses(path, operation);
  const answers = Object.entries(operation.answers).map(([status, schema]) => {
    const description = answerTexts[status] ?? 'Answer';
    if (schema === null) return [status, { description }];
    if (isFile(schema)) return [status, { description, content: fileContent(schema) }];
    const shown = schemaOf(schema, 'output');
    // An operation with its own answer to a faulty request may also give the common one.
    const isBeside = refused.includes(Number(status));
    return [status, { description, content: json(isBeside ? { anyOf: [{ $ref: refTo('Error') }, shown] } : shown) }];
  });
  const security = { token: [{ token: [] }], optional: [{ token: [] }, {}], lenient: [{ token: [] }, {}], anybody: [] }[
    operation.access
  ];
  return {
    operationId: operationIdOf(method, path),
    tags: [path.split('/')[1] || 'index'],
    summary: operation.summary,
    ...(operation.policy === undefined ? {} : { 'x-policy': operation.policy }),
    security,
    parameters: parametersOf(path, operation),
    ...requestBodyOf(operation),
    responses: {
      ...Object.fromEntries(refused.map((status) => [status, refusal(status)])),
      ...Object.fromEntries(answers),
      default: { $ref: '#/components/responses/Error' },
    },
  };
}

/** What holds for all operations. */
const conventions = [
  'Tokens are sent as `Authorization: Token <secret>`.',
  'Lists are `{count, next, previous, results}`, where `next` and `previous` are whole addresses or null.',
  'Times are ISO 8601 in UTC, under `/legacy` and of analysts Unix seconds.',
  'A refusal is `{"detail": "…"}`, faults of fields are `{"<field>": ["…"]}` with the status 400.',
  'Addresses answer alike with a slash at the end, without one and with doubled ones.',
  'Bodies are JSON or forms, whose nested fields are dotted: `profile.biography`.',
].join(' ');

/** The operations by address, `/apks/{sha256}/`, and method. */
function addressesOf(operations: Operations): Map<string, Map<Method, Operation>> {
  const addresses = new Map<string, Map<Method, Operation>>();
  for (const [key, operation] of Object.entries<Operation>(operations)) {
    const [spelled, address] = key.split(' ') as [string, string];
    const path = address.replace(/<(\w+)>/g, '{$1}');
    const byMethod = addresses.get(path) ?? new Map<Method, Operation>();
    addresses.set(path, byMethod);
    for (const method of spelled.split('|') as Method[]) byMethod.set(method, operation);
  }
  return addresses;
}

/**
 * The document of these operations, for OpenAPI 3.1. It takes a tenth of a second of work, with breaths between the
 * addresses for whatever else waits.
 */
export async function openApiDocument(operations: Operations, version: string): Promise<JsonObject> {
  const error = json({ $ref: refTo('Error') });
  const paths: JsonObject = {};
  for (const [path, byMethod] of addressesOf(operations)) {
    const present = methods.filter((method) => byMethod.has(method));
    paths[path] = Object.fromEntries(
      present.map((method) => [method.toLowerCase(), operationObject(method, path, byMethod.get(method)!)]),
    );
    await setImmediate();
  }
  return {
    openapi: '3.1.0',
    info: { title: 'APK Workstation', version, description: conventions },
    servers: [{ url: '/' }],
    paths,
    components: {
      schemas: componentSchemas(),
      responses: {
        Error: { description: 'Refused or failed', content: error },
        Unauthenticated: {
          description: 'No token, or one that is unknown or revoked',
          headers: { 'WWW-Authenticate': { schema: { const: 'Token' } } },
          content: error,
        },
        Throttled: {
          description: 'Over a limit',
          headers: { 'Retry-After': { description: 'Seconds', schema: { type: 'integer' } } },
          content: error,
        },
        BadRequest: {
          description: 'Fields at fault, or a request that cannot be read',
          content: json({ anyOf: [{ $ref: refTo('Error') }, { $ref: refTo('FieldErrors') }] }),
        },
      },
      securitySchemes: {
        token: { type: 'apiKey', in: 'header', name: 'Authorization', description: '`Token <secret>`' },
      },
    },
  };
}
