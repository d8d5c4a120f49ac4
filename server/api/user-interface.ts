// Serves the built user interface under /app/. Knows nothing of what it does.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import express, { type RequestHandler, Router } from 'express';
import helmet from 'helmet';
import { Failure } from '../services/failure.ts';

const notBuilt = `<!doctype html><meta charset="utf-8"><title>APK Workstation</title>
<p>The user interface is not built yet. Run <code>npm start</code>, or <code>npx vite build</code>, and reload this page.
<p>The interface for programs answers meanwhile: <a href="/openapi.json">/openapi.json</a>.
`;

/**
 * What the pages may load: their own files, and pictures. Styles may be inline, since the component library sets sizes
 * and colours so; scripts may not.
 */
const pageHeaders = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", 'data:', 'blob:'],
      fontSrc: ["'self'"],
      connectSrc: ["'self'"],
      workerSrc: ["'self'"],
      manifestSrc: ["'self'"],
      baseUri: ["'none'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
    },
  },
  strictTransportSecurity: false,
  // Browsers ignore both on plain http addresses of a network and complain about it.
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
});

/** Sends the packed copy that the build has made of a script or a style sheet to whoever can unpack it. */
function packed(folder: string): RequestHandler {
  const types: Record<string, string> = { js: 'text/javascript', css: 'text/css' };
  return (request, response, next) => {
    const name = /^\/([\w.-]+\.(js|css))$/.exec(request.path);
    const path = name === null ? null : join(folder, `${name[1]}.gz`);
    if (path === null || request.acceptsEncodings('gzip') === false || !existsSync(path)) return next();
    response.set({
      'Content-Type': `${types[name![2]!]}; charset=utf-8`,
      'Content-Encoding': 'gzip',
      Vary: 'Accept-Encoding',
    });
    response.sendFile(path, { immutable: true, maxAge: '365d' });
  };
}

/** @param folder of the built files; it may come into being later */
export function userInterface(folder: string): Router {
  const router = Router();
  const page = join(folder, 'index.html');
  router.use('/app', pageHeaders);
  router.use('/app/assets', (_request, response, next) => {
    // Set to `no-store` for all answers; express.static would keep that.
    response.removeHeader('Cache-Control');
    next();
  });
  router.use('/app/assets', packed(join(folder, 'assets')));
  router.use(
    '/app/assets',
    // The names of these files carry a hash of their content.
    express.static(join(folder, 'assets'), { immutable: true, maxAge: '365d', index: false, redirect: false }),
    () => {
      throw new Failure('not-found');
    },
  );
  router.use('/app', express.static(folder, { index: false, redirect: false, cacheControl: false }));
  router.use('/app', (request, response) => {
    // A name with an ending is a file that is not there; any other address is a page of the application.
    if (/\.[A-Za-z0-9]+$/.test(request.path)) throw new Failure('not-found');
    response.set('Cache-Control', 'no-cache');
    if (existsSync(page)) response.sendFile(page, { cacheControl: false });
    else response.status(503).type('html').send(notBuilt);
  });
  return router;
}
