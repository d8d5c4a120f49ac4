// Generates the OpenAPI 3.1 document from the operations and the contract's schemas. Knows no operation by name.
import { z } from 'zod';
import { accountSchema, sessionSchema, tokenSchema } from '../contract/account.ts';
import { analystPageQuerySchema, analystSchema } from '../contract/analyst.ts';
import { analysisSchema, apkDetailSchema, apkReferenceSchema, apkSchema } from '../contract/apk.ts';
import { commentSchema } from '../contract/comment.ts';
import { errorSchema, fieldErrorsSchema } from '../contract/error.ts';
import { failures } from '../contract/failure.ts';
import { feedPackageSchema } from '../contract/feed.ts';
import { findingSchema } from '../contract/finding.ts';
import { healthSchema } from '../contract/health.ts';
import { jobSchema } from '../contract/job.ts';
import {
  legacyApkSchema,
  legacyCommentSchema,
  legacyNotificationSchema,
  legacyRulesetSchema,
} from '../contract/legacy.ts';
import { pageQuerySchema } from '../contract/list.ts';
import { matchSchema } from '../contract/match.ts';
import { notificationSchema } from '../contract/notification.ts';
import { androguardReportSchema, archiveEntrySchema, cuckooReportSchema } from '../contract/reports.ts';
import { rulesetDetailSchema, rulesetSchema } from '../contract/ruleset.ts';
import { voteSchema } from '../contract/vote.ts';
import { type Method, methods, type OperationDescription, type Resource } from './operation.ts';

/** Schemas that stand once in the document and are referred to by name. */
const named: Record<string, z.ZodType> = {
  Account: accountSchema,
  Analysis: analysisSchema,
  Analyst: analystSchema,
  AndroguardReport: androguardReportSchema,
  Apk: apkSchema,
  ApkDetail: apkDetailSchema,
  ApkReference: apkReferenceSchema,
  ArchiveEntry: archiveEntrySchema,
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
  Session: sessionSchema,
  Token: tokenSchema,
  Vote: voteSchema,
};

type JsonObject = Record<string, unknown>;
const refTo = (name: string) => `#/components/schemas/${name}`;

const registry = z.registry<{ id: string }>();
for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });

/** JSON Schema without the words that mean nothing inside an OpenAPI document. */
function cleaned({ $schema: _dialect, $id: _id, ...schema }: JsonObject): JsonObject {
  return schema;
}

function componentSchemas(): JsonObject {
  const { schemas } = z.toJSONSchema(registry, { uri: refTo, unrepresentable: 'any' });
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, cleaned(schema as JsonObject)]));
}

/** A schema in place; where it is named, or a page of named ones, by reference. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
  const name = Object.keys(named).find((key) => named[key] === schema);
  if (name !== undefined) return { $ref: refTo(name) };
  if (schema instanceof z.ZodObject && schema.shape.results instanceof z.ZodArray) {
    const items = schemaOf(schema.shape.results.element as z.ZodType, io);
    const envelope = cleaned(z.toJSONSchema(schema.omit({ results: true }), { io }) as JsonObject);
    const properties = { ...(envelope.properties as JsonObject), results: { type: 'array', items } };
    return { ...envelope, properties, required: [...(envelope.required as string[]), 'results'] };
  }
  return cleaned(z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as JsonObject);
}

const json = (schema: JsonObject) => ({ 'application/json': { schema } });

const isPage = (schema: z.ZodType | null | undefined): boolean =>
  schema instanceof z.ZodObject && schema.shape.results instanceof z.ZodArray;

/** A list that is short enough to come whole. */
const isWhole = (schema: z.ZodType | null | undefined): boolean =>
  schema instanceof z.ZodObject && schema.shape.next instanceof z.ZodNull;

/**
 * Lists read their paging themselves: everything about analysts by number, everything else by cursor, but what says
 * otherwise or names its own part by `offset`.
 */
