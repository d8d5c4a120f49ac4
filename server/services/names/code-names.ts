// Names and notes that analysts give to the code of an APK: kept, checked against the code, shown wherever it is. Knows nothing of HTTP.
import {
  type CodeNameOrigin,
  type MappingFormat,
  type MappingResult,
  maxToldLines,
} from '../../contract/catalogue/code-name.ts';
import {
  type CodeNames,
  type CodePlaces,
  maxNameLength,
  maxNames,
  maxNoteLength,
  maxSoughtHashes,
  type NameVerdict,
  symbolParts,
} from '../../contract/engine/code-names.ts';
import type { ReportEvidence } from '../../contract/engine/evidence.ts';
import type { Exploration, ExplorationAnswers, ExplorationKind } from '../../contract/engine/exploration.ts';
import type { ApkRecord } from '../../store/repositories/apk-repository.ts';
import type { CodeNameFilter, CodeNameRecord } from '../../store/repositories/code-name-repository.ts';
import type { AccountRecord } from '../../store/repositories/people/account-repository.ts';
import type { KeysetPage, KeysetRequest } from '../../store/sqlite/keyset-page.ts';
import type { Store, Writes } from '../../store/store.ts';
import type { Explorer } from '../analyses/explorer.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { EventBus, HappeningFollower } from '../event-bus.ts';
import { Failure, FieldFailure } from '../failure.ts';
import { mappingOf } from './mapping.ts';
import { dotted, type MappingEntry, type Saying } from './mapping-entries.ts';

export type { CodeNameFilter, CodeNameRecord };

/** APKs whose names are held in memory. */
const maxHeld = 8;
/** Names of equal classes that are looked at, of each. */
const maxOffers = 500;
/** Offers that are listed at a time; the next ones are listed when these are taken over. */
const maxOffersTold = 2000;

interface OfferedClass {
  /** Descriptor; without it all classes of the APK. */
  class?: string | undefined;
  dex?: string | undefined;
}

interface AcceptedOffers extends OfferedClass {
  symbols?: string[] | undefined;
}

export interface Offer {
  readonly symbol: string;
  readonly name: CodeNameRecord;
  readonly sha256: string;
}

/** The note at a line of code whose text a run saw decoded. */
const decodedNote = (text: string): string => `decoded in a run: ${JSON.stringify(text)}`;

interface Refusal {
  readonly saying: Saying;
  readonly reason: string;
}

export class CodeNameService {
  readonly #store: Store;
  readonly #explorer: Explorer;
  readonly #catalogue: Catalogue;
  readonly #events: EventBus;
  readonly #held = new Map<number, CodeNames>();
  /** Counts up with every change, so that names that were read before it are told apart. */
  #version = 0;

  constructor({
    store,
    explorer,
    catalogue,
    events,
  }: {
    store: Store;
    explorer: Explorer;
    catalogue: Catalogue;
    events: EventBus;
  }) {
    this.#store = store;
    this.#explorer = explorer;
    this.#catalogue = catalogue;
    this.#events = events;
  }

  /** Asks a worker about an APK's code, with the names that it was given. @throws as `Explorer.ask` */
  async ask<K extends ExplorationKind>(
    account: AccountRecord,
    sha256: string,
    question: Extract<Exploration, { ask: K }>,
  ): Promise<ExplorationAnswers[K]> {
    const apk = await this.#catalogue.get(sha256);
    return this.#explorer.ask<K>(account, sha256, question, await this.#namesOf(apk.id));
  }

