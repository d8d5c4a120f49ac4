// Measures the wall of the given name as whoever runs it, and prints the report.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { measureIsolation } from '../../../server/jobs/wall/probe.ts';
import { walls } from './walls.ts';

const folder = mkdtempSync(join(tmpdir(), 'apk-workstation-isolation-'));
const { wall } = walls.find(({ name }) => name === process.argv[2])!;
console.log(JSON.stringify(await measureIsolation(wall ?? null, { folder, database: join(folder, 'none.db') })));
rmSync(folder, { recursive: true });
