// Models of the Apache HTTP client that older Android brought along. Knows no socket: the simulated internet answers.
import { bytesOf, illegalArgument, made } from '../../java/values.ts';
import { type HttpResponse, virtualNetwork } from '../../java/virtual-network.ts';
import type { HeapObject, JavaArray, Taint, Value } from '../../machine/heap.ts';
import type { Machine, Models, NativeMethod, NativeMethods } from '../../machine/model.ts';
import { each, elementsOf, none, nothing, plain, type Reference, self, stateOf } from '../model-parts.ts';
import { byteStream } from '../resources/resources.ts';

const S = 'Ljava/lang/String;';
const http = (name: string): string => `Lorg/apache/http/${name};`;

interface MessageState {
  url: Reference;
  readonly headers: [string, string][];
  entity: Reference;
  taint: Taint;
}

interface EntityState {
  bytes: Uint8Array;
  taint: Taint;
  type: string;
}

const messageOf = (message: HeapObject): MessageState =>
  stateOf<MessageState>(message, () => ({ url: null, headers: [], entity: null, taint: 0 }));
const entityOf = (entity: HeapObject): EntityState =>
  stateOf<EntityState>(entity, () => ({ bytes: new Uint8Array(0), taint: 0, type: '' }));

const build: NativeMethod = (machine, me, url: Reference = null) => {
  messageOf(me).url = url === null ? null : machine.toText(url);
};

const header: NativeMethod = (machine, me, name: Reference, value: Reference) => {
  const state = messageOf(me);
  state.headers.push([plain(machine, name), plain(machine, value)]);
  state.taint = machine.union(state.taint, value?.taint ?? 0);
};

const requestMethods: NativeMethods = {
  ...each(build, '<init>()V', `<init>(${S})V`, '<init>(Ljava/net/URI;)V'),
  ...each(build, `setURI(Ljava/net/URI;)V`),
  ...each(header, `addHeader(${S}${S})V`, `setHeader(${S}${S})V`),
  [`setEntity(${http('HttpEntity')})V`]: (_machine, me, entity: Reference) => {
    messageOf(me).entity = entity;
  },
  [`getEntity()${http('HttpEntity')}`]: (_machine, me) => messageOf(me).entity,
  [`setParams(${http('params/HttpParams')})V`]: nothing,
  'abort()V': nothing,
};

const verbs = { HttpGet: 'GET', HttpPost: 'POST', HttpPut: 'PUT', HttpDelete: 'DELETE', HttpHead: 'HEAD' } as const;

function send(machine: Machine, request: HeapObject): HeapObject {
  const { url, headers, entity, taint } = messageOf(request);
  const name = request.cls.name.replace(/^.*\./, '');
  const method = Object.hasOwn(verbs, name) ? verbs[name as keyof typeof verbs] : 'GET';
  const body = entity === null ? null : entityOf(entity);
  const urlTaint = url?.taint ?? 0;
  const answer = virtualNetwork(machine).http(machine, {
    method,
    url: plain(machine, url),
    headers: [['User-Agent', 'Apache-HttpClient/UNAVAILABLE (java 1.4)'], ...headers],
    body: body?.bytes ?? new Uint8Array(0),
    taint: machine.union(machine.union(taint, urlTaint), body?.taint ?? 0),
    urlTaint,
    bodyTaint: body?.taint ?? 0,
  });
  if (answer === null) throw machine.exception('Ljava/net/UnknownHostException;', plain(machine, url));
  const response = machine.allocate(http('message/BasicHttpResponse'));
  response.native = answer;
  return response;
}

const execute: NativeMethod = (machine, _me, ...args: Value[]) => {
  const request = args.find(
    (arg) => arg !== null && typeof arg === 'object' && arg.cls.descriptor.includes('/http/client/methods/'),
  );
  if (!request) throw machine.exception('Ljava/lang/IllegalArgumentException;', 'Request must not be null.');
  const response = send(machine, request as HeapObject);
  const handler = args.find(
    (arg) =>
      arg !== null && typeof arg === 'object' && machine.isInstance(arg as HeapObject, http('client/ResponseHandler')),
  );
  if (!handler) return response;
  const signature = `handleResponse(${http('HttpResponse')})Ljava/lang/Object;`;
  return machine.call(handler as HeapObject, signature, response);
};

