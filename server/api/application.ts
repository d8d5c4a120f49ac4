// The HTTP application: headers, log, resources, user interface, errors. Knows nothing of sockets and ports.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener } from 'node:http';
import express from 'express';
import { operations } from '../contract/operations/operations.ts';
import { Failure } from '../services/failure.ts';
import type { Services } from '../services/services.ts';
import { baseUrl, normalisedTarget } from './addressing.ts';
import { noteOrigin } from './caller-address.ts';
import { type ApiLog, errorHandler } from './errors.ts';
import { openApiDocument } from './openapi.ts';
import { readOnly } from './read-only.ts';
import { referencePage } from './reference-page.ts';
import { handlers } from './resources/resources.ts';
import { operationRouter } from './router.ts';
import { strictTransportOf } from './tls-options.ts';
import { userInterface } from './user-interface.ts';

export interface ApplicationOptions {
  services: Services;
  log: ApiLog;
  /** Folder of the built user interface. */
  userInterfaceFolder: string;
}

const reading: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Whether a page of another site has its browser send this, by what browsers say themselves
 * (https://www.w3.org/TR/fetch-metadata/). What such a page sends carries no token, but it could use up the attempts to
 * log in that the person at this browser has.
 */
const isOfForeignPage = ({ method, headers }: IncomingMessage): boolean =>
  !reading.includes(method ?? '') && ['cross-site', 'same-site'].includes(String(headers['sec-fetch-site']));

export function createApplication({ services, log, userInterfaceFolder }: ApplicationOptions): RequestListener {
  const application = express();
  application.disable('x-powered-by');
  // A hash over megabytes of a report costs more than it saves: what may be cached says so itself.
  application.disable('etag');
  application.set('query parser', false);

  application.use((request, response, next) => {
    const started = performance.now();
    const requestId = randomUUID();
    response.set({
      'X-Request-Id': requestId,
      'X-Content-Type-Options': 'nosniff',
      'X-Frame-Options': 'DENY',
      'Referrer-Policy': 'no-referrer',
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
      'Cache-Control': 'no-store',
    });
    const strictTransport = strictTransportOf(request);
    if (strictTransport !== undefined) response.set('Strict-Transport-Security', strictTransport);
    const { method, path } = request;
    response.once('close', () => {
      const milliseconds = Math.round(performance.now() - started);
      const { statusCode: status, writableFinished: isWhole } = response;
      // Without the query: it may carry a link's signature.
      log.info({ requestId, method, path, status, milliseconds, ...(isWhole ? {} : { isWhole }) }, 'request');
    });
    next();
  });

  application.use((request, _response, next) => {
    const { host = '' } = request.headers;
    // Without a Host header no browser is asking; HTTP/1.0 has none.
    if (host === '') {
      if (request.httpVersion !== '1.0') throw new Failure('malformed-request', { reason: 'it has no Host header' });
    } else {
      // A proxy may have acted on another of them (RFC 9112 section 3.2).
      if ((request.headersDistinct.host ?? []).length > 1) {
        throw new Failure('malformed-request', { reason: 'it has several Host headers' });
      }
      // What is no host at all is malformed, not foreign.
      baseUrl(request);
      if (!services.ownHosts.isOwn(host)) throw new Failure('foreign-host', { host: host.slice(0, 253) });
    }
    if (isOfForeignPage(request)) throw new Failure('foreign-page');
    next();
  });

  application.use(['/openapi.json', '/docs', '/app'], readOnly);
  /** As bytes, which all answers share. */
  let document: Promise<Buffer> | undefined;
  application.get('/openapi.json', async (_request, response) => {
    document ??= openApiDocument(operations, services.version).then((told) => Buffer.from(JSON.stringify(told)));
    response.type('json').send(await document);
  });
  application.use(referencePage());
  application.use(userInterface(userInterfaceFolder));
  application.use(operationRouter(operations, handlers, services));
  application.use(() => {
    throw new Failure('not-found');
  });
  application.use(errorHandler(log));
  return (request, response) => {
    noteOrigin(request, services.proxies);
    // An absolute target names the host in the header's place (RFC 9112 section 3.2.2).
    const named = /^https?:\/\/([^/?#]*)/i.exec(request.url ?? '')?.[1];
    if (named !== undefined) request.headers.host = named;
    request.url = normalisedTarget(request.url ?? '/');
    application(request, response);
  };
}
