// Sealed collections: APKs with all that is known of them, written to one file for another workstation, and taken in from one. Knows
// nothing of HTTP.
import { lstat } from 'node:fs/promises';
import type { CaseFile } from '../../../contract/catalogue/case.ts';
import type {
  CollectedApk,
  CollectedFile,
  CollectionTransfer,
  NewCollection,
  ReadCollection,
} from '../../../contract/workstation/collection.ts';
import type { ErrorLog } from '../../../jobs/error-log.ts';
import type { ApkRecord } from '../../../store/repositories/apk-repository.ts';
import type { CaseRecord } from '../../../store/repositories/case-repository.ts';
import type { AccountRecord } from '../../../store/repositories/people/account-repository.ts';
import type { ToldRecord } from '../../../store/repositories/told-repository.ts';
import type { Store, Writes } from '../../../store/store.ts';
import type { CaseFiles } from '../../cases/case-files.ts';
import type { Intake } from '../../catalogue/intake.ts';
import type { EventBus } from '../../event-bus.ts';
import type { ApkSelections } from '../../exports/apk-selections.ts';
import { Failure, FieldFailure, isPassing, storageFailureOf } from '../../failure.ts';
import type { CodeNameService } from '../../names/code-names.ts';
import type { Saying as NamedCode } from '../../names/mapping-entries.ts';
import { isOfSystem } from '../brought-file.ts';
import { machinePath } from '../machine-path.ts';
import { CollectionError, CollectionReader, CollectionWriter } from './collection-file.ts';
import { allSayings, keepSayings, markOf, marksOf, nameElsewhere, ownSayings } from './sayings.ts';

export type { ToldRecord };

/** Refusals that are told one by one. */
const maxRefusals = 200;
/** Transfers that are remembered. */
const maxRemembered = 50;

/** How far one is; counts as in the contract. */
export interface Transfer {
  readonly id: number;
  readonly direction: CollectionTransfer['direction'];
  readonly path: string;
  readonly startedAt: number;
  state: CollectionTransfer['state'];
  problem: string;
  apks: number | null;
  done: number;
  added: number;
  held: number;
  refused: { name: string; reason: string }[];
  refusedCount: number;
  sayings: number;
  cases: number;
}

type CollectedParts = ReturnType<CollectionReader['next']>['files'];

interface CollectionParts {
  store: Store;
  intake: Intake;
  events: EventBus;
  selections: ApkSelections;
  caseFiles: CaseFiles;
  codeNames: CodeNameService;
  log: ErrorLog;
}

export class Collections {
  readonly #parts: CollectionParts;
  readonly #closing = new AbortController();
  readonly #transfers: Transfer[] = [];
  readonly #working = new Set<Promise<void>>();
  #lastId = 0;

  constructor(parts: CollectionParts) {
    this.#parts = parts;
  }

  /** Ends what is under way. What was read stays; what was written does not stand there. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#working);
  }

  /** The newest first. */
  all = (): readonly Transfer[] => this.#transfers.toReversed();

  /** @throws Failure `not-found` */
  get(id: number | null): Transfer {
    const found = this.#transfers.find((one) => one.id === id);
    if (found === undefined) throw new Failure('not-found');
    return found;
  }

  /** What other workstations said of an APK, the newest first. */
  told = (apk: ApkRecord): Promise<ToldRecord[]> => this.#parts.store.told.of(apk.id);