const answerOf = (response: HeapObject): HttpResponse => response.native as HttpResponse;

function newEntity(machine: Machine, response: HttpResponse): HeapObject {
  const entity = machine.allocate(http('entity/ByteArrayEntity'));
  entity.native = { bytes: response.body, taint: response.taint ?? 0, type: 'text/html' } satisfies EntityState;
  return entity;
}

const fill =
  (read: (machine: Machine, value: HeapObject) => Uint8Array, type: string): NativeMethod =>
  (machine, me, value: Reference) => {
    if (value === null) throw illegalArgument(machine, 'Source may not be null');
    me.native = { bytes: read(machine, value), taint: machine.deepTaint(value), type } satisfies EntityState;
  };

/** Name and value pairs as a form sends them. */
function formBytes(machine: Machine, list: HeapObject): Uint8Array {
  const encode = (text: string) => encodeURIComponent(text.toWellFormed()).replaceAll('%20', '+');
  const pairs = elementsOf(machine, list).flatMap((pair) => {
    if (pair === null) return [];
    const part = (name: string) => encode(plain(machine, machine.call(pair, `${name}()${S}`) as Reference));
    return [`${part('getName')}=${part('getValue')}`];
  });
  return Buffer.from(pairs.join('&'));
}

const textBytes = (machine: Machine, value: HeapObject): Uint8Array => Buffer.from(plain(machine, value));

const entityMethods: NativeMethods = {
  'getContent()Ljava/io/InputStream;': (machine, me) => byteStream(machine, entityOf(me).bytes),
  'getContentLength()J': (_machine, me) => BigInt(entityOf(me).bytes.length),
  'consumeContent()V': nothing,
  [`setContentType(${S})V`]: nothing,
  [`setContentEncoding(${S})V`]: nothing,
  [`getContentType()${http('Header')}`]: none,
  'isStreaming()Z': () => 0,
};

const clientMethods: NativeMethods = {
  ...each(
    nothing,
    '<init>()V',
    `<init>(${http('params/HttpParams')})V`,
    `<init>(${http('conn/ClientConnectionManager')}${http('params/HttpParams')})V`,
    `setParams(${http('params/HttpParams')})V`,
  ),
  ...Object.fromEntries(
    ['', http('protocol/HttpContext')].flatMap((context): [string, NativeMethod][] => [
      [`execute(${http('client/methods/HttpUriRequest')}${context})${http('HttpResponse')}`, execute],
      [
        `execute(${http('client/methods/HttpUriRequest')}${http('client/ResponseHandler')}${context})Ljava/lang/Object;`,
        execute,
      ],
    ]),
  ),
  [`getParams()${http('params/HttpParams')}`]: (machine) => machine.allocate(http('params/BasicHttpParams')),
  [`getConnectionManager()${http('conn/ClientConnectionManager')}`]: (machine) =>
    machine.allocate(http('impl/conn/SingleClientConnManager')),
};

const textOf: NativeMethod = (machine, entity: Reference) =>
  entity === null ? null : machine.string(Buffer.from(entityOf(entity).bytes).toString(), entityOf(entity).taint);

