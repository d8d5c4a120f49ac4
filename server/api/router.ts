// Serves operations: limit, authentication, validation, policy, the handler, its answer. Knows no operation.
import type { Request, Response } from 'express';
import { type RequestHandler, Router } from 'express';
import { type Access, methods, type Operation, type Operations } from '../contract/operations/operation.ts';
import { Failure, isPolicyRefusal } from '../services/failure.ts';
import type { Identification } from '../services/people/sessions.ts';
import { isAllowed } from '../services/policies.ts';
import type { Services } from '../services/services.ts';
import { baseUrl, queryOf } from './addressing.ts';
import { callerAddress } from './caller-address.ts';
import { anonymousBody, knownBody } from './form-body.ts';
import { type AnyHandler, type Call, type Handlers, routePath } from './operation.ts';
import { lookFor } from './subjects.ts';
import { validated, validatedBody } from './validation.ts';

/**
 * Whose token the request carries. Another scheme counts as anonymous. A window that nobody is using sends
 * `X-Unattended` with its own requests, which then do not prolong the session.
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

/** An operation with its handler. */
interface Served {
  /** As the audit log names it, `/apks/:sha256`. */
  path: string;
  operation: Operation;
  handle: AnyHandler;
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
  // Read now: Express removes them when the request fails.
  const segments = Object.values(request.params) as string[];
  response.once('close', () => {
    const named = (request.body as { username?: unknown } | undefined)?.username;
    const known = who.subject || (typeof named === 'string' ? named : '');
    const subject = [...segments, known].filter(Boolean).join(' ');
    services.audit.note({ username: who.username, address, action, subject, status: response.statusCode });
  });
}

/** Counts the request among those under way until its answer is sent or its connection is broken. @throws Failure `too-many-at-once` */
function holdPlace(services: Services, caller: Identification | null, request: Request, response: Response): void {
  const account = caller?.account ?? null;
  const leave = services.requestPlaces.take({ account, address: callerAddress(request) });
  if (response.closed) leave();
  else response.once('close', leave);
}

/** Performs an operation. The audit log gets all that may change something, downloads of APKs, and refused attempts. */
async function perform(served: Served, asked: Asked): Promise<void> {
  const { operation, path } = served;
  const who = { username: '', subject: '' };
  const { method } = asked.request;
  const note = () => noteWhenAnswered(asked, `${method} ${path}`, who);
  const isAudited = operation.isAudited ?? (operation.isAct === true || !['GET', 'HEAD'].includes(method));
  if (isAudited) note();
  try {
    await carryOut(served, asked, who);
  } catch (error) {
    if (!isAudited && who.username !== '' && isPolicyRefusal(error)) note();
    throw error;
  }
}

/** @param who is filled in as far as the request gets */
async function carryOut(
  { operation, handle }: Served,
  { request, response, services }: Asked,
  who: Who,
): Promise<void> {
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
  const query = operation.query === undefined ? queryOf(request) : validated(operation.query, queryOf(request));
  const bodySchema = operation.body === 'file' ? undefined : operation.body;
  if (bodySchema !== undefined) await readBody(operation, request, response);
  const body = bodySchema === undefined ? undefined : validatedBody(bodySchema, request.body);
  const call = {
    request,
    response,
    services,
    params: request.params as Record<string, string>,
    query,
    body,
    caller,
    account: caller?.account ?? null,
    presenting: { baseUrl: baseUrl(request), ids: services.ids, links: services.links },
  } as Call<string, Access>;
  if (operation.policy !== undefined && (caller === null || !isAllowed(caller.account, operation.policy))) {
    if (operation.subject !== undefined) await lookFor(operation.subject, call);
    throw new Failure(operation.policyRefusal ?? 'not-allowed');
  }
  const answer = await handle(call);
  if (answer === null) return;
  Object.assign(who, answer.noted);
  response.status(answer.status);
  if (answer.body === undefined) response.end();
  else response.json(answer.body);
}

/** Serves the operations of one address; methods that it does not have are answered with those it has. */
function serve(byMethod: ReadonlyMap<string, Served>, services: Services): RequestHandler {
  const allowed = methods.filter((method) => byMethod.has(method)) as string[];
  const get = byMethod.get('GET');
  const servesHead = get !== undefined && get.operation.isAct !== true;
  if (servesHead) allowed.splice(1, 0, 'HEAD');
  const allow = [...allowed, 'OPTIONS'].join(', ');
  return async (request, response) => {
    const { method } = request;
    const served = method === 'HEAD' ? (servesHead ? get : undefined) : byMethod.get(method);
    if (served !== undefined) return perform(served, { request, response, services });
    response.set('Allow', allow);
    if (method !== 'OPTIONS') throw new Failure('method-not-allowed', { method });
    response.status(204).end();
  };
}

/** The operations by Express's address, `/apks/:sha256`, and method. */
function addressesOf<All extends Operations>(operations: All, handlers: Handlers<All>) {
  const addresses = new Map<string, Map<string, Served>>();
  for (const [key, operation] of Object.entries<Operation>(operations)) {
    const [spelled, address] = key.split(' ') as [string, string];
    const path = routePath(address);
    const byMethod = addresses.get(path) ?? new Map<string, Served>();
    addresses.set(path, byMethod);
    const handle = handlers[key as keyof All] as AnyHandler;
    for (const method of spelled.split('|')) byMethod.set(method, { path, operation, handle });
  }
  return addresses;
}

/** Each first segment has a router of its own: one of all would look at a hundred addresses for each request. */
export function operationRouter<All extends Operations>(
  operations: All,
  handlers: Handlers<All>,
  services: Services,
): RequestHandler {
  const routers = new Map<string, Router>();
  const firstSegment = (path: string) => path.split('/', 2)[1]!;
  for (const [path, byMethod] of addressesOf(operations, handlers)) {
    const segment = firstSegment(path);
    const router = routers.get(segment) ?? Router({ caseSensitive: true });
    routers.set(segment, router);
    router.all(path, serve(byMethod, services));
  }
  return (request, response, next) => {
    const router = routers.get(firstSegment(request.path));
    if (router === undefined) next();
    else router(request, response, next);
  };
}
