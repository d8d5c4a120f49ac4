// Rulesets compiled together, each in a namespace of its own, and the form in which they outlast the process. Knows no APK.
import { hash } from 'node:crypto';
import type { RuleDiagnostic } from '../../contract/yara.ts';
import type { EngineRules, YaraEngine } from './engine.ts';
import type { ModuleCall } from './module-functions.ts';
import { engineText, type RewrittenRules, rewriteRules } from './rewriting.ts';
import { errorsOf, globalsOf, lengthProblem } from './rule-check.ts';

/** One ruleset by what it says: texts that are the same are compiled once. */
export interface KeyedRules {
  key: string;
  rules: string;
}

export const keyOf = (rules: string): string => hash('sha256', rules, 'hex');
/** Namespaces are told apart by sixteen digits of the key. */
export const namespaceOf = (key: string): string => `r${key.slice(0, 16)}`;

export interface GroupMember {
  key: string;
  calls: ReadonlyMap<string, ModuleCall>;
  /** Rules that may be reported, by the engine's name for them. */
  rules: ReadonlyMap<string, { name: string; hasPlaces: boolean }>;
}

/** Compiled so that matches tell no places: every string is private. */
export interface RuleGroup {
  readonly members: ReadonlyMap<string, GroupMember>;
  /** What did not compile, by key. */
  readonly broken: ReadonlyMap<string, RuleDiagnostic[]>;
  /** null where there is nothing to scan with. */
  readonly engineRules: EngineRules | null;
}

/** Compiles what can be compiled. */
export function compileGroup(engine: YaraEngine, rulesets: readonly KeyedRules[]): RuleGroup {
  const broken = new Map<string, RuleDiagnostic[]>();
  let candidates: { key: string; rules: string; rewritten: RewrittenRules }[] = [];
  for (const { key, rules } of rulesets) {
    const tooLong = lengthProblem(rules);
    const rewritten = tooLong === null ? rewriteRules(rules) : null;
    if (rewritten === null) broken.set(key, tooLong!);
    else if (rewritten.problems.length > 0) broken.set(key, errorsOf(engine, rewritten));
    else candidates.push({ key, rules, rewritten });
  }
  const compile = () => {
    const sources = candidates.map(({ key, rules, rewritten }) => ({
      namespace: namespaceOf(key),
      text: engineText(rules, rewritten, { hasPlaces: false }),
    }));
    const globals = globalsOf(candidates.map(({ rewritten }) => rewritten.calls));
    return sources.length === 0 ? null : engine.compile(sources, globals);
  };
  let engineRules: EngineRules | null;
  try {
    engineRules = compile();
  } catch {
    // One of them does not compile; which one, each says by itself.
    candidates = candidates.filter(({ key, rewritten }) => {
      const errors = errorsOf(engine, rewritten);
      if (errors.length > 0) broken.set(key, errors);
      return errors.length === 0;
    });
    engineRules = compile();
  }
  const members = new Map(candidates.map(({ key, rewritten }) => [key, memberOf(key, rewritten)]));
  return { members, broken, engineRules };
}

function memberOf(key: string, { calls, rules }: RewrittenRules): GroupMember {
  const reported = rules
    .filter(({ isPrivate }) => !isPrivate)
    .map(
      ({ engineName, name, publicStringsCount }) => [engineName, { name, hasPlaces: publicStringsCount > 0 }] as const,
    );
  return { key, calls, rules: new Map(reported) };
}

/** What stands before the engine's own bytes. */
interface GroupHeader {
  version: string;
  members: { key: string; calls: [string, ModuleCall][]; rules: [string, { name: string; hasPlaces: boolean }][] }[];
  broken: [string, RuleDiagnostic[]][];
}

/** Rises with every change to how rules are rewritten or to this form. */
const formVersion = 2;
const magic = Buffer.from('compiled rules\n');
const digestLength = 32;
const headerStart = magic.length + digestLength + 4;

/** What compiled rules of this process depend on, besides the rules. */
export const formOf = (engine: YaraEngine): string =>
  `${formVersion}, ${engine.version}, ${process.platform} ${process.arch}`;

/** The magic, the SHA-256 of what follows, the length of the header, the header as JSON, the engine's bytes; null where it has none. */
export function encodeGroup(
  engine: YaraEngine,
  { members, broken, engineRules }: RuleGroup,
): Uint8Array<ArrayBuffer> | null {
  const rules = engineRules === null ? new Uint8Array() : engineRules.serialize();
  if (rules === null) return null;
  const header: GroupHeader = {
    version: formOf(engine),
    members: [...members.values()].map((member) => ({
      key: member.key,
      calls: [...member.calls],
      rules: [...member.rules],
    })),
    broken: [...broken],
  };
  const headerBytes = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(headerBytes.length);
  const content = Buffer.concat([length, headerBytes, rules]);
  return Buffer.concat([magic, hash('sha256', content, 'buffer'), content]);
}

/** A group that lies encoded in a file. */
export interface StoredGroup {
  /** Of all its rulesets, broken ones too. */
  readonly keys: ReadonlySet<string>;
  readonly broken: ReadonlyMap<string, RuleDiagnostic[]>;
  /** @throws where the file is gone or another by now */
  load(): RuleGroup;
}

/**
 * Reads the beginning of an encoded group.
 * @param read gives the bytes, again when the group is loaded
 * @returns null where the bytes are damaged, or were made by another version of the program or the engine
 */
export function openGroup(engine: YaraEngine, read: () => Buffer): StoredGroup | null {
  let header: GroupHeader | null;
  try {
    header = decode(read())?.header ?? null;
  } catch {
    // Gone or unreadable, which is as good as damaged: the rules are compiled again.
    return null;
  }
  if (header === null || header.version !== formOf(engine)) return null;
  const members = new Map(
    header.members.map(({ key, calls, rules }) => [key, { key, calls: new Map(calls), rules: new Map(rules) }]),
  );
  const broken = new Map(header.broken);
  return {
    keys: new Set([...members.keys(), ...broken.keys()]),
    broken,
    load() {
      const rules = decode(read())?.rules;
      if (rules === undefined) throw new Error('the compiled rules are damaged');
      const globals = globalsOf([...members.values()].map(({ calls }) => calls));
      return { members, broken, engineRules: rules.length === 0 ? null : engine.load(rules, globals) };
    },
  };
}

/** The parts of an encoded group; null where it is damaged. */
function decode(bytes: Buffer): { header: GroupHeader; rules: Buffer } | null {
  if (bytes.length < headerStart || !bytes.subarray(0, magic.length).equals(magic)) return null;
  const content = bytes.subarray(magic.length + digestLength);
  // The engine trusts what it loads: a form that is cut or altered must not reach it.
  if (!hash('sha256', content, 'buffer').equals(bytes.subarray(magic.length, magic.length + digestLength))) return null;
  const rulesStart = headerStart + content.readUInt32LE(0);
  const header = JSON.parse(bytes.toString('utf8', headerStart, rulesStart)) as GroupHeader;
  return { header, rules: bytes.subarray(rulesStart) };
}
