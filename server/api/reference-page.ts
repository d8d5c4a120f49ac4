// Serves the browsable reference of the interface under /docs/, from files of this installation. Knows no address of it.
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import express, { Router } from 'express';

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>APK Workstation: reference of the interface</title>
<link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="reference"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/reference.js"></script>
</body>
</html>
`;

const script = `window.ui = SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  validatorUrl: null,
  defaultModelsExpandDepth: 0,
  docExpansion: 'none',
});
`;

/** Files of swagger-ui-dist that the page loads; its own page, with a script inside and other names, is not served. */
const files = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];

/** Scripts come from this server alone and never stand in the page; the reference sets styles and pictures of its own. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export function referencePage(): Router {
  const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  const router = Router();
  router.get('/docs', (_request, response) => {
    response.set('Content-Security-Policy', contentSecurityPolicy).type('html').send(page);
  });
  router.get('/docs/reference.js', (_request, response) => {
    response.type('js').send(script);
  });
  const assets = express.static(folder, { index: false, redirect: false, cacheControl: false });
  router.use('/docs', (request, response, next) => {
    if (!files.includes(request.path.slice(1))) return next();
    response.set('Cache-Control', 'no-cache');
    assets(request, response, next);
  });
  return router;
}
