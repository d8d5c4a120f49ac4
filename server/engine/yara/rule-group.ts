// Rulesets compiled together, each in a namespace of its own, and the form in which they outlast the process. Knows no APK.
import { createHash, hash } from 'node:crypto';
import type { RuleDiagnostic } from '../../contract/engine/yara.ts';
import type { ByteSource } from '../../vault/byte-source.ts';
import { engineText } from './engine-text.ts';
import { type EngineRules, labelOf, type SerializedRules, type YaraEngine } from './engines/engine.ts';
import type { ModuleCall } from './modules/module-functions.ts';
import { releaseBytes } from './released-bytes.ts';
import { type RewrittenRules, rewriteRules } from './rewriting/rewriting.ts';
import { errorsOf, globalsOf, lengthProblem } from './rule-check.ts';
import type { KeyedRules } from './sent-rulesets.ts';
import { sharedNamespaces } from './shared-namespaces.ts';

/** Namespaces are told apart by sixteen digits of the key. */
export const namespaceOf = (key: string): string => `r${key.slice(0, 16)}`;

export interface GroupMember {
  key: string;
  /** In the engine; other rulesets may share it. */
  namespace: string;
  calls: ReadonlyMap<string, ModuleCall>;
  /** Rules that may be reported, by the engine's name for them. */
  rules: ReadonlyMap<string, { name: string; hasPlaces: boolean }>;
}

/** Compiled with every string private, so that matches have no places. */
export interface RuleGroup {
  readonly members: ReadonlyMap<string, GroupMember>;
  /** The ruleset of each rule that may be reported, by `labelOf`. */
  readonly owners: ReadonlyMap<string, GroupMember>;
  /** What did not compile, by key. */
  readonly broken: ReadonlyMap<string, RuleDiagnostic[]>;
  /** null where there is nothing to scan with. */
  readonly engineRules: EngineRules | null;
}

const ownersOf = (members: ReadonlyMap<string, GroupMember>): ReadonlyMap<string, GroupMember> =>
  new Map(
    [...members.values()].flatMap((member) =>
      [...member.rules.keys()].map((rule) => [labelOf({ namespace: member.namespace, rule }), member] as const),
    ),
  );

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
  const own = () => candidates.map(({ key }) => namespaceOf(key));
  let namespaces = sharedNamespaces(
    candidates.map(({ key, rules, rewritten }) => ({ own: namespaceOf(key), rules, rewritten })),
  );
  const compile = () => {
    const sources = candidates.map(({ rules, rewritten }, index) => ({
      namespace: namespaces[index]!,
      text: engineText(rules, rewritten, { hasPlaces: false }),
    }));
    const globals = globalsOf(candidates.map(({ rewritten }) => rewritten.calls));
    return sources.length === 0 ? null : engine.compile(sources, globals);
  };
  let engineRules: EngineRules | null;
  try {
    engineRules = compile();
  } catch {
    // At least one does not compile; each is checked by itself to find out which.
    candidates = candidates.filter(({ key, rewritten }) => {
      const errors = errorsOf(engine, rewritten);
      if (errors.length > 0) broken.set(key, errors);
      return errors.length === 0;
    });
    namespaces = own();
    engineRules = compile();
  }
  const members = new Map(
    candidates.map(({ key, rewritten }, index) => [key, memberOf(key, namespaces[index]!, rewritten)]),
  );
  return { members, owners: ownersOf(members), broken, engineRules };
}

function memberOf(key: string, namespace: string, { calls, rules }: RewrittenRules): GroupMember {
  const reported = rules
    .filter(({ isPrivate }) => !isPrivate)
    .map(
      ({ engineName, name, publicStringsCount }) => [engineName, { name, hasPlaces: publicStringsCount > 0 }] as const,
    );
  return { key, namespace, calls, rules: new Map(reported) };
}

/** Shared by the rulesets without calls, which most of thousands are. */
const noCalls: GroupMember['calls'] = new Map();

/** What stands before the engine's own bytes. */
interface GroupHeader {
  version: string;
  members: {
    key: string;
    namespace: string;
    calls: [string, ModuleCall][];
    rules: [string, { name: string; hasPlaces: boolean }][];
  }[];
  broken: [string, RuleDiagnostic[]][];
  /** Of the engine, one after the other; none where there is nothing to scan with. */
  pieces: { length: number; sha256: string }[];
}

/** To be raised with every change to how rules are rewritten or to this form. */
const formVersion = 15;
const magic = Buffer.from('compiled rules\n');
const digestLength = 32;
const pieceLength = 256 * 1024;
const headerStart = magic.length + digestLength + 4;

/** What compiled rules of this process depend on, besides the rules. */
const formOf = (engine: YaraEngine): string => `${formVersion}, ${engine.version}, ${process.platform} ${process.arch}`;

/**
 * The magic, the SHA-256 of the header, the length of the header, the header as JSON, the engine's pieces; null where it
 * has none.
 */