export const apacheHttpModels: Models = {
  [http('client/HttpClient')]: { isInterface: true },
  [http('impl/client/AbstractHttpClient')]: { implements: [http('client/HttpClient')], methods: clientMethods },
  [http('impl/client/DefaultHttpClient')]: { extends: http('impl/client/AbstractHttpClient') },
  'Landroid/net/http/AndroidHttpClient;': {
    extends: http('impl/client/AbstractHttpClient'),
    methods: { 'close()V': nothing },
    staticMethods: {
      [`newInstance(${S})Landroid/net/http/AndroidHttpClient;`]: (machine) =>
        machine.allocate('Landroid/net/http/AndroidHttpClient;'),
    },
  },
  [http('client/ResponseHandler')]: {
    isInterface: true,
    abstractMethods: [`handleResponse(${http('HttpResponse')})Ljava/lang/Object;`],
  },
  [http('impl/client/BasicResponseHandler')]: {
    implements: [http('client/ResponseHandler')],
    methods: {
      [`handleResponse(!${http('HttpResponse')})Ljava/lang/Object;`]: (machine, _me, response: HeapObject) =>
        machine.string(Buffer.from(answerOf(response).body).toString(), answerOf(response).taint ?? 0),
    },
  },
  [http('client/methods/HttpUriRequest')]: { isInterface: true },
  [http('client/methods/HttpRequestBase')]: {
    implements: [http('client/methods/HttpUriRequest')],
    methods: requestMethods,
  },
  ...Object.fromEntries(
    Object.keys(verbs).map((name) => [
      http(`client/methods/${name}`),
      { extends: http('client/methods/HttpRequestBase') },
    ]),
  ),
  [http('HttpEntity')]: { isInterface: true },
  [http('entity/AbstractHttpEntity')]: { implements: [http('HttpEntity')], methods: entityMethods },
  [http('entity/ByteArrayEntity')]: {
    extends: http('entity/AbstractHttpEntity'),
    methods: { '<init>([B)V': fill((_machine, value) => bytesOf(value as JavaArray).slice(), '') },
  },
  [http('entity/StringEntity')]: {
    extends: http('entity/AbstractHttpEntity'),
    methods: each(fill(textBytes, 'text/plain'), `<init>(${S})V`, `<init>(${S}${S})V`),
  },
  [http('client/entity/UrlEncodedFormEntity')]: {
    extends: http('entity/StringEntity'),
    methods: each(
      fill(formBytes, 'application/x-www-form-urlencoded'),
      '<init>(Ljava/util/List;)V',
      `<init>(Ljava/util/List;${S})V`,
    ),
  },
  [http('NameValuePair')]: { isInterface: true, abstractMethods: [`getName()${S}`, `getValue()${S}`] },
  [http('message/BasicNameValuePair')]: {
    implements: [http('NameValuePair')],
    methods: {
      [`<init>(${S}${S})V`]: made((_machine, name: Reference, value: Reference) => ({ name, value })),
      [`getName()${S}`]: (_machine, me) => (me.native as { name: Reference }).name,
      [`getValue()${S}`]: (_machine, me) => (me.native as { value: Reference }).value,
    },
  },
  [http('HttpResponse')]: { isInterface: true },
  [http('message/BasicHttpResponse')]: {
    implements: [http('HttpResponse')],
    methods: {
      [`getEntity()${http('HttpEntity')}`]: (machine, me) => newEntity(machine, answerOf(me)),
      [`getStatusLine()${http('StatusLine')}`]: (machine, me) => {
        const line = machine.allocate(http('message/BasicStatusLine'));
        line.native = me.native;
        return line;
      },
      [`getFirstHeader(${S})${http('Header')}`]: none,
      [`getAllHeaders()[${http('Header')}`]: (machine) => machine.objectArray(http('Header'), []),
    },
  },
  [http('StatusLine')]: { isInterface: true },
  [http('message/BasicStatusLine')]: {
    implements: [http('StatusLine')],
    methods: {
      'getStatusCode()I': (_machine, me) => answerOf(me).status,
      [`getReasonPhrase()${S}`]: (machine, me) => machine.string(answerOf(me).reason),
    },
  },
  [http('util/EntityUtils')]: {
    staticMethods: {
      ...each(textOf, `toString(${http('HttpEntity')})${S}`, `toString(${http('HttpEntity')}${S})${S}`),
      [`toByteArray(!${http('HttpEntity')})[B`]: (machine, entity: HeapObject) =>
        machine.byteArray(entityOf(entity).bytes, entityOf(entity).taint),
    },
  },
  [http('params/HttpParams')]: { isInterface: true },
  [http('params/BasicHttpParams')]: {
    implements: [http('params/HttpParams')],
    methods: { '<init>()V': nothing, [`setParameter(${S}Ljava/lang/Object;)${http('params/HttpParams')}`]: self },
  },
  [http('params/HttpConnectionParams')]: {
    staticMethods: each(
      nothing,
      `setConnectionTimeout(${http('params/HttpParams')}I)V`,
      `setSoTimeout(${http('params/HttpParams')}I)V`,
    ),
  },
  [http('client/ClientProtocolException')]: { extends: 'Ljava/io/IOException;' },
};