  /**
   * Begins to write what a search finds.
   * @throws FieldFailure where no file can stand at the path; SearchFailure; Failure `too-many-apks`
   */
  async write(
    account: AccountRecord,
    { path: given, passphrase, search, has_cases }: NewCollection,
  ): Promise<Transfer> {
    const path = machinePath(given);
    if (await isThere(path)) throw new FieldFailure({ path: ['Something stands there already.'] });
    const { title, apkIds } = await this.#parts.selections.ofSearch(search, account);
    const transfer = this.#remember('written', path);
    transfer.apks = apkIds.length;
    const header = {
      ...({ format: 'apk-workstation-collection', version: 1, title: title.slice(0, 10_000) } as const),
      ...{ created_at: new Date().toISOString(), analyst: account.username, apks: apkIds.length },
    };
    // Where no file can be made, that is told at once.
    const writer = await CollectionWriter.create(path, passphrase, header).catch((error: Error) => {
      this.#transfers.splice(this.#transfers.indexOf(transfer), 1);
      throw new FieldFailure({ path: [error.message] });
    });
    this.#work(transfer, async () => {
      try {
        await this.#writeApks(transfer, writer, account, { apkIds, hasCases: has_cases });
        await writer.finish();
      } finally {
        await writer.discard();
      }
    });
    return transfer;
  }

  /** Begins to take one in. @throws FieldFailure where there is no file at the path */
  async read(account: AccountRecord, { path: given, passphrase }: ReadCollection): Promise<Transfer> {
    const path = machinePath(given);
    if (!(await isThere(path))) throw new FieldFailure({ path: ['There is no such file.'] });
    const transfer = this.#remember('read', path);
    this.#work(transfer, async () => {
      const reader = await CollectionReader.open(path, passphrase, this.#closing.signal);
      try {
        await this.#readPieces(transfer, reader, account);
      } finally {
        reader.close();
      }
    });
    return transfer;
  }

  #remember(direction: Transfer['direction'], path: string): Transfer {
    const transfer: Transfer = {
      ...{ id: ++this.#lastId, direction, path, startedAt: this.#parts.store.clock(), state: 'running', problem: '' },
      ...{ apks: null, done: 0, added: 0, held: 0, refused: [], refusedCount: 0, sayings: 0, cases: 0 },
    };
    this.#transfers.push(transfer);
    if (this.#transfers.length > maxRemembered) this.#transfers.shift();
    return transfer;
  }

  #work(transfer: Transfer, work: () => Promise<void>): void {
    const working = work()
      .then(() => {
        transfer.state = 'ended';
      })
      .catch((err: unknown) => {
        const fault = storageFailureOf(err) ?? err;
        transfer.state = 'failed';
        transfer.problem = (fault as Error).message;
        const isTold = fault instanceof CollectionError || fault instanceof Failure || isOfSystem(fault);
        if (!(isTold || this.#closing.signal.aborted))
          this.#parts.log.error({ err }, 'a sealed collection could not be written or read');
      })
      .finally(() => this.#working.delete(working));
    this.#working.add(working);
  }

  async #writeApks(
    transfer: Transfer,
    writer: CollectionWriter,
    account: AccountRecord,
    { apkIds, hasCases }: { apkIds: readonly number[]; hasCases: boolean },
  ): Promise<void> {
    const { store, caseFiles } = this.#parts;
    const cases = new Map<number, CaseRecord>();
    for (const id of apkIds) {
      this.#closing.signal.throwIfAborted();
      const apk = await store.apks.findById(id);
      transfer.done += 1;
      // It was deleted meanwhile.
      if (apk === null) continue;
      const sayings = await allSayings(store, apk, account);
      const files = await this.#filesOf(apk);
      if (files[0]?.sha256 !== apk.sha256) refuse(transfer, apk.sha256, 'Its file is missing or damaged here.');
      await writer.piece({ type: 'apk', sha256: apk.sha256, tags: [...apk.tags], sayings, files });
      for (const file of files) await writer.file(file, store.files.stream(file.sha256));
      transfer.sayings += sayings.length;
      transfer.added += 1;
      if (hasCases) for (const one of await store.cases.ofApk(apk.id)) cases.set(one.id, one);
    }
    for (const one of cases.values()) {
      await writer.piece({ type: 'case', file: await caseFiles.written(one) });
      transfer.cases += 1;
    }
  }

  /** Its own file and its parts, as far as they are there and whole. */
  async #filesOf({ sha256, size, fileNames }: ApkRecord): Promise<CollectedFile[]> {
    const { store } = this.#parts;
    if (store.files.inspect(sha256) !== 'ok') return [];
    const parts = await store.parts.of(sha256);
    const whole = parts.filter((part) => store.files.inspect(part.sha256) === 'ok');
    return [{ sha256, size, name: fileNames[0] ?? '' }, ...whole.map((part) => pick(part))];
  }

  async #readPieces(transfer: Transfer, reader: CollectionReader, account: AccountRecord): Promise<void> {
    transfer.apks = reader.header.apks;
    for (;;) {
      this.#closing.signal.throwIfAborted();
      const { piece, files } = reader.next();
      if (piece.type === 'end') return;
      if (piece.type === 'case') await this.#readCase(transfer, account, piece.file);
      else {
        await this.#readApk(transfer, account, piece, files).catch((error: unknown) => {
          const fault = storageFailureOf(error) ?? error;
          const isOfFile = fault instanceof Failure && !isPassing(fault);
          if (!isOfFile) throw fault;
          refuse(transfer, piece.sha256, fault.message);
        });
        transfer.done += 1;
      }
    }
  }

  async #readApk(
    transfer: Transfer,
    account: AccountRecord,
    piece: CollectedApk,
    [own, ...parts]: CollectedParts,
  ): Promise<void> {
    const { store, intake, events } = this.#parts;
    const { sha256 } = piece;
    const held = await store.apks.findBySha256(sha256);
    const marks = held === null ? new Set<string>() : marksOf(await ownSayings(store, held, account));
    let sayings = 0;
    const keep = async (inside: Writes, apkId: number) => {
      sayings = await keepSayings(inside, apkId, piece, { account, events, own: marks });
    };
    if (held !== null) {
      await store.transaction((inside) => keep(inside, held.id));
      const apk = await store.apks.findById(held.id);
      if (apk !== null) events.publish({ name: 'apk_updated', apk });
      transfer.held += 1;
    } else if (own?.file.sha256 === sha256) {
      const options = { uploader: account, priority: 'import', signal: this.#closing.signal } as const;
      const expected = { name: own.file.name, expectedSha256: sha256 };
      await intake.receiveApk(own.bytes(), { ...options, ...expected, also: keep });
      transfer.added += 1;
    } else return refuse(transfer, sha256, 'Its file is not in the collection, and it is not held here.');
    transfer.sayings += sayings;
    const known = new Set((await store.parts.of(sha256)).map((part) => part.sha256));
    for (const { file, bytes } of parts) {
      if (known.has(file.sha256)) continue;
      const expected = { name: file.name, expectedSha256: file.sha256, partOf: [sha256] };
      await intake.receiveApk(bytes(), { uploader: account, priority: 'import', ...expected });
    }
    await this.#nameCode(account, piece);
  }

  /** Calls what has no name here as others call it, as far as the code takes it. */
  async #nameCode(account: AccountRecord, { sha256, sayings }: CollectedApk): Promise<void> {
    const { store, codeNames } = this.#parts;
    const apk = await store.apks.findBySha256(sha256);
    if (apk === null) return;
    const keyOf = (kind: string, symbol: string, address: number | null) => `${kind} ${address} ${symbol}`;
    const named = new Set(
      (await store.codeNames.of(apk.id)).map(({ kind, symbol, address }) => keyOf(kind, symbol, address)),
    );
    const byAnalyst = new Map<string, NamedCode[]>();
    for (const saying of sayings) {
      if (saying.kind !== 'code') continue;
      const { as: kind, symbol, address, text, analyst } = saying;
      if (named.has(keyOf(kind, symbol, address))) continue;
      named.add(keyOf(kind, symbol, address));
      byAnalyst.set(analyst, [...(byAnalyst.get(analyst) ?? []), { kind, symbol, address, text }]);
    }
    for (const [analyst, names] of byAnalyst) await codeNames.takeOver(account, apk, nameElsewhere(analyst), names);
  }

  async #readCase(transfer: Transfer, account: AccountRecord, file: CaseFile): Promise<void> {
    const { store, caseFiles } = this.#parts;
    const mark = markOf(file);
    if ((await store.told.caseOf(mark)) !== null) return;
    await caseFiles.read(account, file, ({ told }, id) => told.noteCase(mark, id));
    transfer.cases += 1;
  }
}

const pick = ({ sha256, size, name }: CollectedFile): CollectedFile => ({ sha256, size, name });

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

function refuse(transfer: Transfer, name: string, reason: string): void {
  transfer.refusedCount += 1;
  if (transfer.refused.length < maxRefusals) transfer.refused.push({ name, reason });
}
