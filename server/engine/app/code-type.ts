// Says whether a file is code that could be loaded, installed or run, by its first bytes. Knows no archive.
import type { ChildKind } from '../../contract/engine/child.ts';
import { isDexAt } from '../formats/dex/header.ts';
import { contentType } from './content-type.ts';

/** How scripts without a first line that names their interpreter begin: PHP, Python, Lua, shell. */
const scriptForms =
  /^<\?php\s|^(?:import [\w.]+(?: as \w+)?|from [\w.]+ import [\w*, ]+)\s*$|^local (?:function \w+|\w+\s*=\s*require\b)|^(?:pm install|am start|chmod [0-7]{3,4}|setprop|su -c) /m;
const scriptTypes: ReadonlySet<string> = new Set(['script', 'lua-bytecode', 'luajit-bytecode', 'python-bytecode']);

/** A kind of code; what a ZIP holds its directory says. */
export type CodeType = Exclude<ChildKind, 'apk'> | 'zip';

/**
 * The kind of code that a file is; null where it is none.
 * @param start its first `sniffLength` bytes
 * @param size of the whole file
 * @param type of its content, where that is known already
 */
export function codeType(start: Uint8Array, size: number, type = contentType(start, size)): CodeType | null {
  if (isDexAt(start)) return 'dex';
  if (type === 'elf' || type === 'zip') return type;
  if (scriptTypes.has(type)) return 'script';
  const text = Buffer.from(start.buffer, start.byteOffset, start.length).toString('latin1');
  return type === 'text' && (text.startsWith('#!') || scriptForms.test(text)) ? 'script' : null;
}

/** Where Android itself takes native code from; other code under such a name hides. */
const libraryName = /^lib\/[^/]+\/[^/]+\.so$/;

/** Whether an entry of an app is native code that Android loads by itself. */
export const isOwnLibrary = (name: string, type: CodeType): boolean => type === 'elf' && libraryName.test(name);
