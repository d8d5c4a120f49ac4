// Bundles the renderer; knows nothing of the server but the address that development requests are passed on to.

import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Where `vite` finds a running workstation in development; the built files are served by the workstation itself. */
const developmentServer = process.env.APK_WORKSTATION_URL ?? 'http://127.0.0.1:8465';
const apiPaths = [
  '/account',
  '/analysts',
  '/apks',
  '/downloads',
  '/events',
  '/feed',
  '/health',
  '/icons',
  '/jobs',
  '/notifications',
  '/rulesets',
  '/session',
  '/uploads',
];

export default defineConfig({
  root: 'renderer',
  base: '/app/',
  plugins: [react()],
  css: { modules: { localsConvention: 'camelCaseOnly' } },
  build: {
    outDir: '../dist/renderer',
    emptyOutDir: true,
    target: 'chrome140',
    // Everything stands in files: the content security policy of the server allows no inline script and no data: font.
    assetsInlineLimit: 0,
    // kB before compression; some 220 kB of JavaScript cross the wire on the first screen.
    chunkSizeWarningLimit: 700,
    modulePreload: { polyfill: false },
  },
  server: {
    host: '127.0.0.1',
    proxy: Object.fromEntries(apiPaths.map((path) => [path, { target: developmentServer }])),
  },
});
