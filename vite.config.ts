// Bundles the renderer; knows nothing of the server but the address that development requests are passed on to.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { constants, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { writePapers } from './server/app/papers/papers.ts';

/** Where `vite` finds a running workstation in development; the built files are served by the workstation itself. */
const developmentServer = process.env.APK_WORKSTATION_URL ?? 'http://127.0.0.1:8465';

/** Puts a packed copy beside every script and style sheet, which the server sends to browsers. */
const packedCopies: Plugin = {
  name: 'packed-copies',
  writeBundle({ dir }) {
    const assets = join(dir!, 'assets');
    for (const name of readdirSync(assets)) {
      if (!/\.(?:js|css)$/.test(name)) continue;
      const packed = gzipSync(readFileSync(join(assets, name)), { level: constants.Z_BEST_COMPRESSION });
      writeFileSync(join(assets, `${name}.gz`), packed);
    }
  },
};

/** Fails a build whose first scripts, which every window waits for, hold zod: types and words of the contract need none. */
const firstScripts: Plugin = {
  name: 'first-scripts',
  apply: 'build',
  generateBundle(_options, bundle) {
    const first = new Set(Object.keys(bundle).filter((name) => 'isEntry' in bundle[name]! && bundle[name].isEntry));
    for (const name of first) {
      const chunk = bundle[name];
      if (chunk?.type !== 'chunk') continue;
      if (chunk.moduleIds.some((id) => id.includes('/node_modules/zod/')))
        this.error(`${name} is a first script and holds zod.`);
      for (const imported of chunk.imports) first.add(imported);
    }
  },
};

/** Writes down which packages the interface is made of, and what they want said. */
const papers: Plugin = {
  name: 'papers',
  apply: 'build',
  writeBundle(_options, bundle) {
    const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
    writePapers(import.meta.dirname, new Set(chunks.flatMap(({ moduleIds }) => moduleIds)));
  },
};

export default defineConfig({
  root: 'renderer',
  base: '/app/',
  plugins: [react(), packedCopies, firstScripts, papers],
  css: { modules: { localsConvention: 'camelCaseOnly' } },
  build: {
    outDir: '../dist/renderer',
    emptyOutDir: true,
    target: 'chrome140',
    // Everything stands in files: the content security policy of the server allows no inline script and no data: font.
    assetsInlineLimit: 0,
    // kB before compression; some 240 kB of JavaScript cross the wire on the first screen.
    chunkSizeWarningLimit: 700,
    modulePreload: { polyfill: false },
    // A schema of the contract that the interface does not read is left out, and zod where all are.
    rolldownOptions: { treeshake: { moduleSideEffects: [{ test: /\/server\/contract\//, sideEffects: false }] } },
  },
  server: {
    host: '127.0.0.1',
    // Vite's own addresses all stand below the interface's.
    proxy: { '^/(?!app(?:/|$))': { target: developmentServer } },
  },
});
