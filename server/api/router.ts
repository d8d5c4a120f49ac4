// Serves resources: limit, authentication, validation, the operation, its answer. Knows no resource.
import type { Request, Response } from 'express';
import { type RequestHandler, Router } from 'express';
import { Failure, isPolicyRefusal } from '../services/failure.ts';
import type { Identification } from '../services/people/sessions.ts';
import type { Services } from '../services/services.ts';
import { baseUrl, queryOf } from './addressing.ts';
import { callerAddress } from './caller-address.ts';
import { anonymousBody, knownBody } from './form-body.ts';
import { type Method, methods, type Operation, type Resource } from './operation.ts';
import { validated, validatedBody } from './validation.ts';

/**
 * Whose token the request carries. Another scheme counts as anonymous. A window that asks by itself, with nobody before
 * it, says `X-Unattended`: that keeps no session alive.
 * @throws Failure `invalid-token`
 */
async function identify(request: Request, services: Services): Promise<Identification | null> {
  const words = (request.headers.authorization ?? '').trim().split(/\s+/);
  // Some clients send the bare token, without its scheme.
  const isBare = words.length === 1 && /^[0-9a-f]{40}$/.test(words[0]!);
  const [scheme, secret = '', ...rest] = isBare ? ['token', ...words] : words;
  if (scheme?.toLowerCase() !== 'token') return null;
  const identification =
    rest.length === 0 ? await services.sessions.identify(secret, request.headers['x-unattended'] === undefined) : null;
  if (identification === null) throw new Failure('invalid-token');
  return identification;
}

async function callerOf({ access }: Operation, request: Request, services: Services): Promise<Identification | null> {
  if (access === 'anybody') return null;
  try {
    return await identify(request, services);
  } catch (error) {
    if (access === 'lenient' && error instanceof Failure && error.id === 'invalid-token') return null;
    throw error;
  }
}

const readBody = ({ access }: Operation, request: Request, response: Response): Promise<void> =>
  new Promise((resolve, reject) => {
    const read = access === 'token' ? knownBody : anonymousBody;
    read(request, response, (error?: unknown) => (error === undefined ? resolve() : reject(error)));
  });

interface Who {
  username: string;
  subject: string;
}

interface Asked {
  request: Request;
  response: Response;
  services: Services;
}

/**
 * Notes in the audit log what a request did, once it is answered.
 * @param who is filled in as far as the request gets
 */
function noteWhenAnswered({ request, response, services }: Asked, action: string, who: Who): void {
  const address = callerAddress(request);
  // The router takes them away again where the request fails.
  const segments = Object.values(request.params) as string[];
  response.once('close', () => {
    const named = (request.body as { username?: unknown } | undefined)?.username;
    const known = who.subject || (typeof named === 'string' ? named : '');
    const subject = [...segments, known].filter(Boolean).join(' ');
    services.audit.note({ username: who.username, address, action, subject, status: response.statusCode });
  });
}

/** Until the answer is sent, or its connection broken. @throws Failure `too-many-at-once` */
function holdPlace(services: Services, caller: Identification | null, request: Request, response: Response): void {
  const account = caller?.account ?? null;
  const leave = services.requestPlaces.take({ account, address: callerAddress(request) });
  if (response.closed) leave();
  else response.once('close', leave);
}

/** Performs an operation; noted are all that may change something, what hands APKs out, and whoever tries closed doors. */
async function perform(operation: Operation, path: string, asked: Asked): Promise<void> {
  const who = { username: '', subject: '' };
  const { method } = asked.request;
  const note = () => noteWhenAnswered(asked, `${method} ${path}`, who);
  const isAudited = operation.isAudited ?? (operation.isAct === true || !['GET', 'HEAD'].includes(method));
  if (isAudited) note();
  try {
    await carryOut(operation, asked, who);
  } catch (error) {
    if (!isAudited && who.username !== '' && isPolicyRefusal(error)) note();
    throw error;
  }
}

/** @param who is filled in as far as the request gets */
async function carryOut(operation: Operation, { request, response, services }: Asked, who: Who): Promise<void> {
  const caller = await callerOf(operation, request, services);
  if (caller === null && operation.access === 'token') throw new Failure('not-authenticated');
  const isForGuests = operation.access === 'optional' && operation.isUntelling !== true;
  if (caller === null && isForGuests && !(await services.intake.tellsAnybody())) throw new Failure('not-authenticated');
  holdPlace(services, caller, request, response);
  if (caller !== null) {
    who.username = caller.account.username;
    await services.limits.use(caller.account, 'api-usage');
    if (operation.limit !== undefined) await services.limits.use(caller.account, operation.limit);
  }
  const query =
    operation.querySchema === undefined ? queryOf(request) : validated(operation.querySchema, queryOf(request));
  if (operation.bodySchema !== undefined) await readBody(operation, request, response);
  const answer = await operation.run({
    request,
    response,
    services,
    params: request.params as Record<string, string>,
    query,
    body: operation.bodySchema === undefined ? undefined : validatedBody(operation.bodySchema, request.body),
    caller,
    account: caller?.account ?? null,
    presenting: { baseUrl: baseUrl(request), ids: services.ids, links: services.links },
  } as Parameters<Operation['run']>[0]);
  if (answer === null) return;
  Object.assign(who, answer.noted);
  response.status(answer.status);
  if (answer.body === undefined) response.end();
  else response.json(answer.body);
}

/** Serves one resource on its path; methods that it does not have are answered with those it has. */
function serve({ path, operations }: Resource, services: Services): RequestHandler {
  const allowed = methods.filter((method) => operations[method] !== undefined).map((method) => method.toUpperCase());
  const servesHead = operations.get !== undefined && operations.get.isAct !== true;
  if (servesHead) allowed.splice(1, 0, 'HEAD');
  const allow = [...allowed, 'OPTIONS'].join(', ');
  return async (request, response) => {
    const method = request.method === 'HEAD' ? 'get' : (request.method.toLowerCase() as Method);
    const isServed = Object.hasOwn(operations, method) && (request.method !== 'HEAD' || servesHead);
    const operation = isServed ? operations[method] : undefined;
    if (operation !== undefined) return perform(operation, path, { request, response, services });
    response.set('Allow', allow);
    if (request.method !== 'OPTIONS') throw new Failure('method-not-allowed', { method: request.method });
    response.status(204).end();
  };
}

/** Each first segment has a router of its own: one of all would look at a hundred addresses for each request. */
export function resourceRouter(resources: readonly Resource[], services: Services): RequestHandler {
  const routers = new Map<string, Router>();
  const firstSegment = (path: string) => path.split('/', 2)[1]!;
  for (const resource of resources) {
    const segment = firstSegment(resource.path);
    const router = routers.get(segment) ?? Router({ caseSensitive: true });
    routers.set(segment, router);
    router.all(resource.path, serve(resource, services));
  }
  return (request, response, next) => {
    const router = routers.get(firstSegment(request.path));
    if (router === undefined) next();
    else router(request, response, next);
  };
}