export function encodeGroup(
  engine: YaraEngine,
  { members, broken, engineRules }: RuleGroup,
): Uint8Array<ArrayBuffer> | null {
  const pieces = engineRules === null ? [] : engineRules.serialize();
  if (pieces === null) return null;
  const header: GroupHeader = {
    version: formOf(engine),
    members: [...members.values()].map((member) => ({
      key: member.key,
      namespace: member.namespace,
      calls: [...member.calls],
      rules: [...member.rules],
    })),
    broken: [...broken],
    pieces: pieces.map((piece) => ({ length: piece.length, sha256: hash('sha256', piece, 'hex') })),
  };
  const headerBytes = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(headerBytes.length);
  return Buffer.concat([magic, hash('sha256', headerBytes, 'buffer'), length, headerBytes, ...pieces]);
}

/** A group that lies encoded in a file. */
export interface StoredGroup {
  /** Of all its rulesets, broken ones too. */
  readonly keys: ReadonlySet<string>;
  readonly broken: ReadonlyMap<string, RuleDiagnostic[]>;
  /** Bytes of the file. */
  readonly size: number;
  /** @throws where the file is gone or another by now */
  load(): RuleGroup;
}

/**
 * Reads the beginning of an encoded group.
 * @param open opens the file, again when the group is loaded
 * @returns null where the bytes are damaged, or were made by another version of the program or the engine
 */
export function openGroup(engine: YaraEngine, open: () => ByteSource): StoredGroup | null {
  let stored: ReturnType<typeof readHeader>;
  try {
    const source = open();
    try {
      stored = readHeader(source);
    } finally {
      source.close();
    }
  } catch {
    // Gone or unreadable, which is as good as damaged: the rules are compiled again.
    return null;
  }
  if (stored === null || stored.header.version !== formOf(engine)) return null;
  const { header, piecesStart, size } = stored;
  const members = new Map(
    header.members.map(({ key, namespace, calls, rules }) => [
      key,
      { key, namespace, calls: calls.length === 0 ? noCalls : new Map(calls), rules: new Map(rules) },
    ]),
  );
  const broken = new Map(header.broken);
  return {
    keys: new Set([...members.keys(), ...broken.keys()]),
    broken,
    size,
    load() {
      const globals = globalsOf([...members.values()].map(({ calls }) => calls));
      const form = header.pieces.length === 0 ? null : new StoredPieces(open(), header.pieces, piecesStart);
      return { members, owners: ownersOf(members), broken, engineRules: form && engine.load(form, globals) };
    },
  };
}

/** The file stays open: rules that are not loaded yet are there though it is removed meanwhile. */
class StoredPieces implements SerializedRules {
  readonly #source: ByteSource;
  readonly #pieces: GroupHeader['pieces'];
  readonly #start: number;

  constructor(source: ByteSource, pieces: GroupHeader['pieces'], start: number) {
    this.#source = source;
    this.#pieces = pieces;
    this.#start = start;
  }

  read(index: number): Uint8Array {
    const { length, sha256 } = this.#pieces[index]!;
    const before = this.#pieces.slice(0, index).reduce((sum, piece) => sum + piece.length, 0);
    const bytes = this.#source.read(this.#start + before, length);
    // The engine trusts what it loads: a form that is cut or altered must not reach it.
    if (hash('sha256', bytes, 'hex') !== sha256) throw new Error('the compiled rules are damaged');
    return bytes;
  }

  close(): void {
    this.#source.close();
  }
}

/** In small parts: most groups are looked at much more often than they are loaded. */
function digestOf(source: ByteSource, start: number, length: number): string {
  const digest = createHash('sha256');
  for (let at = start; at < start + length; at += pieceLength) {
    const part = source.read(at, Math.min(pieceLength, start + length - at));
    digest.update(part);
    releaseBytes(part);
  }
  return digest.digest('hex');
}

/** The header of an encoded group, and where the engine's bytes stand; null where any of it is damaged. */
function readHeader(source: ByteSource): { header: GroupHeader; piecesStart: number; size: number } | null {
  const start = Buffer.from(source.read(0, headerStart));
  if (start.length < headerStart || !start.subarray(0, magic.length).equals(magic)) return null;
  const piecesStart = headerStart + start.readUInt32LE(headerStart - 4);
  const bytes = source.read(headerStart, piecesStart - headerStart);
  const digest = start.subarray(magic.length, magic.length + digestLength);
  if (!hash('sha256', bytes, 'buffer').equals(digest)) return null;
  const header = JSON.parse(new TextDecoder().decode(bytes)) as GroupHeader;
  releaseBytes(bytes);
  let at = piecesStart;
  for (const { length, sha256 } of header.pieces) {
    if (digestOf(source, at, length) !== sha256) return null;
    at += length;
  }
  return at === source.size ? { header, piecesStart, size: source.size } : null;
}
