// Records how androguard prints every instruction. Knows nothing of our printer.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { everyOpcodeDex } from './every-opcode.ts';

const program = `
import sys, json
from androguard.core.bytecodes.dvm import DalvikVMFormat
dex = DalvikVMFormat(open(sys.argv[1], 'rb').read())
methods = [m for c in dex.get_classes() for m in c.get_methods()]
print(json.dumps({str(m.get_name()): [i.get_name() + ' ' + i.get_output() for i in m.get_instructions()] for m in methods}, indent=1))
`;
const folder = mkdtempSync(join(tmpdir(), 'androguard-'));
const file = join(folder, 'every.dex');
writeFileSync(file, everyOpcodeDex());
const { stdout, stderr, status } = spawnSync('/usr/bin/python3', ['-c', program, file], { encoding: 'utf8', maxBuffer: 2 ** 26 });
rmSync(folder, { recursive: true });
if (status !== 0) throw new Error(stderr);
writeFileSync(join(import.meta.dirname, './androguard-instructions.json'), stdout);
