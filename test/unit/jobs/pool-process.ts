// A server whose only worker is busy for ever behind the wall of the given name.
import { createWorkerPool } from '../../../server/jobs/worker-pool.ts';
import { walls } from './walls.ts';

const [, , name, folder = ''] = process.argv;
const { wall } = walls.find((known) => known.name === name)!;
const entry = new URL('./misbehaving-worker.ts', import.meta.url);
const pool = createWorkerPool({ readableFolders: [folder], concurrency: 1, entry, isBackground: false, wall });
await pool.run({ kind: 'static', file: { kind: 'plain', path: '' }, fileName: 'loop' });