  async #namesOf(apkId: number): Promise<CodeNames> {
    const held = this.#held.get(apkId);
    if (held !== undefined) return held;
    this.#version++;
    const version = String(this.#version);
    const [records, deobfuscate, evidence] = await Promise.all([
      this.#store.codeNames.of(apkId),
      this.#store.codeNames.isDeobfuscated(apkId),
      this.#store.reports.readJson<ReportEvidence>(apkId, 'behaviour'),
    ]);
    const decoded = evidence?.decoded ?? [];
    const isPlain = records.length === 0 && decoded.length === 0 && !deobfuscate;
    const names: CodeNames = {
      version: isPlain ? '' : version,
      deobfuscate,
      names: records.filter(({ kind }) => kind === 'name').map(({ symbol, text }) => [symbol, text]),
      notes: [
        ...records
          .filter(({ kind }) => kind === 'note')
          .map(({ symbol, address, text }): CodeNames['notes'][number] => [symbol, address, text]),
        ...decoded.map(({ method, address, text }): CodeNames['notes'][number] => [method, address, decodedNote(text)]),
      ].slice(0, maxNames),
    };
    // What was changed while it was read is read again.
    if (String(this.#version) === version) this.#held.set(apkId, names);
    for (const oldest of this.#held.keys()) {
      if (this.#held.size <= maxHeld) break;
      this.#held.delete(oldest);
    }
    return names;
  }

  /** What a run showed stands in the code: after another run it is read again. */
  readonly followHappening: HappeningFollower = async (happening, inside) => {
    if (happening.name !== 'evidence_changed') return;
    const apks = await inside.apks.findByIds(happening.apkIds);
    inside.afterCommit(() => {
      for (const { id, sha256 } of apks.values()) {
        if (!this.#held.delete(id)) continue;
        this.#version++;
        this.#events.publish({ name: 'code_names_changed', sha256 });
      }
    });
  };

  /** Newest first. */
  page = (filter: CodeNameFilter, request: KeysetRequest): Promise<KeysetPage<CodeNameRecord>> =>
    this.#store.codeNames.page({ ...request, filter });

  /** How many names and notes pass a filter. */
  count = (filter: CodeNameFilter): Promise<number> => this.#store.codeNames.count(filter);

  /** Names and notes of an APK, oldest first. @param derived puts readable names for obfuscated code before them */
  async all(account: AccountRecord, { id, sha256 }: ApkRecord, derived: boolean): Promise<Saying[]> {
    const said = await this.#store.codeNames.of(id);
    if (!derived) return said;
    const given = await this.#namesOf(id);
    const version = given.deobfuscate ? given.version : `${given.version} derived`;
    const shown = { ...given, version, deobfuscate: true };
    const { names } = await this.#explorer.ask<'derived-names'>(account, sha256, { ask: 'derived-names' }, shown);
    return [...names.map(([symbol, text]): Saying => ({ kind: 'name', symbol, address: null, text })), ...said];
  }

  /** Whether the code of an APK is shown with readable names in the place of those that are no words. */
  isDeobfuscated = async (sha256: string): Promise<boolean> =>
    this.#store.codeNames.isDeobfuscated((await this.#catalogue.get(sha256)).id);

  /** Switches readable names on or off for everybody. */
  async deobfuscate(sha256: string, isOn: boolean): Promise<void> {
    const apk = await this.#catalogue.get(sha256);
    await this.#write(apk, (codeNames) => codeNames.setDeobfuscated(apk.id, isOn));
  }

  /**
   * Gives something a name or a note, in the place of the one it had.
   * @returns null where it was taken back
   * @throws FieldFailure where the code does not take it; as `Explorer.ask`
   */
  async say(account: AccountRecord, sha256: string, saying: Saying): Promise<CodeNameRecord | null> {
    const apk = await this.#catalogue.get(sha256);
    if (saying.text === '') {
      await this.#write(apk, (codeNames) => codeNames.remove(apk.id, saying));
      return null;
    }
    const { kept, refused } = await this.#sayAll(account, apk, [saying], 'analyst');
    const [refusal] = refused;
    if (refusal !== undefined) throw new FieldFailure({ text: [refusal.reason] });
    return kept[0]!;
  }

  /** Takes one back. @throws Failure `not-found` */
  async remove(sha256: string, id: number | null): Promise<CodeNameRecord> {
    const apk = await this.#catalogue.get(sha256);
    const found = id === null ? null : await this.#store.codeNames.findById(id);
    if (found === null || found.apkId !== apk.id) throw new Failure('not-found');
    await this.#write(apk, (codeNames) => codeNames.remove(apk.id, found));
    return found;
  }

  /** Takes over what a mapping file gives, as far as the code has it. */
  async importMapping(
    account: AccountRecord,
    sha256: string,
    text: string,
    format: MappingFormat | null,
  ): Promise<MappingResult> {
    const apk = await this.#catalogue.get(sha256);
    const mapping = mappingOf(text, format);
    const told = mapping.faults.map((fault) => ({ ...fault, reason: 'This line is not understood.' }));
    const byPlace = new Map<string, MappingEntry>();
    for (const entry of mapping.entries) byPlace.set(`${entry.kind} ${entry.symbol} ${entry.address}`, entry);
    let entries = [...byPlace.values()];
    let applied = 0;
    while (entries.length > 0) {
      const { kept, refused } = await this.#sayAll(account, apk, entries, 'import');
      applied += kept.length;
      const again: MappingEntry[] = [];
      for (const { saying, reason } of refused) {
        const entry = saying as MappingEntry;
        const [next, ...others] = entry.others ?? [];
        if (next !== undefined && reason === reasons.unknown) again.push({ ...entry, symbol: next, others });
        else told.push({ line: entry.line, text: `${entry.symbol} = ${entry.text}`, reason });
      }
      entries = again;
    }
    const lines = told
      .sort((a, b) => a.line - b.line)
      .slice(0, maxToldLines)
      .map(({ line, text: shown, reason }) => ({ line, text: shown.trim().slice(0, 500), reason }));
    return { format: mapping.format, applied, refused: told.length, lines };
  }

  /** Names that equal classes of other APKs have and this one has not: of one class, or of all. */
  async offers(account: AccountRecord, sha256: string, asked: OfferedClass): Promise<Offer[]> {
    const apk = await this.#catalogue.get(sha256);
    const named = new Set((await this.#namesOf(apk.id)).names.map(([symbol]) => symbol));
    const records = new Map<string, CodeNameRecord[]>();
    const classes = await this.#equalClasses(account, apk, asked);
    for (const { class_hash } of classes) {
      if (class_hash === '' || records.has(class_hash)) continue;
      records.set(class_hash, await this.#store.codeNames.ofEqualClasses(class_hash, apk.id, maxOffers));
    }
    const all = [...records.values()].flat();
    const apks = await this.#store.codeNames.apksOf([...new Set(all.map(({ apkId }) => apkId))]);
    const offers = new Map<string, Offer>();
    for (const { class_hash, places } of classes) {
      const symbols = new Map(places.map(({ place, symbol }) => [place, symbol]));
      for (const name of records.get(class_hash) ?? []) {
        const [place, parameter] = name.place!.split('#');
        const symbol = symbols.get(place!);
        if (symbol === undefined) continue;
        const own = parameter === undefined ? symbol : `${symbol}#${parameter}`;
        // The newest counts; what is called so already needs none.
        if (named.has(own) || offers.has(own) || isCalled(own, name.text)) continue;
        offers.set(own, { symbol: own, name, sha256: apks.get(name.apkId)! });
        if (offers.size >= maxOffersTold) return [...offers.values()];
      }
    }
    return [...offers.values()];
  }

  /** One class of an APK, or all that others have named, by their places. */
  async #equalClasses(
    account: AccountRecord,
    { id, sha256 }: ApkRecord,
    { class: name, dex }: OfferedClass,
  ): Promise<CodePlaces[]> {
    if (name !== undefined) {
      const question = { ask: 'code-places', class: name, dex } as const;
      return [await this.#explorer.ask<'code-places'>(account, sha256, question)];
    }
    const hashes = await this.#store.codeNames.namedHashes(id, maxSoughtHashes);
    if (hashes.length === 0) return [];
    const question = { ask: 'equal-classes', hashes } as const;
    return (await this.#explorer.ask<'equal-classes'>(account, sha256, question)).classes;
  }

  /** Takes the offers over, or those for some symbols. */
  async acceptOffers(account: AccountRecord, sha256: string, { symbols, ...asked }: AcceptedOffers) {
    const apk = await this.#catalogue.get(sha256);
    const wanted = symbols === undefined ? null : new Set(symbols);
    const offers = await this.offers(account, sha256, asked);
    const sayings = offers
      .filter(({ symbol }) => wanted === null || wanted.has(symbol))
      .map(({ symbol, name }): Saying => ({ kind: 'name', symbol, address: null, text: name.text }));
    const { kept, refused } = await this.#sayAll(account, apk, sayings, 'offer');
    return { applied: kept.length, refused: refused.map(({ saying, reason }) => ({ ...saying, reason })) };
  }

  /** Takes over what somebody of another workstation called things, as far as the code takes it. */
  async takeOver(account: AccountRecord, apk: ApkRecord, analyst: string, sayings: readonly Saying[]): Promise<void> {
    await this.#sayAll(account, apk, sayings, 'import', { accountId: null, username: analyst });
  }

  /** Has a worker check all of them at once, and stores those that fit the code. */
  async #sayAll(
    account: AccountRecord,
    apk: ApkRecord,
    sayings: readonly Saying[],
    origin: CodeNameOrigin,
    analyst: Pick<CodeNameRecord, 'accountId' | 'username'> = { accountId: account.id, username: account.username },
  ): Promise<{ kept: CodeNameRecord[]; refused: Refusal[] }> {
    const refused: Refusal[] = [];
    const fitting: Saying[] = [];
    for (const saying of sayings) {
      const most = saying.kind === 'name' ? maxNameLength : maxNoteLength;
      const isTooLong = saying.text.length > most;
      if (isTooLong) refused.push({ saying, reason: `It has more than ${most} characters.` });
      else if (fitting.length >= maxNames) refused.push({ saying, reason: tooMany });
      else fitting.push(saying);
    }
    if (fitting.length === 0) return { kept: [], refused };
    const changes = fitting.map(({ kind, symbol, address, text }) => ({
      symbol,
      address,
      name: kind === 'name' ? text : null,
    }));
    const { results } = await this.ask<'name-check'>(account, apk.sha256, { ask: 'name-check', changes });
    const by = { apkId: apk.id, ...analyst, origin };
    const kept = await this.#write(apk, async (codeNames) => {
      const written: CodeNameRecord[] = [];
      let room = maxNames - (await codeNames.count({ apkId: apk.id }));
      for (const [index, saying] of fitting.entries()) {
        const verdict = results[index]!;
        if (verdict.fault !== null) {
          refused.push({ saying, reason: reasonOf(saying, verdict) });
          continue;
        }
        for (const symbol of verdict.replaces) {
          if (await codeNames.remove(apk.id, { kind: 'name', symbol, address: null })) room++;
        }
        if (await codeNames.remove(apk.id, saying)) room++;
        if (room <= 0) {
          refused.push({ saying, reason: tooMany });
          continue;
        }
        room--;
        const { kind, symbol, address, text } = saying;
        const identity = { classHash: verdict.class_hash, place: verdict.place };
        written.push(await codeNames.put({ ...by, ...identity, kind, symbol, address, text }));
      }
      return written;
    });
    return { kept, refused };
  }

  async #write<T>({ id, sha256 }: ApkRecord, write: (codeNames: Writes['codeNames']) => Promise<T>): Promise<T> {
    const written = await this.#store.transaction(async ({ apks, codeNames }) => {
      if ((await apks.findById(id)) === null) throw new Failure('not-found');
      return write(codeNames);
    });
    this.#version++;
    this.#held.delete(id);
    this.#events.publish({ name: 'code_names_changed', sha256 });
    return written;
  }
}

const tooMany = `An APK takes ${maxNames.toLocaleString('en')} names and notes at most.`;
const reasons = { unknown: 'The code of this APK has no such thing.' };

function reasonOf({ text }: Saying, { fault, by }: NameVerdict): string {
  const shown = by.slice(0, 200);
  switch (fault) {
    case 'clash':
      return `“${text}” is taken: ${shown} is called so where both would be meant.`;
    case 'outside':
      return `${shown} has others call it by this name, so it keeps it.`;
    case 'no-name':
      return `“${text}” is no name in Java.`;
    default:
      return reasons.unknown;
  }
}

/** Whether the code itself calls it so. */
function isCalled(symbol: string, text: string): boolean {
  const parts = symbolParts(symbol);
  if (parts?.kind === 'class') return dotted(symbol).endsWith(text);
  return (parts?.kind === 'field' || parts?.kind === 'method') && parts.name === text;
}
