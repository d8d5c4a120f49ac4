// Reads rules out of a folder, a ZIP, a tar archive, packed or not, or a single file, and checks each. Knows no package of rules.
import { hash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { FileReference } from '../../contract/engine/analysis-results.ts';
import {
  type ArchivedRules,
  maxArchivedRules,
  maxRuleFiles,
  maxRulePath,
  type RuleArchive,
} from '../../contract/engine/rule-archive.ts';
import type { CompiledRuleset } from '../../contract/engine/yara.ts';
import type { ByteSource } from '../../vault/byte-source.ts';
import { cpuMilliseconds } from '../cpu-time.ts';
import { Findings } from '../findings.ts';
import { FormatError } from '../formats/byte-reader.ts';
import { isTar, tarEntries } from '../formats/tar/tar-entries.ts';
import { openZip } from '../formats/zip/archive.ts';
import { openFile } from '../open-file.ts';
import { isRuleFile, rulesOf } from './language/rule-bytes.ts';

const maxArchive = 256 * 1024 * 1024;

/** A file inside, read when it is wanted. */
interface Item {
  name: string;
  read(): Uint8Array;
}

const isLicence = (name: string): boolean => /(?:^|\/)(?:licen[cs]e|copying)(?:\.(?:txt|md))?$/i.test(name);

/** By the words that tell them apart, as SPDX calls them. https://spdx.org/licenses/ */
const licences: readonly (readonly [RegExp, string])[] = [
  [/Detection Rule License/i, 'DRL-1.1'],
  [/Apache License\s+Version 2\.0/i, 'Apache-2.0'],
  [/GNU AFFERO GENERAL PUBLIC LICENSE/i, 'AGPL-3.0'],
  [/GNU LESSER GENERAL PUBLIC LICENSE/i, 'LGPL'],
  [/GNU GENERAL PUBLIC LICENSE\s+Version 2/i, 'GPL-2.0'],
  [/GNU GENERAL PUBLIC LICENSE\s+Version 3/i, 'GPL-3.0'],
  [/Permission is hereby granted, free of charge/i, 'MIT'],
  [/Redistribution and use in source and binary forms/i, 'BSD'],
  [/Elastic License 2\.0/i, 'Elastic-2.0'],
  [/Attribution-NonCommercial/i, 'CC-BY-NC'],
];

function licenceOf(items: readonly Item[]): string | null {
  const [file] = items.filter(({ name }) => isLicence(name)).sort((a, b) => a.name.length - b.name.length);
  if (file === undefined) return null;
  const text = new TextDecoder().decode(file.read().subarray(0, 65_536));
  const known = licences.find(([words]) => words.test(text.replace(/\s+/g, ' ')));
  const line = text.split('\n').find((one) => one.trim() !== '') ?? '';
  return known?.[1] ?? (line.trim().slice(0, 200) || null);
}

/** Whether a path is a file of a size that is read whole; a link may lead to none. */
function isReadable(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isFile() === true && found.size <= maxArchive;
}

function itemsOfFolder(folder: string): Item[] {
  const names = readdirSync(folder, { recursive: true }) as string[];
  return names
    .filter((name) => (isRuleFile(name) || isLicence(name)) && isReadable(join(folder, name)))
    .map((name) => ({ name: name.split(sep).join('/'), read: () => readFileSync(join(folder, name)) }));
}

function itemsOfZip(source: ByteSource): Item[] {
  const archive = openZip(source, new Findings(), { maxTotalOutput: maxArchive });
  return archive.entries.map((entry) => ({ name: entry.name, read: () => archive.read(entry) }));
}

/** @throws FormatError where it unpacks to more than may be, or to nothing */
function unpacked(bytes: Uint8Array): Uint8Array {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: maxArchive });
  } catch (error) {
    throw new FormatError('not-a-zip', 0, `the archive cannot be unpacked: ${(error as Error).message}`);
  }
}

/** @param fileName what it is called where it is a file of rules by itself */
function itemsOf(source: ByteSource, fileName: string): Item[] {
  const start = source.read(0, Math.min(4, source.size));
  if (start[0] === 0x50 && start[1] === 0x4b) return itemsOfZip(source);
  if (source.size > maxArchive)
    throw new FormatError('not-a-zip', 0, `an archive of ${source.size} bytes is too large`);
  const bytes = unpacked(source.read(0, source.size));
  if (!isTar(bytes)) return [{ name: isRuleFile(fileName) ? fileName : `${fileName}.yar`, read: () => bytes }];
  return tarEntries(bytes).entries.map(({ name, start: from, end }) => ({
    name: name.replace(/^\.\//, ''),
    read: () => bytes.subarray(from, end),
  }));
}

function topOf(names: readonly string[]): string {
  const top = names[0]?.split('/', 1)[0] ?? '';
  return names.every((name) => name.startsWith(`${top}/`)) ? top : '';
}

/**
 * @param known SHA-256 of texts that are not checked again
 * @throws FormatError where it is no archive that can be read
 */
export function readRuleArchive(
  file: FileReference,
  { fileName, known }: { fileName: string; known: ReadonlySet<string> },
  check: (rules: string) => CompiledRuleset,
  progress: (stage: string, done: number) => void,
): RuleArchive {
  const started = cpuMilliseconds();
  const source = file.kind === 'plain' && statSync(file.path).isDirectory() ? null : openFile(file);
  try {
    const items = source === null ? itemsOfFolder((file as { path: string }).path) : itemsOf(source, fileName);
    const wanted = items.filter(({ name }) => isRuleFile(name));
    const top = topOf(items.map(({ name }) => name));
    const reader = new RuleReader(known, check);
    for (const [index, item] of wanted.entries()) {
      progress('rules', index / wanted.length);
      reader.add(top === '' ? item.name : item.name.slice(top.length + 1), item);
    }
    const timings = { rules: Math.round(cpuMilliseconds() - started) };
    return { top: top.slice(0, maxRulePath), licence: licenceOf(items), ...reader, timings };
  } finally {
    source?.close();
  }
}

class RuleReader {
  readonly files: ArchivedRules[] = [];
  left_out = 0;
  readonly #known: ReadonlySet<string>;
  readonly #check: (rules: string) => CompiledRuleset;
  readonly #paths = new Set<string>();
  #length = 0;

  constructor(known: ReadonlySet<string>, check: (rules: string) => CompiledRuleset) {
    this.#known = known;
    this.#check = check;
  }

  add(path: string, item: Item): void {
    const rules = this.#textOf(path, item);
    if (rules === null) {
      this.left_out += 1;
      return;
    }
    this.#paths.add(path);
    this.#length += rules.length;
    const sha256 = hash('sha256', rules, 'hex');
    if (this.#known.has(sha256)) {
      this.files.push({ path, sha256, rules: null, rules_count: 0, fault: null });
      return;
    }
    const { rules: found, errors } = this.#check(rules);
    const [error] = errors;
    const words = error === undefined ? null : `line ${error.line}, column ${error.column}: ${error.title}`;
    const fault = words ?? (found.length === 0 ? 'it holds no rule' : null);
    const text = fault === null ? rules : null;
    this.files.push({ path, sha256, rules: text, rules_count: found.length, fault: fault?.slice(0, 500) ?? null });
  }

  #textOf(path: string, item: Item): string | null {
    const isTaken = this.#paths.has(path) || path.length > maxRulePath || path === '';
    if (isTaken || this.files.length >= maxRuleFiles) return null;
    try {
      const rules = rulesOf(Buffer.from(item.read()));
      return this.#length + rules.length > maxArchivedRules ? null : rules;
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      return null;
    }
  }
}
