// Assembles `everything.smali` and records how baksmali prints the outcome. Knows nothing of our printer.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const java = (...words: string[]) => execFileSync('java', ['-cp', '/usr/share/java/*', ...words], { stdio: 'inherit' });
const folder = mkdtempSync(join(tmpdir(), 'smali-'));
const dex = join(import.meta.dirname, './everything.dex');
java('org.jf.smali.Main', 'assemble', '--api', '29', '-o', dex, join(import.meta.dirname, './everything.smali'));
java('org.jf.baksmali.Main', 'disassemble', '--api', '29', '-o', folder, dex);
copyFileSync(join(folder, 'com/example/Everything.smali'), join(import.meta.dirname, './everything.baksmali.smali'));
rmSync(folder, { recursive: true });