function pagingParameters(path: string, { answers, querySchema, isNumbered }: OperationDescription): z.ZodObject {
  const hasOffset = querySchema instanceof z.ZodObject && 'offset' in querySchema.shape;
  if (!isPage(answers[200]) || isWhole(answers[200]) || hasOffset) return z.object({});
  return isNumbered || path.includes('/analysts') ? analystPageQuerySchema : pageQuerySchema;
}

function parametersOf(path: string, operation: OperationDescription): JsonObject[] {
  const { querySchema } = operation;
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const paging = pagingParameters(path, operation);
  const query = querySchema instanceof z.ZodObject ? querySchema.extend(paging.shape) : paging;
  const { properties = {} } = z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' });
  return [...inPath, ...Object.entries(properties).map(([name, schema]) => ({ name, in: 'query', schema }))];
}

function requestBodyOf({ bodySchema, bodyKind }: OperationDescription): JsonObject {
  if (bodyKind === 'file') {
    const binary = { type: 'string', format: 'binary' };
    const form = { type: 'object', properties: { file: binary } };
    const content = { 'application/octet-stream': { schema: binary }, 'multipart/form-data': { schema: form } };
    return { requestBody: { required: true, content } };
  }
  if (bodySchema === undefined) return {};
  const schema = schemaOf(bodySchema, 'input');
  const types = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'];
  return { requestBody: { content: Object.fromEntries(types.map((type) => [type, { schema }])) } };
}

/** Statuses of what an operation may refuse: what its kind brings with it, and what it names itself. */
function refusedStatuses(
  path: string,
  { access, bodySchema, bodyKind, refusals = [] }: OperationDescription,
): number[] {
  const statuses = new Set<number>(refusals.map((id) => failures[id].status));
  statuses.add(400);
  if (access !== 'anybody') statuses.add(429);
  if (access === 'token' || access === 'optional') statuses.add(401);
  if (access === 'token') statuses.add(403);
  if (path.includes(':')) statuses.add(404);
  if (bodySchema !== undefined || bodyKind === 'file') statuses.add(408).add(413).add(415);
  return [...statuses].toSorted((one, other) => one - other);
}

function refusal(status: number): JsonObject {
  return { $ref: `#/components/responses/${status === 400 ? 'BadRequest' : 'Error'}` };
}

function operationObject(path: string, operation: OperationDescription): JsonObject {
  const refused = refusedStatuses(path, operation);
  const answers = Object.entries(operation.answers).map(([status, schema]) => {
    const description =
      { 200: 'Done', 201: 'Created', 204: 'Done, without a body', 302: 'Elsewhere' }[status] ?? 'Answer';
    if (schema === null) return [status, { description }];
    const shown = schemaOf(schema, 'output');
    // What an operation itself says of a faulty request stands beside what every operation says.
    const isBeside = refused.includes(Number(status));
    return [status, { description, content: json(isBeside ? { anyOf: [{ $ref: refTo('Error') }, shown] } : shown) }];
  });
  const security = { token: [{ token: [] }], optional: [{ token: [] }, {}], lenient: [{ token: [] }, {}], anybody: [] }[
    operation.access
  ];
  return {
    summary: operation.summary,
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

function pathObject({ path, operations }: Resource): JsonObject {
  const present = methods.filter((method) => operations[method] !== undefined);
  return Object.fromEntries(present.map((method: Method) => [method, operationObject(path, operations[method]!)]));
}

/** The document of these resources, for OpenAPI 3.1. */
export function openApiDocument(resources: readonly Resource[], version: string): JsonObject {
  const address = (path: string) => `${path.replace(/:(\w+)/g, '{$1}')}/`.replace('//', '/');
  return {
    openapi: '3.1.0',
    info: { title: 'APK Workstation', version },
    servers: [{ url: '/' }],
    paths: Object.fromEntries(resources.map((resource) => [address(resource.path), pathObject(resource)])),
    components: {
      schemas: componentSchemas(),
      responses: {
        Error: { description: 'Refused or failed', content: json({ $ref: refTo('Error') }) },
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
