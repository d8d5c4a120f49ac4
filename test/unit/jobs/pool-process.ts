// A server with one worker behind the wall of the given name, which does what it is told; prints what it answers.
import { createWorkerPool } from '../../../server/jobs/worker-pool.ts';
import { walls } from './walls.ts';

const [, , name, folder = '', action = 'loop'] = process.argv;
const { wall } = walls.find((known) => known.name === name)!;
const entry = new URL('./misbehaving-worker.ts', import.meta.url);
const pool = createWorkerPool({ readableFolders: [folder], concurrency: 1, entry, isBackground: false, wall });
const reply = await pool.run({ kind: 'static', file: { kind: 'plain', path: '' }, fileName: action });
console.log(JSON.stringify(reply));
await pool.close();
